import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { setPragmas, useWriteAheadLog } from '../../platform/sqlite/write-ahead-log.ts';
import { cacheTooNew, damagedCache } from './cache-problem.ts';

/** Marks a file as a vector cache of Quarry ("QVEC"). */
const applicationId = 0x51564543;
/** The format of the file. */
const version = 1;

// - A vector's row holds the hash of its text, never the text. `content` is the sealed vector.
// - `used` is the hour of the last use, counted from 1970: coarse, so that reading seldom has to write.
// - Numbers of spaces are not given twice, so that no row is taken for one of another space after a clearing.
// - Rows lie in the order in which they came: a project's vectors are neighbours, and the oldest share pages.
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
  CREATE TABLE tally (hits INTEGER NOT NULL, misses INTEGER NOT NULL, damaged INTEGER NOT NULL) STRICT;
  INSERT INTO tally VALUES (0, 0, 0);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${version};
`;

// These take effect in an empty file only. Pages of 8 KiB hold five vectors of 384 dimensions with little waste.
// Space that becomes free is used again; `auto_vacuum` allows to give it back where the file has grown over its limit.
const pragmasOfNewFile = ['page_size = 8192', 'auto_vacuum = INCREMENTAL'];

// With synchronous=NORMAL a commit survives the death of the process; a power cut may take the last ones with it but
// never damages the file.
const pragmas = ['synchronous = NORMAL', 'secure_delete = FAST', 'journal_size_limit = 8388608'];

/** Makes an empty file a cache, and fails on one that is none or that is too new. */
export function prepareSchema(database: DatabaseSync, path: string, readOnly: boolean): void {
  if (readOnly) {
    requireCache(database, path);
    return;
  }
  useWriteAheadLog(database, pragmasOfNewFile);
  setPragmas(database, pragmas);
  if (isEmpty(database)) createSchema(database);
  requireCache(database, path);
}

function createSchema(database: DatabaseSync): void {
  inTransaction(database, 'immediate', () => {
    // Another process may have been quicker.
    if (isEmpty(database)) database.exec(schema);
  });
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.count === 0;
}

function requireCache(database: DatabaseSync, path: string): void {
  const id = database.prepare('PRAGMA application_id').get()?.application_id;
  if (id !== applicationId) throw damagedCache(path, 'it is a database of something else');
  const found = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  if (found > version) throw cacheTooNew(path, found);
}
