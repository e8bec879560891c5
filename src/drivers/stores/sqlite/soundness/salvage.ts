import { existsSync, rmSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { QuarryError } from '../../../../core/errors.ts';
import { loadSqlite } from '../../../../platform/sqlite/load-sqlite.ts';
import { isBusy, resultCode } from '../../../../platform/sqlite/result-code.ts';
import { Connection } from '../file/connection.ts';
import { storeFailure } from '../file/failures.ts';
import { fileGone } from '../file/file-identity.ts';
import { inMemory, mayWrite } from '../file/open-database.ts';
import type { Row } from '../layout/rows.ts';
import { countEmbedded } from '../layout/schema.ts';
import { textRenewal } from '../layout/text-table.ts';
import { inTurns, rowsPerStep } from './steps.ts';

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

/** Pages that are written at once: fewer than the emptiest index has, so that there is always a moment in between. */
const pagesPerStep = 16;
/** Milliseconds in which the first of them are surely under way. */
const headStart = 5;
/** Attempts to put the copy in place, each after a change of somebody else; the rows are copied again for it. */
const mostAttempts = 10;

/**
 * Copies every row that can be read into a new file with sound pages and indexes, and puts its content in place of
 * the old one in a single transaction: other processes see the old file or the new one. They cannot write while the
 * rows are copied, and what they commit before the copy is in place is part of it.
 */
export async function salvage(connection: Connection, signal?: AbortSignal): Promise<void> {
  const from = connection.sibling();
  if (!from) throw connection.path === inMemory ? beyondMending(connection.path) : fileGone(connection.path);
  try {
    await replaceByCopy(from, signal);
    // SQLite looks for another layout only when a statement runs: one that is merely prepared, as the next ones are,
    // would be judged by the damaged layout that it has in mind.
    connection.get('SELECT count(*) AS count FROM sqlite_schema');
  } finally {
    from.close();
    removeMended(connection.path);
  }
}

async function replaceByCopy(from: Connection, signal: AbortSignal | undefined): Promise<void> {
  let copied: number | undefined;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    await holdStill(from);
    const version = dataVersion(from);
    if (version !== copied) await copyAll(from, signal);
    copied = version;
    if (await overwrite(from, version)) return;
  }
  throw changedMeanwhile(from.path);
}

/** Keeps others from writing; where the damage does not allow that, at least one state in sight. */
async function holdStill(from: Connection): Promise<void> {
  try {
    await from.holdAlone();
  } catch (error) {
    if (error instanceof QuarryError && error.code === 'store-busy') throw error;
    from.hold();
  }
}

async function copyAll(from: Connection, signal: AbortSignal | undefined): Promise<void> {
  removeMended(from.path);
  const to = new Connection(mendedPath(from.path));
  try {
    for await (const _ of inTurns(copyRows(from, to), signal));
  } finally {
    to.close();
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

function changedMeanwhile(path: string): QuarryError {
  return new QuarryError(
    'store-busy',
    `Other processes keep changing the index ${path} while it is mended.`,
    'Stop them, then run: quarry repair',
  );
}

function* copyRows(from: Connection, to: Connection): Iterable<undefined> {
  // References may lead to rows that could not be read; the next look at the rows takes care of that.
  to.execute('PRAGMA foreign_keys = OFF');
  to.execute('BEGIN');
  for (const [table, key] of Object.entries(tables)) {
    // From both ends towards the page that cannot be read.
    const isWhole = yield* copyTable(from, to, table, `${key} ASC`);
    if (!isWhole) yield* copyTable(from, to, table, `${key} DESC`);
  }
  keepNumbersRising(from, to);
  to.execute(countEmbedded);
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
function readNumber(connection: Connection, sql: string, column = 'value'): number {
  try {
    const value = Number(connection.get(sql)?.[column]);
    return Number.isSafeInteger(value) ? value : 0;
  } catch {
    return 0;
  }
}

/** A number that is another one after each change by somebody else, however damaged the file is. */
function dataVersion(from: Connection): number {
  return readNumber(from, 'PRAGMA data_version', 'data_version');
}

/** Puts the copy in place of the file that is held, unless somebody changes that first; whether it did. */
async function overwrite(from: Connection, version: number): Promise<boolean> {
  const { backup } = loadSqlite();
  const source = openCopy(from.path);
  let isChanged = false;
  let isReplaced = false;
  // Called when a part is written, and nobody else can write any more: what throws here takes all of it back.
  const progress = () => {
    // It writes to whatever has the name, which the copy may not be of.
    isReplaced = from.fileState() !== 'same';
    if (isReplaced) throw fileGone(from.path);
    isChanged = dataVersion(from) !== version;
    if (isChanged) throw changedMeanwhile(from.path);
  };
  try {
    from.release();
    if (from.fileState() !== 'same') throw fileGone(from.path);
    const writing = backup(source, from.path, { rate: pagesPerStep, progress });
    // It writes in a thread: other writers of this process must not be there before it.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, headStart);
    await writing;
    return true;
  } catch (error) {
    if (isReplaced) throw fileGone(from.path);
    // Node.js gives the code of success where somebody else was writing when the copy should have been.
    if (isChanged || isBusy(error) || resultCode(error) === 0) return false;
    throw storeFailure(error, from.path, { mayWrite: () => mayWrite(from.path) });
  } finally {
    source.close();
  }
}

/** The copy as it stands: one that is gone is not created, and empty, by opening it. */
function openCopy(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  try {
    return new DatabaseSync(mendedPath(path), { readOnly: true });
  } catch (error) {
    throw storeFailure(error, mendedPath(path));
  }
}

/** Where the sound copy of a damaged index stands while it is made. The process that makes it keeps others from writing. */
export function mendedPath(database: string): string {
  return `${database}.mended`;
}

/** Removes the copy and what SQLite had beside it; what somebody has open on Windows stays. */
export function removeMended(database: string): void {
  const path = mendedPath(database);
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) {
    try {
      rmSync(file, { force: true });
    } catch {}
  }
}

/** Removes the copy that a killed process left: while this one may write, nobody is making it. */
export async function removeLeftMended(connection: Connection, patience: number): Promise<void> {
  if (connection.path === inMemory || !existsSync(mendedPath(connection.path))) return;
  await connection.maintain(() => removeMended(connection.path), patience);
}
