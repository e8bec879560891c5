import { expect, test } from 'vitest';
import { Connection } from '../file/connection.ts';
import { corpus } from '../graph/corpus.fixture.ts';
import { tamper } from '../soundness/library.fixture.ts';
import { readVectors, readVectorsBy } from './vector-rows.ts';

const space = { number: 1, dimensions: 8 };

interface PlainRow {
  readonly number: number;
  readonly embedding: number;
  readonly components: readonly number[];
}

function rowsOf(connection: Connection, after = 0): PlainRow[] {
  return connection
    .all('SELECT number, embedding, scale, components FROM vectors WHERE number > ? ORDER BY number', after)
    .map(({ components, ...row }) => ({
      ...row,
      number: Number(row.number),
      embedding: Number(row.embedding),
      components: [...new Int8Array(components instanceof Uint8Array ? components : [])],
    }));
}

function read(connection: Connection, after = 0) {
  return [...readVectors(connection, space, after)].map(({ components, ...row }) => ({
    ...row,
    components: [...components],
  }));
}

test('vectors that are read many at a time are those of the rows, bit for bit', async () => {
  const { connection, path } = await corpus(110, 8);
  connection.close();
  // Bytes that would end a text, and such that are no text at all.
  tamper(path, "UPDATE vectors SET components = x'0000ff80c3c3fe00' WHERE number % 7 = 0");
  const again = new Connection(path);
  const expected = rowsOf(again);
  expect(expected).toHaveLength(2200);
  expect(read(again)).toEqual(expected);
  expect(read(again, 2100)).toEqual(rowsOf(again, 2100));
  expect(read(again, 2200)).toEqual([]);
  again.close();
});

test('a row of another length leaves the others as they are', async () => {
  const { connection, path } = await corpus(10, 8);
  connection.close();
  tamper(path, "UPDATE vectors SET components = x'0102' WHERE number = 50");
  tamper(path, "UPDATE vectors SET components = 'text' WHERE number = 60");
  const again = new Connection(path);
  expect(read(again)).toEqual(rowsOf(again));
  again.close();
});

test('vectors are read by their numbers or those of their embeddings, damaged ones too, and others are left out', async () => {
  const { connection, path } = await corpus(110, 8);
  connection.close();
  tamper(path, "UPDATE vectors SET components = x'0102' WHERE number = 1500");
  const again = new Connection(path);
  const rows = rowsOf(again);
  const wanted = rows.filter(({ number }) => number % 2 === 0);
  for (const column of ['number', 'embedding'] as const) {
    const values = wanted.map((row) => row[column]);
    const found = [...readVectorsBy(again, space, column, [...values, 1_000_000])];
    expect(found.map(({ components, ...row }) => ({ ...row, components: [...components] }))).toEqual(wanted);
    const none = { sql: 'AND v.number < ?', parameters: [0] };
    expect([...readVectorsBy(again, space, column, values, none)]).toEqual([]);
  }
  again.close();
});
