import { createHash } from 'node:crypto';
import type { StoreDefect } from '../../../../contracts/store.ts';
import type { Connection } from '../file/connection.ts';
import { createTextTable, fillTextTable } from '../layout/text-table.ts';

/** What looking at an index gives, piece by piece: a defect, or nothing yet, so that other work gets its turn. */
export type Inspection = Generator<StoreDefect | undefined>;

/** Chunks that are indexed before other work gets its turn. */
const rowsPerStep = 256;

/** What is compared: the length of each row, how many rows and words there are, and where each word stands. */
const parts: readonly ((schema: string, table: string) => string)[] = [
  (schema, table) => `SELECT id, sz FROM ${schema}.${table}_docsize ORDER BY id`,
  // Nothing at all is written as no bytes where nothing ever was, and as zeros where everything is gone.
  (schema, table) => `SELECT rtrim(hex(block), '0') AS totals FROM ${schema}.${table}_data WHERE id = 1`,
  (
    _,
    table,
  ) => `SELECT CAST(term AS BLOB) AS word, count(*) AS count, sum((doc * 1000003 + offset * 8191 + CASE col
      WHEN 'body' THEN 1 WHEN 'heading' THEN 2 WHEN 'path' THEN 3 ELSE 4 END) % 1000000007) AS places
    FROM temp.${table}_words GROUP BY term ORDER BY term`,
];

/**
 * The whole text index against the chunks: their words are indexed again, into a table that lives in SQLite's temporary
 * files as long as the connection, and both are compared.
 */
export function* checkWords(connection: Connection): Inspection {
  try {
    connection.execute(`
      ${createTextTable('temp.expected_terms')};
      CREATE VIRTUAL TABLE temp.expected_terms_words USING fts5vocab(temp, expected_terms, instance);
      CREATE VIRTUAL TABLE temp.chunk_terms_words USING fts5vocab(main, chunk_terms, instance);`);
    yield* fillExpected(connection);
    for (const part of parts) {
      const stored = yield* digestOf(connection, part('main', 'chunk_terms'));
      if (stored === (yield* digestOf(connection, part('temp', 'expected_terms')))) continue;
      yield { kind: 'text', detail: 'The text index does not hold the words of the chunks.' };
      return;
    }
  } finally {
    for (const table of ['chunk_terms_words', 'expected_terms_words', 'expected_terms'])
      connection.execute(`DROP TABLE IF EXISTS temp.${table}`);
  }
}

function* fillExpected(connection: Connection): Generator<undefined> {
  const statement = `${fillTextTable('temp.expected_terms')} WHERE c.number > ? AND c.number <= ?`;
  const step =
    'SELECT max(number) AS last FROM (SELECT number FROM chunks WHERE number > ? ORDER BY 1 LIMIT ?)';
  for (let last = -1; ; ) {
    const next = connection.get(step, last, rowsPerStep)?.last;
    if (typeof next !== 'number') break;
    connection.run(statement, last, next);
    last = next;
    yield undefined;
  }
  // Makes FTS5 write out what it has gathered, its totals included.
  connection.execute('SAVEPOINT gathered; RELEASE gathered');
}

/** One text for all rows of a statement. */
function* digestOf(connection: Connection, sql: string): Generator<undefined, string> {
  const digest = createHash('sha256');
  for (const row of connection.each(sql)) {
    for (const value of Object.values(row)) digest.update(value instanceof Uint8Array ? value : `|${value}|`);
    yield undefined;
  }
  return digest.digest('hex');
}
