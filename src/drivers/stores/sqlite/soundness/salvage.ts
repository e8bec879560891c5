import type { SQLInputValue } from 'node:sqlite';
import { QuarryError } from '../../../../core/errors.ts';
import type { Row } from '../../sql-rows.ts';
import type { Connection } from '../file/connection.ts';
import { storeFailure } from '../file/failures.ts';
import { fileGone } from '../file/file-identity.ts';
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

/**
 * Copies every row that can be read into an empty index with sound pages. Nobody can write the damaged one until the
 * connection that comes back is closed: what was committed before is part of the copy.
 */
export async function salvage(
  connection: Connection,
  candidate: Connection,
  signal?: AbortSignal,
): Promise<Connection> {
  const from = connection.sibling();
  if (!from) throw fileGone(connection.path);
  try {
    await holdStill(from);
    for await (const _ of inTurns(copyRows(from, candidate), signal));
    return from;
  } catch (error) {
    candidate.release();
    from.close();
    throw error;
  }
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

function* copyRows(from: Connection, to: Connection): Iterable<undefined> {
  // References may lead to rows that could not be read; the next look at the rows takes care of that.
  to.execute('PRAGMA foreign_keys = OFF');
  to.execute('BEGIN');
  to.takeIdentity(from);
  for (const [table, key] of Object.entries(tables)) {
    // From both ends towards the page that cannot be read.
    const isWhole = yield* copyTable(from, to, table, `${key} ASC`);
    if (!isWhole) yield* copyTable(from, to, table, `${key} DESC`);
  }
  keepNumbersRising(from, to);
  to.execute(countEmbedded);
  to.execute(textRenewal());
  to.execute('COMMIT');
  to.execute('PRAGMA foreign_keys = ON');
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
    // It is damaged too.
    return 0;
  }
}
