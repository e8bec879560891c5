import { open } from 'node:fs/promises';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { messageOf, QuarryError } from '../../core/errors.ts';
import { loadSqlite } from '../../platform/sqlite/load-sqlite.ts';
import { digestBytes, maxDimensions, sealedLength } from './sealed-vector.ts';

// A portable file of vectors is a SQLite database with two tables. `hash` is the SHA-256 of a text, and `content` the
// sealed vector: its values and a checksum over space, hash and values. There is no text and no path in it.
const tables = [
  `CREATE TABLE spaces (number INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, dimensions INTEGER NOT NULL) STRICT`,
  `CREATE TABLE vectors (space INTEGER NOT NULL, hash BLOB NOT NULL, content BLOB NOT NULL, PRIMARY KEY (space, hash)) STRICT, WITHOUT ROWID`,
];

/** Marks a file as vectors of Quarry to be passed on ("QVEX"). */
const applicationId = 0x51564558;
const version = 1;
const mostSpaces = 1024;
const longestFingerprint = 1024;

/** Where a SQLite file says what it is, and where it holds its application id. */
const magic = Buffer.from('SQLite format 3\0', 'latin1');
const applicationIdAt = 68;

/** A vector space in a portable file. */
export interface PortableSpace {
  readonly number: number;
  readonly fingerprint: string;
  readonly dimensions: number;
}

/** Makes an empty file one that can be filled; nothing of it needs to outlive a failure. */
export function createPortable(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 8192;
    ${tables.join(';')};
    PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}; BEGIN`);
  return database;
}

/** Whether a file begins as a portable one. */
export async function isPortable(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(applicationIdAt + 4), 0);
    return (
      bytesRead === buffer.length &&
      buffer.subarray(0, magic.length).equals(magic) &&
      buffer.readUInt32BE(applicationIdAt) === applicationId
    );
  } finally {
    await file.close();
  }
}

/** Opens a file from elsewhere in one state of it, after everything but the vectors themselves has been checked. */
export function openPortable(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    // What a file claims of itself must neither run nor lead the reader astray.
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; BEGIN');
    requireSchema(database, path);
    requireSound(database, path);
    return database;
  } catch (thrown) {
    database.close();
    throw thrown instanceof QuarryError ? thrown : refusedFile(path, messageOf(thrown), undefined, thrown);
  }
}

/** The spaces of a portable file, or of a cache, in the order of their names. */
export function spacesOf(prepare: (sql: string) => StatementSync): PortableSpace[] {
  return prepare('SELECT number, fingerprint, dimensions FROM spaces ORDER BY fingerprint')
    .all()
    .map(({ number, fingerprint, dimensions }) => ({
      number: Number(number),
      fingerprint: String(fingerprint),
      dimensions: Number(dimensions),
    }));
}

function requireSchema(database: DatabaseSync, path: string): void {
  const found = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  if (found > version) throw refusedFile(path, `its format ${found} is not known`, 'Update Quarry.');
  const schema = database.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name').all();
  const isSame = schema.length === tables.length && schema.every(({ sql }, index) => sql === tables[index]);
  if (!isSame || found !== version) throw refusedFile(path, 'its tables are not those of an export');
}

function requireSound(database: DatabaseSync, path: string): void {
  const [fault] = database.prepare('PRAGMA integrity_check(1)').all();
  if (fault?.integrity_check !== 'ok') throw refusedFile(path, `it is damaged: ${fault?.integrity_check}`);
  const wrong = (sql: string, ...values: number[]): boolean =>
    Number(database.prepare(`SELECT EXISTS (${sql}) AS found`).get(...values)?.found) !== 0;
  if (wrong('SELECT 1 FROM spaces LIMIT 1 OFFSET ?', mostSpaces))
    throw refusedFile(path, `it has more than ${mostSpaces} vector spaces`);
  if (
    wrong(
      'SELECT 1 FROM spaces WHERE length(fingerprint) NOT BETWEEN 1 AND ? OR dimensions NOT BETWEEN 1 AND ?',
      longestFingerprint,
      maxDimensions,
    )
  )
    throw refusedFile(path, 'a vector space in it has no usable name or length');
  // Lengths are known without reading the values: nothing larger than a vector is ever read.
  if (
    wrong(
      `SELECT 1 FROM vectors LEFT JOIN spaces ON number = space
       WHERE number IS NULL OR length(hash) <> ${digestBytes} OR length(content) <> ${sealedLength}`,
    )
  )
    throw refusedFile(path, 'a vector in it does not have the length of its space');
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
