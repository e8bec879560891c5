import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { interrupted, messageOf, QuarryError } from '../../core/errors.ts';
import { loadSqlite } from '../../platform/sqlite/load-sqlite.ts';
import {
  createVectorSeal,
  digestBytes,
  maxDimensions,
  sealedLength,
  vectorOfBytes,
} from './sealed-vector.ts';

// A portable file of vectors is a SQLite database with two tables. `hash` is the SHA-256 of a text, and `content` the
// sealed vector: its values and a checksum over space, hash and values. There is no text and no path in it.
const tables = [
  `CREATE TABLE spaces (number INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, dimensions INTEGER NOT NULL) STRICT`,
  `CREATE TABLE vectors (space INTEGER NOT NULL, hash BLOB NOT NULL, content BLOB NOT NULL, PRIMARY KEY (space, hash)) STRICT, WITHOUT ROWID`,
];

/** Marks a file as vectors of Quarry to be passed on ("QVEX"). */
const applicationId = 0x51564558;
const version = 1;
const maxSpaces = 1024;
const maxFingerprintLength = 1024;

/** Vectors that are in memory at a time. */
const rowsPerPage = 256;

/** Makes an empty file one that can be filled. It needs no journal: one that was not finished is deleted. */
export function createPortable(path: string): DatabaseSync {
  const { DatabaseSync: Database } = loadSqlite();
  const database = new Database(path);
  database.exec(`
    PRAGMA journal_mode = OFF; PRAGMA page_size = 8192;
    ${tables.join(';')};
    PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}; BEGIN`);
  return database;
}

/** Whether a file says that it is a portable one. */
export function isPortable(path: string): boolean {
  const { DatabaseSync: Database } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    database = new Database(path, { readOnly: true });
    return database.prepare('PRAGMA application_id').get()?.application_id === applicationId;
  } catch {
    // No database.
    return false;
  } finally {
    database?.close();
  }
}

/** Opens a file from elsewhere in one state of it, after everything but the vectors themselves has been checked. */
export function openPortable(path: string): DatabaseSync {
  const { DatabaseSync: Database } = loadSqlite();
  const database = new Database(path, { readOnly: true });
  try {
    // What a file claims of itself must neither run nor mislead the reader.
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; BEGIN');
    requireSchema(database, path);
    requireSound(database, path);
    return database;
  } catch (thrown) {
    database.close();
    throw thrown instanceof QuarryError ? thrown : refusedFile(path, messageOf(thrown), undefined, thrown);
  }
}

function requireSchema(database: DatabaseSync, path: string): void {
  const found = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  if (found > version) throw refusedFile(path, `its format ${found} is not known`, 'Update Quarry.');
  const schema = database.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name').all();
  const isSame = schema.length === tables.length && schema.every(({ sql }, index) => sql === tables[index]);
  if (!isSame || found !== version) throw refusedFile(path, 'its tables are not those of an export');
}

/** Lengths are known without reading the values: nothing larger than a vector is ever read. */
const faults: readonly (readonly [fault: string, sql: string])[] = [
  [
    `it has more than ${maxSpaces} vector spaces`,
    `SELECT 1 FROM (SELECT count(*) AS count FROM spaces) WHERE count > ${maxSpaces}`,
  ],
  [
    'a vector space in it has no usable name or length',
    `SELECT 1 FROM spaces WHERE length(fingerprint) NOT BETWEEN 1 AND ${maxFingerprintLength}
     OR dimensions NOT BETWEEN 1 AND ${maxDimensions}`,
  ],
  [
    'a vector in it does not have the length of its space',
    `SELECT 1 FROM vectors LEFT JOIN spaces ON number = space
     WHERE number IS NULL OR length(hash) <> ${digestBytes} OR length(content) <> ${sealedLength} LIMIT 1`,
  ],
];

function requireSound(database: DatabaseSync, path: string): void {
  const check = database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
  if (check !== 'ok') throw refusedFile(path, `it is damaged: ${check}`);
  for (const [fault, sql] of faults) {
    if (database.prepare(sql).get()) throw refusedFile(path, fault);
  }
}

/** Why a file is not imported. */
export function refusedFile(
  path: string,
  why: string,
  remedy = 'Make the file again with: quarry cache export FILE',
  cause?: unknown,
): QuarryError {
  return new QuarryError('file-unreadable', `Cannot import ${path}: ${why}.`, remedy, { cause });
}

/** A vector space in a portable file or a cache. */
export interface StoredSpace {
  readonly number: number;
  readonly fingerprint: string;
  readonly dimensions: number;
}

/** A vector as it was read. */
export interface StoredVector {
  readonly key: Uint8Array;
  readonly sealed: Uint8Array;
  /** Undefined where it is not what was once sealed. */
  readonly vector: Float32Array | undefined;
}

/** The spaces of a portable file, or of a cache, in the order of their names. */
export function spacesOf(database: DatabaseSync): StoredSpace[] {
  return database
    .prepare('SELECT number, fingerprint, dimensions FROM spaces ORDER BY fingerprint')
    .all()
    .map(({ number, fingerprint, dimensions }) => ({
      number: Number(number),
      fingerprint: String(fingerprint),
      dimensions: Number(dimensions),
    }));
}

/** The vectors of a space in the order of their keys, page by page, with a turn for others after each. */
export async function* pagesOf(
  database: DatabaseSync,
  { number, fingerprint }: StoredSpace,
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredVector[]> {
  const seal = createVectorSeal(fingerprint);
  const select = database.prepare(
    'SELECT hash, content FROM vectors WHERE space = ? AND hash > ? ORDER BY hash LIMIT ?',
  );
  for (let last: Uint8Array | undefined = new Uint8Array(); last; await nextTurn()) {
    if (signal?.aborted) throw interrupted(signal.reason);
    const page: StoredVector[] = select.all(number, last, rowsPerPage).map(({ hash, content }) => {
      const key = hash as Uint8Array; // The column is declared a BLOB that is never null.
      const sealed = content instanceof Uint8Array ? content : new Uint8Array();
      return { key, sealed, vector: vectorOfBytes(seal.open(key, sealed)) };
    });
    yield page;
    last = page.length < rowsPerPage ? undefined : page.at(-1)?.key;
  }
}
