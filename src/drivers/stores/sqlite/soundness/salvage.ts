import { rm } from 'node:fs/promises';
import type { SQLInputValue } from 'node:sqlite';
import { QuarryError } from '../../../../core/errors.ts';
import { loadSqlite } from '../../../../platform/load-sqlite.ts';
import { Connection, type Row } from '../connection.ts';
import { storeFailure } from '../failures.ts';
import { mayWrite } from '../open-database.ts';
import { textRenewal } from '../text-upkeep.ts';
import { rowsPerStep } from './step.ts';
import { inTurns } from './turns.ts';

/** The tables that hold what cannot be computed from others, with the column they are ordered by. */
const tables = {
  documents: 'number',
  embeddings: 'number',
  chunks: 'number',
  spaces: 'number',
  vectors: 'number',
  manifest: 'uri',
  facts: 'name',
} as const;

/**
 * Copies every row that can be read into a new file with sound pages and indexes, and puts its content in place of
 * the old one in a single transaction: other processes see the old file or the new one.
 */
export async function salvage(connection: Connection, signal?: AbortSignal): Promise<void> {
  const from = connection.sibling();
  if (!from) throw beyondMending(connection.path);
  const mended = `${connection.path}.mended`;
  try {
    await removeFile(mended);
    const to = new Connection(mended);
    try {
      for await (const _ of inTurns(copyRows(from, to), signal));
    } finally {
      to.close();
    }
    await overwrite(connection.path, mended);
    // SQLite looks for another layout only when a statement runs: one that is merely prepared, as the next ones are,
    // would be judged by the damaged layout that it has in mind.
    connection.get('SELECT count(*) AS count FROM sqlite_schema');
  } finally {
    from.close();
    await removeFile(mended);
  }
}

/** The error for an index of which nothing can be saved. */
export function beyondMending(path: string): QuarryError {
  return new QuarryError(
    'store-corrupt',
    `The index ${path} is damaged beyond mending.`,
    'Run: quarry repair',
  );
}

function* copyRows(from: Connection, to: Connection): Iterable<undefined> {
  // References may lead to rows that could not be read; whoever looks at the rows next takes care of that.
  to.execute('PRAGMA foreign_keys = OFF');
  to.execute('BEGIN');
  from.hold();
  for (const [table, key] of Object.entries(tables)) {
    // From both ends towards the page that cannot be read.
    const isWhole = yield* copyTable(from, to, table, `${key} ASC`);
    if (!isWhole) yield* copyTable(from, to, table, `${key} DESC`);
  }
  keepNumbersRising(from, to);
  to.execute(textRenewal());
  to.execute('COMMIT');
}

/** Whether the table could be read to its end. */
function* copyTable(
  from: Connection,
  to: Connection,
  table: string,
  order: string,
): Generator<undefined, boolean> {
  try {
    let copied = 0;
    for (const row of from.each(`SELECT * FROM ${table} NOT INDEXED ORDER BY ${order}`)) {
      insertRow(to, table, row);
      copied += 1;
      if (copied % rowsPerStep === 0) yield undefined;
    }
    return true;
  } catch (thrown) {
    if (storeFailure(thrown, from.path) === thrown) throw thrown;
    return false;
  }
}

function insertRow(to: Connection, table: string, row: Row): void {
  const columns = Object.keys(row);
  const places = columns.map(() => '?').join(', ');
  // The values come from SQLite and go back to it.
  const values = Object.values(row) as SQLInputValue[];
  to.run(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${places})`, ...values);
}

/** Other processes find what is new by numbers that only grow: those of lost rows must not be given again. */
function keepNumbersRising(from: Connection, to: Connection): void {
  const revision = readNumber(from, 'SELECT max(value) AS value FROM revision');
  to.run('UPDATE revision SET value = ?', revision + 1);
  const vector = readNumber(from, "SELECT max(seq) AS value FROM sqlite_sequence WHERE name = 'vectors'");
  const known = readNumber(to, "SELECT max(seq) AS value FROM sqlite_sequence WHERE name = 'vectors'");
  to.run("DELETE FROM sqlite_sequence WHERE name = 'vectors'");
  to.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('vectors', ?)", Math.max(vector, known));
}

/** The number, or 0 where it is damaged too. */
function readNumber(connection: Connection, sql: string): number {
  try {
    const value = Number(connection.get(sql)?.value);
    return Number.isSafeInteger(value) ? value : 0;
  } catch {
    return 0;
  }
}

async function overwrite(path: string, mended: string): Promise<void> {
  const { DatabaseSync, backup } = loadSqlite();
  const source = new DatabaseSync(mended);
  try {
    await backup(source, path);
  } catch (error) {
    throw storeFailure(error, path, { mayWrite: () => mayWrite(path) });
  } finally {
    source.close();
  }
}

async function removeFile(path: string): Promise<void> {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) await rm(file, { force: true });
}
