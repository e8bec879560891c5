import type { DatabaseSync } from 'node:sqlite';
import { QuarryError } from '../../../core/errors.ts';

/**
 * The steps that lead from an empty file to today's layout; the file remembers in `user_version` how many it has
 * taken. Append only: a step that was once released is never edited.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE documents (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    uri TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    type TEXT NOT NULL,
    origin TEXT NOT NULL,
    language TEXT NOT NULL,
    media_type TEXT NOT NULL,
    revision TEXT NOT NULL,
    modified_at REAL NOT NULL,
    metadata TEXT NOT NULL
  );
  CREATE INDEX documents_by_type ON documents (type);
  CREATE INDEX documents_by_origin ON documents (origin);
  CREATE INDEX documents_by_language ON documents (language);
  CREATE INDEX documents_by_modified_at ON documents (modified_at);

  -- One row for each distinct embedded text; chunks with equal texts share it and so share its vectors.
  CREATE TABLE embeddings (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE
  );

  CREATE TABLE chunks (
    number INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES documents (number),
    id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    span_start INTEGER NOT NULL,
    span_end INTEGER NOT NULL,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    text TEXT NOT NULL,
    header TEXT NOT NULL,
    section TEXT NOT NULL,
    symbol TEXT,
    symbol_kind TEXT NOT NULL,
    metadata TEXT NOT NULL,
    embedding INTEGER NOT NULL REFERENCES embeddings (number),
    UNIQUE (document, ordinal)
  );
  CREATE INDEX chunks_by_id ON chunks (id);
  CREATE INDEX chunks_by_embedding ON chunks (embedding);
  -- Lets a filter go from documents to embeddings without touching the texts.
  CREATE INDEX chunks_for_filters ON chunks (document, symbol_kind, embedding);

  -- Holds terms made by the core, separated by spaces: the tokenizer has nothing left to decide but the stem.
  CREATE VIRTUAL TABLE chunk_terms USING fts5 (
    body, heading, path, symbol,
    content = '', contentless_delete = 1, tokenize = "porter ascii tokenchars '_'"
  );

  CREATE TABLE spaces (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL
  );
  -- AUTOINCREMENT: numbers only grow, so that a reader finds what is new by the last number it saw.
  CREATE TABLE vectors (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    space INTEGER NOT NULL REFERENCES spaces (number),
    embedding INTEGER NOT NULL REFERENCES embeddings (number) ON DELETE CASCADE,
    scale REAL NOT NULL,
    components BLOB NOT NULL,
    UNIQUE (embedding, space)
  );
  -- Lists and counts what a space holds without touching the vectors themselves.
  CREATE INDEX vectors_by_space ON vectors (space, embedding);

  CREATE TABLE manifest (
    uri TEXT PRIMARY KEY,
    status TEXT NOT NULL,
    size INTEGER NOT NULL,
    modified_at REAL NOT NULL,
    content_hash TEXT NOT NULL,
    recipe TEXT NOT NULL,
    chunks INTEGER NOT NULL,
    reason TEXT,
    detail TEXT
  ) WITHOUT ROWID;
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE revision (value INTEGER NOT NULL);
  INSERT INTO revision VALUES (0);
  `,
];

/** Brings the file to the newest layout, whichever process comes first; a newer file is `store-too-new`. */
export function migrate(database: DatabaseSync, path: string, steps: readonly string[] = migrations): void {
  if (layoutVersion(database, path, steps.length) === steps.length) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have migrated between the look above and the lock.
    const version = layoutVersion(database, path, steps.length);
    for (const step of steps.slice(version)) database.exec(step);
    database.exec(`PRAGMA user_version = ${steps.length}`);
    database.exec('COMMIT');
  } catch (error) {
    // A full disk ends the transaction by itself; the first error is the one that tells what happened.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function layoutVersion(database: DatabaseSync, path: string, known: number): number {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  if (version > known) {
    throw new QuarryError(
      'store-too-new',
      `The index ${path} has layout ${version}; this Quarry knows layouts up to ${known}.`,
      'Update Quarry, or delete the index file and run: quarry index --full',
    );
  }
  if (version === 0 && database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get()) {
    throw new QuarryError(
      'store-unusable',
      `${path} is a database of another program.`,
      'Move that file out of the folder, then run: quarry index',
    );
  }
  return version;
}
