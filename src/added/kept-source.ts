import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Source, SourceEntry } from '../contracts/source.ts';
import { isVirtual } from '../core/document.ts';
import {
  contentForeign,
  keptDamaged,
  keptFileName,
  keptFolderName,
  uriInKept,
} from '../core/documents/kept-content.ts';
import { pathScope } from '../core/documents/path-scope.ts';
import { interrupted, messageOf } from '../core/errors.ts';
import { systemCodeOf } from '../core/failures/machine-failure.ts';
import { keptFiles, keptFolderOf, readKept, unreadable } from './kept-folder.ts';
import { type KeptPlace, keptProof } from './kept-proof.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** Bytes that hold the first two lines of nearly every file. */
const defaultHead = 4096;
/** Bytes that hold them in every file. */
const maxHeadLength = 2 ** 24;
/** Files that are looked at before other work has its turn. */
const filesPerTurn = 256;

/** The content that was added to a project, one file for each document. */
export function createKeptSource(place: KeptPlace): Source {
  const { folder: project } = place;
  const folder = keptFolderOf(project);
  return {
    async *scan({ only, signal } = {}) {
      const scope = only && pathScope(only);
      const names = await keptFiles(project);
      if (names.length === 0) return;
      const { isOwn } = await keptProof(place);
      const strange: string[] = [];
      for (const [at, name] of names.entries()) {
        if (at % filesPerTurn === 0) await setImmediate();
        if (signal?.aborted) throw interrupted(signal.reason);
        const entry = examine(join(folder, name), name, isOwn);
        if (entry === 'foreign') strange.push(name);
        else if (entry && (!scope || (entry.kind === 'file' && scope.holds(entry.file.uri)))) yield entry;
      }
      if (!scope) yield* foreign(strange);
    },
    async read(uri) {
      const path = join(folder, keptFileName(uri));
      try {
        // Of a file that is gone the system says so itself, and callers look for that.
        const bytes = readKept(project, keptFileName(uri)) ?? (await readFile(path));
        if ((await keptProof(place)).isOwn(bytes)) return bytes;
      } catch (cause) {
        throw unreadable(path, cause);
      }
      throw contentForeign([keptFileName(uri)]);
    },
  };
}

/** A file as the scan reports it; nothing where it was removed meanwhile. Synchronous calls take a quarter of the time. */
function examine(
  path: string,
  name: string,
  isOwn: (bytes: Uint8Array) => boolean,
): SourceEntry | 'foreign' | undefined {
  let file: number | undefined;
  try {
    // A link or a pipe is no content of ours; where the system has no such flags, they are absent here.
    file = openSync(path, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    if (!stats.isFile()) return damaged(name, 'it is not a regular file');
    const head = headOf(file, stats.size);
    const uri = uriInKept(head, name);
    if (uri !== undefined && !isOwn(head)) return 'foreign';
    if (uri === undefined) return damaged(name, 'its first lines do not describe it');
    const { size, mtimeMs: modifiedAt, ctimeMs: changedAt } = stats;
    return { kind: 'file', file: { uri, size, modifiedAt, changedAt } };
  } catch (cause) {
    return systemCodeOf(cause) === 'ENOENT' ? undefined : damaged(name, messageOf(cause));
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function headOf(file: number, size: number): Uint8Array {
  const read = (max: number): Uint8Array => {
    const head = Buffer.alloc(Math.min(size, max));
    return head.subarray(0, readSync(file, head, 0, head.length, 0));
  };
  const head = read(defaultHead);
  const isWhole = head.indexOf(10, head.indexOf(10) + 1) >= 0 || size <= defaultHead;
  return isWhole ? head : read(maxHeadLength);
}

/** Each file that somebody else added, and one trouble for all of them: a stranger may have put thousands there. */
function* foreign(names: readonly string[]): Generator<SourceEntry> {
  const all = new Set(names);
  for (const name of names) {
    const skipped = {
      uri: `${keptFolderName}/${name}`,
      reason: 'unreadable',
      rule: 'not added by you',
    } as const;
    const trouble = {
      error: contentForeign(names),
      isEmpty: false,
      holds: (uri: string) => isVirtual(uri) && all.has(keptFileName(uri)),
    };
    yield { kind: 'skipped', skipped, ...(name === names.at(-1) && { trouble }) };
  }
}

/** What is indexed of it stays, and each run says so until it is repaired, added again or removed. */
function damaged(name: string, why: string): SourceEntry {
  return {
    kind: 'skipped',
    skipped: { uri: `${keptFolderName}/${name}`, reason: 'unreadable', rule: why },
    trouble: {
      error: keptDamaged(name, why),
      isEmpty: false,
      holds: (uri) => isVirtual(uri) && keptFileName(uri) === name,
    },
  };
}
