import type { DatabaseSync } from 'node:sqlite';
import { loadSqlite } from '../../platform/sqlite/load-sqlite.ts';

/** The number of this layout. A file of another one is rebuilt: all of it comes from the files of the project. */
export const layout = 3;

// - A name is written once, and found by one look; the mentions of all names in a file share its row, since a row for each took
//   twice as much for keys as for what it held.
// - A name that a file gives what it imports leads from the one to the other.
// - Imports and chains are compressed, since they say the same paths again and again, and where a definition stands is packed as small numbers.
// - What is known of a definition besides its name is only read with it.
// - What a compiler has understood stands for itself, by paths: it is replaced as a whole, whichever files have changed meanwhile.
const statements = `
  CREATE TABLE identity (name TEXT NOT NULL, proof BLOB NOT NULL);
  CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uri TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL,
    recipe TEXT NOT NULL,
    language TEXT NOT NULL,
    stem TEXT NOT NULL,
    folder TEXT NOT NULL,
    further BLOB NOT NULL,
    gap TEXT,
    mentions BLOB NOT NULL
  );
  CREATE INDEX documents_by_stem ON documents (stem);
  CREATE INDEX documents_by_folder ON documents (folder);
  CREATE TABLE names (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);
  CREATE TABLE definitions (
    document INTEGER NOT NULL,
    position INTEGER NOT NULL,
    name INTEGER NOT NULL,
    detail BLOB NOT NULL,
    PRIMARY KEY (document, position)
  ) WITHOUT ROWID;
  CREATE INDEX definitions_by_name ON definitions (name);
  CREATE TABLE mentions (
    name INTEGER NOT NULL,
    document INTEGER NOT NULL,
    PRIMARY KEY (name, document)
  ) WITHOUT ROWID;
  CREATE TABLE aliases (
    name TEXT NOT NULL,
    local TEXT NOT NULL,
    document INTEGER NOT NULL,
    PRIMARY KEY (name, local, document)
  ) WITHOUT ROWID;
  CREATE INDEX aliases_by_document ON aliases (document);
  CREATE TABLE compiled (stamp TEXT NOT NULL, gap TEXT);
  CREATE TABLE compiled_files (id INTEGER PRIMARY KEY, uri TEXT NOT NULL UNIQUE, mentions BLOB NOT NULL);
  CREATE TABLE compiled_definitions (
    symbol INTEGER NOT NULL,
    file INTEGER NOT NULL,
    line INTEGER NOT NULL,
    PRIMARY KEY (symbol, file, line)
  ) WITHOUT ROWID;
`;

/** Makes an empty file one of today's layout. */
export function makeLayout(database: DatabaseSync): void {
  database.exec(statements);
  database.exec(`PRAGMA user_version = ${layout}`);
}

let expected: ReadonlyMap<string, string> | undefined;

/** Whether a file has exactly what this layout has: anything else in it might act when it is used. */
export function hasLayout(database: DatabaseSync): boolean {
  expected ??= schemaOfNew();
  const found = schemaOf(database);
  return found.size === expected.size && [...expected].every(([name, sql]) => found.get(name) === sql);
}

/** Whether there is nothing in a file yet. */
export function isNew(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
}

function schemaOfNew(): ReadonlyMap<string, string> {
  const { DatabaseSync: Database } = loadSqlite();
  const database = new Database(':memory:');
  try {
    makeLayout(database);
    return schemaOf(database);
  } finally {
    database.close();
  }
}

function schemaOf(database: DatabaseSync): ReadonlyMap<string, string> {
  const rows = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema LIMIT 100').all();
  return new Map(rows.map(({ type, name, tbl_name, sql }) => [`${type} ${name}`, `${tbl_name}: ${sql}`]));
}
