import { chmod, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../platform/make-folder.ts';
import { fileIdentity } from '../../platform/sqlite/file-identity.ts';
import { loadSqlite } from '../../platform/sqlite/load-sqlite.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { setPragmas, useWriteAheadLog } from '../../platform/sqlite/write-ahead-log.ts';
import { cacheTooNew, damagedCache } from './cache-problem.ts';

/** Marks a file as a vector cache of Quarry ("QVEC"). */
const applicationId = 0x51564543;
/** The format of the file. */
const version = 1;
/** How long one statement may block this process while another one has the file, in milliseconds. */
const busyTimeout = 25;

// The sketch of a text has the number of its vector and goes with it; `content` is sealed. In a table of their own they can give
// way before vectors do, and their pages with them.
const sketchTable = `
  CREATE TABLE sketches (id INTEGER PRIMARY KEY, used INTEGER NOT NULL, content BLOB NOT NULL) STRICT;
  CREATE INDEX sketches_by_use ON sketches (used);
  CREATE TRIGGER vector_removed AFTER DELETE ON vectors BEGIN DELETE FROM sketches WHERE id = old.id; END;
`;

// - A vector's row holds the hash of its text, never the text. `content` is the sealed vector.
// - `used` is the hour of the last use, counted from 1970: coarse, so that reading seldom has to write.
// - Numbers of spaces are not given twice, so that no row is taken for one of another space after a clearing.
// - Rows are in the order in which they came: a project's vectors are neighbours, and the oldest share pages.
const schema = `
  CREATE TABLE spaces (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    fingerprint TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE vectors (
    id INTEGER PRIMARY KEY,
    space INTEGER NOT NULL,
    hash BLOB NOT NULL,
    used INTEGER NOT NULL,
    content BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX vectors_by_text ON vectors (space, hash);
  CREATE INDEX vectors_by_use ON vectors (used);
  ${sketchTable}
  CREATE TABLE tally (hits INTEGER NOT NULL, misses INTEGER NOT NULL, damaged INTEGER NOT NULL) STRICT;
  INSERT INTO tally VALUES (0, 0, 0);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${version};
`;

// These take effect in an empty file only. Pages of 8 KiB hold five vectors of 384 dimensions with little waste.
// Space that becomes free is used again; `auto_vacuum` allows to give it back where the file has grown over its limit.
const pragmasOfNewFile = ['page_size = 8192', 'auto_vacuum = INCREMENTAL'];

// With synchronous=NORMAL a commit survives the death of the process; a power cut may lose the last ones but never
// damages the file.
const pragmas = ['synchronous = NORMAL', 'secure_delete = FAST', 'journal_size_limit = 8388608'];

/** Opens a file, makes an empty one a cache, and fails on one that is no cache or too new. */
export function openCacheFile(path: string, readOnly: boolean): DatabaseSync {
  const { DatabaseSync: Database } = loadSqlite();
  const database = new Database(path, { readOnly, timeout: busyTimeout });
  try {
    if (!readOnly) prepareFile(database);
    requireCache(database, path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepareFile(database: DatabaseSync): void {
  useWriteAheadLog(database, pragmasOfNewFile);
  setPragmas(database, pragmas);
  const isEmpty = () => database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  // Vectors of a file that was made before there were sketches stay of use, also to the program that made it.
  const lacksSketches = () => isCache(database) && !hasSketches(database);
  if (!isEmpty() && !lacksSketches()) return;
  inTransaction(database, 'immediate', () => {
    // Another process may have been quicker.
    if (isEmpty()) database.exec(schema);
    else if (lacksSketches()) database.exec(sketchTable);
  });
}

/** Whether there is a table for sketches in the file. */
export function hasSketches(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sketches'").get() !== undefined;
}

function isCache(database: DatabaseSync): boolean {
  return (
    pragmaOf(database, 'application_id') === applicationId && pragmaOf(database, 'user_version') <= version
  );
}

function requireCache(database: DatabaseSync, path: string): void {
  if (pragmaOf(database, 'application_id') !== applicationId) {
    throw damagedCache(path, 'it is a database of something else');
  }
  const found = pragmaOf(database, 'user_version');
  if (found > version) throw cacheTooNew(path, found);
}

/** Sizes in bytes: of the whole file, and of the part of it that holds something. */
export function sizesOf(database: DatabaseSync): { readonly file: number; readonly used: number } {
  const pages = pragmaOf(database, 'page_count');
  const size = pragmaOf(database, 'page_size');
  return { file: pages * size, used: (pages - pragmaOf(database, 'freelist_count')) * size };
}

function pragmaOf(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}

/**
 * Makes the folder and an empty file that only the user may read. A file that is there is never opened for this:
 * closing it again would take away the locks that another connection of this process holds on it.
 */
export async function makeCacheFile(path: string): Promise<void> {
  await makeFolder(dirname(path), 0o700);
  try {
    await writeFile(path, '', { flag: 'wx', mode: 0o600 });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
    const found = await stat(path);
    const isOpenToOthers = found.isFile() && (found.mode & 0o077) !== 0;
    if (isOpenToOthers && process.platform !== 'win32') await chmod(path, 0o600);
  }
}

/** Where a damaged cache is kept, once, so that a user can find out what happened. */
export function damagedPath(path: string): string {
  return `${path}.damaged`;
}

/** Renames a damaged file out of the way, unless another process has done it already. */
export async function setAside(path: string, identity: string | undefined): Promise<void> {
  if (identity === undefined || fileIdentity(path) !== identity) return;
  // The log first: it belongs to the damaged file and must not be taken for that of the next one.
  for (const part of ['-wal', '-shm']) await rm(`${path}${part}`, { force: true });
  await rename(path, damagedPath(path));
}
