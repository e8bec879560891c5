import type { Row } from '../../sql-rows.ts';
import type { Connection } from '../file/connection.ts';
import { createTextTable, fillTextTable } from '../layout/text-table.ts';
import { type Inspection, textFinding } from './finding.ts';
import { rising, rowsPerStep } from './steps.ts';

/**
 * The whole text index against the chunks: the words of all chunks are indexed again, into a table that lives in
 * SQLite's temporary files as long as the connection, and both are compared word by word.
 */
export function* inspectText(connection: Connection): Inspection {
  const found = [...inspectRows(connection)];
  yield* found;
  if (found.length > 0) return;
  try {
    connection.execute(`
      ${createTextTable('temp.expected_terms')};
      CREATE VIRTUAL TABLE temp.expected_words USING fts5vocab(temp, expected_terms, instance);
      CREATE VIRTUAL TABLE temp.stored_words USING fts5vocab(main, chunk_terms, instance);`);
    yield* fillExpected(connection);
    yield* compareLengths(connection);
    yield* compareWords(connection);
  } finally {
    for (const table of ['stored_words', 'expected_words', 'expected_terms']) {
      connection.execute(`DROP TABLE IF EXISTS temp.${table}`);
    }
  }
}

function* inspectRows(connection: Connection): Inspection {
  const missing = countOf(
    connection,
    'SELECT count(*) AS count FROM chunks WHERE number NOT IN (SELECT id FROM chunk_terms_docsize)',
  );
  if (missing > 0) yield textFinding(`${missing} chunks cannot be found by their words.`);
  const extra = countOf(
    connection,
    'SELECT count(*) AS count FROM chunk_terms_docsize WHERE id NOT IN (SELECT number FROM chunks)',
  );
  if (extra > 0) yield textFinding(`${extra} rows of the text index belong to no chunk.`);
}

function* fillExpected(connection: Connection): Inspection {
  const statement = `${fillTextTable('temp.expected_terms')} WHERE c.number > ? AND c.number <= ?`;
  for (let last = -1; ; ) {
    const upTo = connection.get(
      'SELECT max(number) AS last FROM (SELECT number FROM chunks WHERE number > ? ORDER BY number LIMIT ?)',
      last,
      rowsPerStep,
    )?.last;
    if (upTo === null || upTo === undefined) break;
    connection.run(statement, last, Number(upTo));
    last = rising(last, upTo);
    yield undefined;
  }
  // Makes FTS5 write out what it has gathered, its totals included.
  connection.execute('SAVEPOINT gathered; RELEASE gathered');
}

function* compareLengths(connection: Connection): Inspection {
  const wrong = countOf(
    connection,
    `SELECT count(*) AS count FROM main.chunk_terms_docsize stored
     JOIN temp.expected_terms_docsize expected ON expected.id = stored.id WHERE expected.sz <> stored.sz`,
  );
  if (wrong > 0) yield textFinding(`The text index has another length for ${wrong} chunks.`);
  // Nothing at all is written as no bytes where nothing ever was, and as zeros where everything is gone.
  const totals = connection.get(
    `SELECT stored.block = expected.block OR trim(hex(stored.block) || hex(expected.block), '0') = '' AS same
     FROM main.chunk_terms_data stored
     JOIN temp.expected_terms_data expected ON expected.id = stored.id WHERE stored.id = 1`,
  );
  if (totals?.same !== 1) yield textFinding('The text index counts its rows or words wrongly.');
}

// One number for all places where a word stands. The order is that of the words' bytes, in both tables.
const wordDigests = (table: string): string => `
  SELECT CAST(term AS BLOB) AS word, count(*) AS count, sum((doc * 1000003 + offset * 8191 + CASE col
    WHEN 'body' THEN 1 WHEN 'heading' THEN 2 WHEN 'path' THEN 3 ELSE 4 END) % 1000000007) AS digest
  FROM temp.${table} GROUP BY term ORDER BY term`;

function* compareWords(connection: Connection): Inspection {
  const stored = connection.each(wordDigests('stored_words'));
  const expected = connection.each(wordDigests('expected_words'));
  let differing = 0;
  let first: string | undefined;
  try {
    let [one, other] = [stored.next(), expected.next()];
    while (!one.done || !other.done) {
      const order = wordOrder(one.done ? undefined : one.value, other.done ? undefined : other.value);
      if (order !== 0 || one.value.count !== other.value.count || one.value.digest !== other.value.digest) {
        differing += 1;
        first ??= wordOf(order <= 0 ? one.value : other.value);
      }
      if (order <= 0) one = stored.next();
      if (order >= 0) other = expected.next();
      yield undefined;
    }
  } finally {
    // A statement that is still open would keep the tables from going.
    stored.return(undefined);
    expected.return(undefined);
  }
  if (differing > 0) yield textFinding(`${differing} words do not stand where they should, first: ${first}.`);
}

/** Which of two rows comes first; a side that has ended comes last. */
function wordOrder(one: Row | undefined, other: Row | undefined): number {
  if (!one || !other) return one ? -1 : 1;
  return Buffer.compare(bytesOf(one), bytesOf(other));
}

function wordOf(row: Row): string {
  return JSON.stringify(Buffer.from(bytesOf(row)).toString('utf8'));
}

function bytesOf({ word }: Row): Uint8Array {
  return word instanceof Uint8Array ? word : new Uint8Array();
}

function countOf(connection: Connection, sql: string): number {
  return Number(connection.get(sql)?.count);
}
