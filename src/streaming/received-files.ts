import { createHash, randomUUID } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { QuarryError } from '../core/errors.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import type { Piece } from './batch.ts';
import type { WholeFile } from './first-protocol.ts';
import { beyondLimit, brokenProtocol, type Entry, type PushStats, type StreamLimits } from './protocol.ts';
import { asReceived, openReceived, receivedPath } from './received-database.ts';

/** A content that is needed, and from which byte on: `[number of the file, byte]`. */
export type Need = [file: number, from: number];

interface StagedRow {
  readonly hash: string;
  readonly size: number;
}
interface ObjectRow extends StagedRow {
  readonly id: number;
  readonly received: number;
}

/** Ends a transaction whose files are not those of the client. */
class TotalsDiffer {}

/** A content that is not what its hash says. Sent once more, from its beginning, it may be right. */
class WrongContent extends QuarryError {
  readonly object: string;
  constructor(file: number, object: string) {
    super(
      'usage-invalid',
      `The stream of files was refused: the content of file ${file} does not have the hash it states.`,
      'Push again.',
      { retryAfter: 0 },
    );
    this.object = object;
  }
}

/**
 * One session of a client with the files of a project. Contents are kept as they come, so that a later session need not
 * send them again; the files themselves are replaced in one step, at the end.
 */
export class ReceivedFiles {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #limits: StreamLimits;
  readonly #isWhole: boolean;
  readonly revision: string;
  readonly #statements = new Map<string, StatementSync>();
  #storedBytes: number;
  #staged = 0;
  #receivedFiles = 0;
  #receivedBytes = 0;

  /** Begins a session. Where the client's base is not the revision here, its manifest is the whole truth. */
  constructor(project: string, base: string, limits: StreamLimits) {
    this.#path = receivedPath(project);
    this.#database = openReceived(project);
    this.#limits = limits;
    this.revision = this.#fact('revision') ?? '';
    this.#isWhole = this.revision === '' || base !== this.revision;
    // Of this session alone: written to no disk that has to be waited for.
    this.#run(() =>
      this.#database.exec(`
        CREATE TEMP TABLE staged (number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE,
          hash TEXT NOT NULL, size INTEGER NOT NULL, modified_at REAL NOT NULL);
        CREATE TEMP TABLE asked (hash TEXT PRIMARY KEY);
        CREATE TEMP TABLE gone (path TEXT PRIMARY KEY);`),
    );
    this.#storedBytes = this.#count('SELECT coalesce(sum(received), 0) AS n FROM objects WHERE received > 0');
  }

  /** Notes a page of the manifest, and returns which of its contents are needed. */
  stage(first: number, entries: readonly Entry[], removed: readonly string[]): Need[] {
    if (first !== this.#staged)
      throw brokenProtocol(`a page begins with file ${first} instead of ${this.#staged}`);
    const put = this.#statement('INSERT OR REPLACE INTO staged VALUES (?, ?, ?, ?, ?)');
    const ask = this.#statement('INSERT OR IGNORE INTO asked VALUES (?)');
    const remove = this.#statement('INSERT OR IGNORE INTO gone VALUES (?)');
    const unstage = this.#statement('DELETE FROM staged WHERE path = ?');
    const needs: Need[] = [];
    this.#run(() => {
      for (const [path, size, hash, modifiedAt] of entries) {
        const number = this.#staged;
        this.#staged += 1;
        if (size > this.#limits.fileBytes) throw beyondLimit(`${JSON.stringify(path)} has ${size} bytes`);
        // A clock that is ahead must not make a file newer than anything can be.
        put.run(number, path, hash, size, Math.min(modifiedAt, Date.now()));
        const object = this.#object(hash);
        if (object && object.size !== size) throw brokenProtocol(`two sizes are stated for ${hash}`);
        const isKept = object !== undefined && object.received === size;
        if (!isKept && ask.run(hash).changes > 0) needs.push([number, Math.max(object?.received ?? 0, 0)]);
      }
      for (const path of removed) {
        remove.run(path);
        unstage.run(path);
      }
    });
    if (this.#staged > this.#limits.files)
      throw beyondLimit(`the project has more than ${this.#limits.files} files`);
    return needs;
  }

  /** Keeps the pieces in one step. When it returns, no power cut loses them. */
  put(pieces: readonly Piece[]): void {
    const bytes = pieces.reduce((sum, piece) => sum + piece.bytes.length, 0);
    if (this.#storedBytes + bytes > this.#limits.projectBytes)
      throw beyondLimit(`the project has more than ${this.#limits.projectBytes} bytes`);
    let complete = 0;
    try {
      this.#run(() =>
        inTransaction(this.#database, 'immediate', () => {
          for (const piece of pieces) complete += Number(this.#putPiece(piece));
        }),
      );
    } catch (thrown) {
      if (thrown instanceof WrongContent) this.#drop(thrown.object);
      throw thrown;
    }
    this.#storedBytes += bytes;
    this.#receivedBytes += bytes;
    this.#receivedFiles += complete;
  }

  /** Notes whole files, and keeps the contents that are not there yet. */
  putFiles(files: readonly WholeFile[]): void {
    const first = this.#staged;
    const entries = files.map(({ path, bytes, modifiedAt }): Entry => {
      const hash = createHash('sha256').update(bytes).digest('hex');
      return [path, bytes.length, hash, modifiedAt ?? this.#knownTime(path, hash) ?? Date.now()];
    });
    const pieces = this.stage(first, entries, []).flatMap(([file, from]) => {
      const { bytes } = files[file - first] as WholeFile;
      const size = this.#limits.batchBytes;
      const count = Math.max(1, Math.ceil((bytes.length - from) / size));
      return Array.from({ length: count }, (_, turn) => {
        const start = from + turn * size;
        return { file, from: start, bytes: bytes.subarray(start, start + size) };
      });
    });
    this.put(pieces);
  }

  /** When a file was last changed that is the same as before. */
  #knownTime(path: string, hash: string): number | undefined {
    const sql = 'SELECT modified_at AS at FROM files WHERE path = ? AND hash = ?';
    return this.#get<{ at: number }>(sql, path, hash)?.at;
  }

  /** Makes the files those that were noted, where the client has no manifest to compare; as many as it says, if it does. */
  completeFiles(files: number | undefined): PushStats | undefined {
    const staged = this.#get<{ files: number; bytes: number }>(
      'SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM staged',
    );
    if (!staged || (files !== undefined && files !== staged.files)) return undefined;
    return this.complete(staged.files, staged.bytes);
  }

  /** Forgets a content whose first pieces, perhaps of an earlier session, are wrong: it is sent from its beginning. */
  #drop(object: string): void {
    this.#run(() =>
      inTransaction(this.#database, 'immediate', () => {
        const { id } = this.#object(object) ?? {};
        if (id === undefined) return;
        this.#statement('DELETE FROM pieces WHERE object = ?').run(id);
        this.#statement('DELETE FROM objects WHERE id = ?').run(id);
      }),
    );
  }

  /** Returns whether the content is complete now. */
  #putPiece({ file, from, bytes }: Piece): boolean {
    const staged = this.#get<StagedRow>('SELECT hash, size FROM staged WHERE number = ?', file);
    if (!staged) throw brokenProtocol(`a batch has the file ${file}, which no page names`);
    const { hash, size } = staged;
    const object = this.#object(hash) ?? this.#newObject(hash, size);
    const kept = Math.max(object.received, 0);
    // Sent once more after a lost answer, it is there already.
    if (from + bytes.length <= kept && object.received >= 0) return false;
    if (from !== kept) throw brokenProtocol(`a piece of file ${file} begins at ${from} instead of ${kept}`);
    const received = from + bytes.length;
    if (received > size) throw brokenProtocol(`file ${file} has more than the ${size} bytes it states`);
    this.#statement('INSERT INTO pieces VALUES (?, ?, ?)').run(object.id, from, bytes);
    if (received === size && this.#hashOf(object.id, from === 0 ? bytes : undefined) !== hash)
      throw new WrongContent(file, hash);
    this.#statement('UPDATE objects SET received = ? WHERE id = ?').run(received, object.id);
    return received === size;
  }

  #object(hash: string): ObjectRow | undefined {
    return this.#get<ObjectRow>('SELECT id, hash, size, received FROM objects WHERE hash = ?', hash);
  }

  /** Nothing is received of it: -1, since of an empty file 0 bytes are all. */
  #newObject(hash: string, size: number): ObjectRow {
    const insert = this.#statement('INSERT INTO objects (hash, size, received) VALUES (?, ?, -1)');
    return { id: Number(insert.run(hash, size).lastInsertRowid), hash, size, received: -1 };
  }

  #hashOf(object: number, whole: Uint8Array | undefined): string {
    const hash = createHash('sha256');
    if (whole) return hash.update(whole).digest('hex');
    const pieces = this.#statement('SELECT bytes FROM pieces WHERE object = ? ORDER BY start');
    for (const { bytes } of pieces.iterate(object)) hash.update(bytes as Uint8Array);
    return hash.digest('hex');
  }

  /** Makes the files those of the client, in one step; returns undefined where the two do not agree about them. */
  complete(files: number, bytes: number): PushStats | undefined {
    try {
      return this.#run(() =>
        inTransaction(this.#database, 'immediate', () => this.#replaceFiles(files, bytes)),
      );
    } catch (thrown) {
      if (thrown instanceof TotalsDiffer) return undefined;
      throw thrown;
    }
  }

  #replaceFiles(files: number, bytes: number): PushStats {
    const missing = this.#count(`SELECT count(*) AS n FROM staged s LEFT JOIN objects o ON o.hash = s.hash
      WHERE o.id IS NULL OR o.received <> s.size`);
    if (missing > 0) throw brokenProtocol(`the contents of ${missing} files are missing`);
    // What leaves and comes back in one session stays.
    const leaves = this.#isWhole
      ? 'path NOT IN (SELECT path FROM staged)'
      : 'path IN (SELECT path FROM gone EXCEPT SELECT path FROM staged)';
    const removed = this.#count(`SELECT count(*) AS n FROM files WHERE ${leaves}`);
    const added = this.#count('SELECT count(*) AS n FROM staged WHERE path NOT IN (SELECT path FROM files)');
    const changed = this.#count(
      'SELECT count(*) AS n FROM staged s JOIN files f ON f.path = s.path WHERE f.hash <> s.hash',
    );
    this.#database.exec(`DELETE FROM files WHERE ${leaves}`);
    const last = Number(this.#fact('changed-at') ?? 0);
    // Never set back, so that a clock that is does not hide a change.
    const now = Math.max(Date.now(), last + 1);
    this.#statement(`INSERT INTO files SELECT path, hash, size, modified_at, ? FROM staged WHERE true
        ON CONFLICT (path) DO UPDATE SET hash = excluded.hash, size = excluded.size,
          modified_at = excluded.modified_at,
          changed_at = CASE WHEN files.hash = excluded.hash THEN files.changed_at ELSE excluded.changed_at END`).run(
      now,
    );
    const total = this.#get<{ files: number; bytes: number }>(
      'SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM files',
    );
    if (total?.files !== files || total.bytes !== bytes) throw new TotalsDiffer();
    this.#database.exec(`
      DELETE FROM pieces WHERE object IN (SELECT id FROM objects WHERE hash NOT IN (SELECT hash FROM files));
      DELETE FROM objects WHERE hash NOT IN (SELECT hash FROM files);`);
    const isSame = this.revision !== '' && added + changed + removed === 0;
    const revision = isSame ? this.revision : randomUUID();
    this.#setFact('revision', revision);
    this.#setFact('changed-at', String(now));
    return {
      revision,
      files,
      bytes,
      added,
      changed,
      removed,
      received_files: this.#receivedFiles,
      received_bytes: this.#receivedBytes,
    };
  }

  /** Gives back the space of what has left, a part at a time, and closes. */
  close(): void {
    try {
      this.#database.exec('PRAGMA incremental_vacuum(4096)');
    } catch {
      // Space that is not given back now is used again later.
    }
    this.#database.close();
  }

  #fact(name: string): string | undefined {
    return this.#get<{ value: string }>('SELECT value FROM facts WHERE name = ?', name)?.value;
  }

  #setFact(name: string, value: string): void {
    this.#statement('INSERT OR REPLACE INTO facts VALUES (?, ?)').run(name, value);
  }

  #count(sql: string): number {
    return this.#get<{ n: number }>(sql)?.n ?? 0;
  }

  /** One row; the statement names the columns of its type. */
  #get<Row>(sql: string, ...values: (string | number)[]): Row | undefined {
    return this.#run(() => this.#statement(sql).get(...values) as Row | undefined);
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  #run<Result>(work: () => Result): Result {
    return asReceived(this.#path, work);
  }
}
