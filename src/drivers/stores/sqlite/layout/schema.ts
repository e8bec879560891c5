import type { DatabaseSync } from 'node:sqlite';
import { QuarryError } from '../../../../core/errors.ts';
import { loadSqlite } from '../../../../platform/sqlite/load-sqlite.ts';
import { inTransaction } from '../../../../platform/sqlite/transaction.ts';
import { registerFunctions } from './functions.ts';
import { createTextTable, fillTextTable } from './text-table.ts';

/** Counts from the start, for every space, the chunks whose vector is there; triggers keep the number right after that. */
export const countEmbedded = `UPDATE spaces SET embedded = (SELECT count(*) FROM vectors v
  JOIN chunks c ON c.embedding = v.embedding WHERE v.space = spaces.number)`;

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

  // Rows show that they are damaged. And the text index forgets a row with its weight: `contentless_delete` keeps
  // deleted rows in the number and the lengths of rows, by which BM25 judges, so that scores hung on the past.
  `
  ALTER TABLE documents ADD COLUMN chunks INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE documents ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE chunks ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  UPDATE documents SET chunks = (SELECT count(*) FROM chunks WHERE document = documents.number);
  UPDATE documents SET checksum = checksum_of(id, uri, title, type, origin, language, media_type, revision,
    modified_at, metadata, chunks);
  UPDATE chunks SET checksum = checksum_of(document, id, ordinal, span_start, span_end, first_line, last_line, text,
    header, section, symbol, symbol_kind, metadata);

  DROP TABLE chunk_terms;
  ${createTextTable('chunk_terms')};
  ${fillTextTable('chunk_terms')};
  -- What the text index has behind it since its segments were last merged into one; see upkeep.
  CREATE TABLE text_upkeep (
    recipe TEXT NOT NULL,
    removed INTEGER NOT NULL,
    lingering INTEGER NOT NULL
  );
  INSERT INTO text_upkeep VALUES ('', 0, 0);
  `,

  // Searches say how many chunks still lack their vector: the file keeps that number instead of counting each time.
  `
  -- Chunks whose vector in this space is there.
  ALTER TABLE spaces ADD COLUMN embedded INTEGER NOT NULL DEFAULT 0;
  ${countEmbedded};
  CREATE TRIGGER embedded_by_chunk AFTER INSERT ON chunks BEGIN
    UPDATE spaces SET embedded = embedded + 1
    WHERE number IN (SELECT space FROM vectors WHERE embedding = NEW.embedding);
  END;
  CREATE TRIGGER embedded_without_chunk AFTER DELETE ON chunks BEGIN
    UPDATE spaces SET embedded = embedded - 1
    WHERE number IN (SELECT space FROM vectors WHERE embedding = OLD.embedding);
  END;
  CREATE TRIGGER embedded_by_other_text AFTER UPDATE OF embedding ON chunks WHEN OLD.embedding <> NEW.embedding BEGIN
    UPDATE spaces SET embedded = embedded - 1
    WHERE number IN (SELECT space FROM vectors WHERE embedding = OLD.embedding);
    UPDATE spaces SET embedded = embedded + 1
    WHERE number IN (SELECT space FROM vectors WHERE embedding = NEW.embedding);
  END;
  CREATE TRIGGER embedded_by_vector AFTER INSERT ON vectors BEGIN
    UPDATE spaces SET embedded = embedded + (SELECT count(*) FROM chunks WHERE embedding = NEW.embedding)
    WHERE number = NEW.space;
  END;
  CREATE TRIGGER embedded_without_vector AFTER DELETE ON vectors BEGIN
    UPDATE spaces SET embedded = embedded - (SELECT count(*) FROM chunks WHERE embedding = OLD.embedding)
    WHERE number = OLD.space;
  END;
  `,

  // A chunk says where it is in the file and, in a mailbox, when its message was written.
  `
  -- JSON; NULL where it is the lines of the span.
  ALTER TABLE chunks ADD COLUMN place TEXT;
  -- NULL where it is the document's modified_at.
  ALTER TABLE chunks ADD COLUMN written_at REAL;
  UPDATE chunks SET checksum = checksum_of(document, id, ordinal, span_start, span_end, first_line, last_line, text,
    header, section, symbol, symbol_kind, metadata, place, written_at);
  DROP INDEX chunks_for_filters;
  CREATE INDEX chunks_for_filters ON chunks (document, symbol_kind, written_at, embedding);
  `,

  // Every run asks for documents with old messages: those are found without a look at other chunks.
  `
  CREATE INDEX chunks_by_time ON chunks (written_at, document) WHERE written_at IS NOT NULL;
  `,
];

/** Brings the file to the newest layout, whichever process comes first; a newer file is `store-too-new`. */
export function migrate(database: DatabaseSync, path: string, steps: readonly string[] = migrations): void {
  if (layoutVersion(database, path, steps.length) === steps.length) return;
  inTransaction(database, 'immediate', () => {
    // Another process may have migrated between the look above and the lock.
    const version = layoutVersion(database, path, steps.length);
    for (const step of steps.slice(version)) database.exec(step);
    database.exec(`PRAGMA user_version = ${steps.length}`);
  });
}

/** The tables and indexes of today's layout by name, with the statement that makes each. */
export function expectedSchema(): Map<string, unknown> {
  const { DatabaseSync: Database } = loadSqlite();
  const database = new Database(':memory:');
  try {
    registerFunctions(database);
    migrate(database, ':memory:');
    const rows = database.prepare('SELECT name, sql FROM sqlite_schema').all();
    return new Map(rows.map(({ name, sql }) => [String(name), sql]));
  } finally {
    database.close();
  }
}

/** Whether every table and index of today's layout is there as it should be. */
export function hasExpectedSchema(database: DatabaseSync): boolean {
  try {
    const rows = database.prepare('SELECT name, sql FROM sqlite_schema').all();
    const found = new Map(rows.map(({ name, sql }) => [String(name), sql]));
    return [...expectedSchema()].every(([name, sql]) => found.has(name) && found.get(name) === sql);
  } catch {
    return false;
  }
}

/** Throws unless the file has today's layout: one that cannot be written cannot be brought to it. */
export function assertNewestLayout(database: DatabaseSync, path: string): void {
  if (layoutVersion(database, path, migrations.length) === migrations.length) return;
  throw new QuarryError(
    'store-unusable',
    `The index ${path} was made by an older Quarry, and may not be written to bring it up to date.`,
    'Make the file and its folder writable and run: quarry status',
  );
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
