import type { DatabaseSync } from 'node:sqlite';
import { QuarryError } from '../../../../core/errors.ts';
import { loadSqlite } from '../../../../platform/sqlite/load-sqlite.ts';
import { inTransaction } from '../../../../platform/sqlite/transaction.ts';
import { foreignIndex, previousIndex } from './foreign.ts';
import { createTextTable } from './text-table.ts';

/** The layout of the first step; files of earlier ones do not show who made them. */
const firstLayout = 6;

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
    metadata TEXT NOT NULL,
    chunks INTEGER NOT NULL,
    proof BLOB NOT NULL
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
    -- JSON; NULL where it is the lines of the span.
    place TEXT,
    -- When its message was written; NULL where it is the document's modified_at.
    written_at REAL,
    proof BLOB NOT NULL,
    embedding INTEGER NOT NULL REFERENCES embeddings (number),
    UNIQUE (document, ordinal)
  );
  CREATE INDEX chunks_by_id ON chunks (id);
  CREATE INDEX chunks_by_embedding ON chunks (embedding);
  -- Lets a filter go from documents to embeddings without touching the texts.
  CREATE INDEX chunks_for_filters ON chunks (document, symbol_kind, written_at, embedding);
  -- Every run asks for documents with old messages: those are found without a look at other chunks.
  CREATE INDEX chunks_by_time ON chunks (written_at, document) WHERE written_at IS NOT NULL;

  ${createTextTable('chunk_terms')};
  -- What the text index has behind it since its segments were last merged into one; see upkeep.
  CREATE TABLE text_upkeep (
    recipe TEXT NOT NULL,
    removed INTEGER NOT NULL,
    lingering INTEGER NOT NULL
  );
  INSERT INTO text_upkeep VALUES ('', 0, 0);

  CREATE TABLE spaces (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL,
    -- Chunks whose vector in this space is there: searches say how many lack theirs, and need not count.
    embedded INTEGER NOT NULL DEFAULT 0
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

  CREATE TABLE manifest (
    uri TEXT PRIMARY KEY,
    status TEXT NOT NULL,
    size INTEGER NOT NULL,
    modified_at REAL NOT NULL,
    content_hash TEXT NOT NULL,
    recipe TEXT NOT NULL,
    chunks INTEGER NOT NULL,
    reason TEXT,
    detail TEXT,
    proof BLOB NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL, proof BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE revision (value INTEGER NOT NULL);
  INSERT INTO revision VALUES (0);
  -- The name of this index, which every proof in it covers, and the proof of that name.
  CREATE TABLE identity (name TEXT NOT NULL, proof BLOB NOT NULL);
  `,
  `
  -- The highest fence of each lease under which somebody has written.
  CREATE TABLE fences (lease TEXT PRIMARY KEY, fence INTEGER NOT NULL) WITHOUT ROWID;
  `,
];

/** The number of the layout that these steps lead to. */
function layoutAfter(steps: readonly string[]): number {
  return firstLayout + steps.length - 1;
}

/**
 * Brings a file that `recognise` knows to the newest layout, whichever process comes first, and gives a new one its
 * identity.
 */
export function migrate(
  database: DatabaseSync,
  identify: () => void,
  steps: readonly string[] = migrations,
): void {
  if (layoutVersion(database) === layoutAfter(steps)) return;
  inTransaction(database, 'immediate', () => {
    // Another process may have migrated between the look above and the lock.
    const version = layoutVersion(database);
    const taken = Math.max(0, version - firstLayout + 1);
    for (const step of steps.slice(taken)) database.exec(step);
    database.exec(`PRAGMA user_version = ${layoutAfter(steps)}`);
    if (version === 0) identify();
  });
}

const schemas = new Map<number, ReadonlyMap<string, string>>();

/** Everything that today's layout has, or an earlier one, with the statement that makes each, by type and name. */
export function expectedSchema(version = layoutAfter(migrations)): ReadonlyMap<string, string> {
  const known = schemas.get(version);
  if (known) return known;
  const { DatabaseSync: Database } = loadSqlite();
  const database = new Database(':memory:');
  try {
    migrate(database, () => undefined, migrations.slice(0, version - firstLayout + 1));
    const schema = schemaOf(database);
    schemas.set(version, schema);
    return schema;
  } finally {
    database.close();
  }
}

/** What a file has, as `expectedSchema` gives it. */
export function schemaOf(database: DatabaseSync): ReadonlyMap<string, string> {
  const rows = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all();
  return new Map(rows.map(({ type, name, tbl_name, sql }) => [`${type} ${name}`, `${tbl_name}: ${sql}`]));
}

/** Whether everything of today's layout is there as it should be. */
export function hasExpectedSchema(database: DatabaseSync): boolean {
  try {
    const found = schemaOf(database);
    return [...expectedSchema()].every(([name, sql]) => found.get(name) === sql);
  } catch {
    // A file whose layout cannot be read does not have it.
    return false;
  }
}

/**
 * Throws `store-foreign` unless everything in the file is of a layout of ours: a trigger or a view that somebody else put
 * there would act whenever the file is used. A part that is missing is damage. Undefined for a new file, which has nothing.
 */
export function recogniseLayout(database: DatabaseSync, path: string): number | undefined {
  const version = layoutVersion(database);
  const found = schemaOf(database);
  if (version === 0 && found.size === 0) return undefined;
  if (version === 0) throw foreignIndex(path, 'it is a database of another program');
  if (version < firstLayout) throw previousIndex(path);
  const newest = layoutAfter(migrations);
  const expected = expectedSchema(Math.min(version, newest));
  // Of a newer layout only the table is known that says who made it.
  const known = version > newest ? [] : [...found.keys()];
  for (const name of ['table identity', ...known])
    if (expected.get(name) !== found.get(name)) throw foreignIndex(path, `its ${name} is not ours`);
  return version;
}

/** Throws `store-too-new` for a layout that a newer Quarry has made. */
export function assertKnownLayout(version: number, path: string): void {
  const newest = layoutAfter(migrations);
  if (version <= newest) return;
  throw new QuarryError(
    'store-too-new',
    `The index ${path} has layout ${version}; this Quarry knows layouts up to ${newest}.`,
    'Update Quarry, or delete the index file and run: quarry index --full',
  );
}

function layoutVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}
