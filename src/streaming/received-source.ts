import type { DatabaseSync } from 'node:sqlite';
import type { ChangeHint, Source, SourceEntry } from '../contracts/source.ts';
import { pathScope } from '../core/documents/path-scope.ts';
import { interrupted, QuarryError } from '../core/errors.ts';
import { sha256 } from '../core/identity.ts';
import { asReceived, openReceived, receivedPath } from './received-database.ts';

/** Milliseconds after its last use that the file stays open. */
const staysOpen = 1000;

interface FileRow {
  readonly path: string;
  readonly hash: string;
  readonly size: number;
  readonly modified_at: number;
  readonly changed_at: number;
}

/** The files that clients have sent to a project. What they left out never came; only sizes are limited here. */
export function createReceivedSource(project: string, maxFileBytes: (uri: string) => number): Source {
  const path = receivedPath(project);
  let database: DatabaseSync | undefined;
  let closing: NodeJS.Timeout | undefined;
  const query = <Row>(sql: string, ...values: (string | number)[]): Row[] =>
    asReceived(path, () => {
      database ??= openReceived(project, { readOnly: true });
      clearTimeout(closing);
      closing = setTimeout(close, staysOpen);
      closing.unref();
      return database.prepare(sql).all(...values) as Row[];
    });
  const close = (): void => {
    database?.close();
    database = undefined;
  };
  const revision = (): string =>
    query<{ value: string }>("SELECT value FROM facts WHERE name = 'revision'")[0]?.value ?? '';

  return {
    async *scan({ only, signal } = {}) {
      const scope = only && pathScope(only);
      const rows = query<FileRow>(
        'SELECT path, hash, size, modified_at, changed_at FROM files ORDER BY path',
      );
      for (const row of rows) {
        if (signal?.aborted) throw interrupted(signal.reason);
        if (!scope || scope.holds(row.path)) yield entryOf(row, maxFileBytes(row.path));
      }
    },
    async read(uri) {
      const [file] = query<FileRow>('SELECT * FROM files WHERE path = ?', uri);
      if (!file) throw unreadable(uri, 'it was not received', Object.assign(gone(uri), { code: 'ENOENT' }));
      const pieces = query<{ bytes: Uint8Array }>(
        `SELECT p.bytes FROM pieces p JOIN objects o ON o.id = p.object WHERE o.hash = ? ORDER BY p.start`,
        file.hash,
      );
      const bytes = Buffer.concat(pieces.map((piece) => piece.bytes));
      if (sha256(bytes) !== file.hash) throw unreadable(uri, 'its content on the server is damaged');
      return bytes;
    },
    watch: (notice) => watchOf(notice, revision),
  };
}

/** What comes from clients is noticed by the revision: whatever process received it. */
function watchOf(notice: (hint: ChangeHint) => void, revision: () => string) {
  let known = '';
  const look = (): void => {
    if (revision() !== known) notice({ kind: 'everything', why: 'files were received' });
  };
  return {
    async refresh() {
      known = revision();
    },
    poll: async () => look(),
    isBusy: async () => false,
    async catchUp() {
      look();
      return true;
    },
    close: () => undefined,
  };
}

function entryOf({ path: uri, size, modified_at, changed_at }: FileRow, max: number): SourceEntry {
  if (size > max)
    return { kind: 'skipped', skipped: { uri, reason: 'too-large', rule: `larger than ${max} bytes` } };
  return { kind: 'file', file: { uri, size, modifiedAt: modified_at, changedAt: changed_at } };
}

function gone(uri: string): QuarryError {
  return new QuarryError('file-unreadable', `${uri} is gone.`, 'Push again.');
}

function unreadable(uri: string, why: string, cause?: unknown): QuarryError {
  return new QuarryError('file-unreadable', `Cannot read ${uri}: ${why}.`, 'Push again.', { cause });
}
