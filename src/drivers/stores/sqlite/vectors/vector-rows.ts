import type { SQLInputValue } from 'node:sqlite';
import type { Row } from '../../sql-rows.ts';
import type { Connection } from '../file/connection.ts';
import { type QuantisedVector, signedBytes } from './quantise.ts';
import type { Space } from './vectors.ts';

/** A vector as it stands in the file. */
export interface StoredVector extends QuantisedVector {
  readonly number: number;
  readonly embedding: number;
}

/** Rows that come out of SQLite as one: three times as fast as row by row, which is what a large search waits for. */
const rowsAtOnce = 1024;

/** The highest number of a vector in any space: a reader that has seen it need not walk through other spaces again. */
export function lastVectorOf(connection: Connection): number {
  return Number(connection.get('SELECT max(number) AS last FROM vectors')?.last ?? 0);
}

/** The vectors of a space after a number, by rising number; each is valid until the next one is taken. */
export function* readVectors(connection: Connection, space: Space, after: number): Generator<StoredVector> {
  // The plus keeps SQLite from walking through the whole space: new rows stand at the end of the table.
  const source = `SELECT number, embedding, scale, components FROM vectors
    WHERE number > ? AND +space = ? ORDER BY number LIMIT ?`;
  for (let last = after; ; ) {
    const batch = readBatch(connection, source, last, space.number, rowsAtOnce);
    if (!batch) return;
    yield* unpack(connection, batch, space.dimensions);
    last = Number(batch.joined.last);
  }
}

/**
 * The vectors of a space that have one of these values in a column; each is valid until the next one is taken. A condition
 * over `v` may follow.
 */
export function* readVectorsBy(
  connection: Connection,
  { number: space, dimensions }: Space,
  column: 'number' | 'embedding',
  values: readonly number[],
  condition: { readonly sql: string; readonly parameters: readonly SQLInputValue[] } = {
    sql: '',
    parameters: [],
  },
): Generator<StoredVector> {
  const source = `SELECT v.number, v.embedding, v.scale, v.components
    FROM json_each(?) wanted CROSS JOIN vectors v ON v.${column} = wanted.value
    WHERE v.space = ? ${condition.sql}`;
  for (let start = 0; start < values.length; start += rowsAtOnce) {
    const wanted = JSON.stringify(values.slice(start, start + rowsAtOnce));
    const batch = readBatch(connection, source, wanted, space, ...condition.parameters);
    if (batch) yield* unpack(connection, batch, dimensions);
  }
}

/** Rows of a statement, joined into one, and the statement that has them one by one. */
interface Batch {
  readonly joined: Row;
  readonly source: string;
  readonly parameters: readonly SQLInputValue[];
}

function readBatch(
  connection: Connection,
  source: string,
  ...parameters: SQLInputValue[]
): Batch | undefined {
  // Text is nothing but bytes to SQLite, so that blobs can be joined as text.
  const joined = connection.get(
    `SELECT count(*) AS count, max(number) AS last, min(length(components)) AS shortest,
       max(length(components)) AS longest, json_group_array(number) AS numbers,
       json_group_array(embedding) AS embeddings, group_concat(format('%!.17g', scale), ',') AS scales,
       CAST(group_concat(CAST(components AS TEXT), '') AS BLOB) AS components
     FROM (${source})`,
    ...parameters,
  );
  return joined && Number(joined.count) > 0 ? { joined, source, parameters } : undefined;
}

function* unpack(connection: Connection, batch: Batch, dimensions: number): Generator<StoredVector> {
  const { joined, source, parameters } = batch;
  const bytes = signedBytes(joined.components);
  // A damaged row may be of any length, and would move all that follow it.
  const isSound =
    joined.shortest === dimensions &&
    joined.longest === dimensions &&
    bytes.length === Number(joined.count) * dimensions;
  if (!isSound) return yield* connection.all(source, ...parameters).map(readVector);
  const numbers: number[] = JSON.parse(String(joined.numbers));
  const embeddings: number[] = JSON.parse(String(joined.embeddings));
  const scales = String(joined.scales).split(',');
  for (const [place, number] of numbers.entries()) {
    yield {
      number,
      embedding: Number(embeddings[place]),
      scale: Number(scales[place]),
      components: bytes.subarray(place * dimensions, (place + 1) * dimensions),
    };
  }
}

function readVector({ number, embedding, scale, components }: Row): StoredVector {
  return {
    number: Number(number),
    embedding: Number(embedding),
    scale: Number(scale),
    components: signedBytes(components),
  };
}
