import type { Connection } from '../file/connection.ts';
import type { Row } from '../layout/rows.ts';
import { type QuantisedVector, signedBytes } from './quantise.ts';
import type { Space } from './vectors.ts';

/** A vector as it stands in the file. */
export interface StoredVector extends QuantisedVector {
  readonly number: number;
  readonly embedding: number;
}

const rowsAtOnce = 1024;

/** The highest number of a vector in any space: a reader that has seen it need not walk through other spaces again. */
export function lastVectorOf(connection: Connection): number {
  return Number(connection.get('SELECT max(number) AS last FROM vectors')?.last ?? 0);
}

/**
 * The vectors of a space after a number, by rising number; each is valid until the next one is taken. A thousand rows
 * come out of SQLite as one: three times as fast as row by row, which is what opening a large index waits for.
 */
export function* readVectors(
  connection: Connection,
  { number: space, dimensions }: Space,
  after: number,
): Generator<StoredVector> {
  for (let last = after; ; ) {
    const batch = connection.get(batchQuery, last, space, rowsAtOnce);
    const count = Number(batch?.count);
    if (!batch || count === 0) return;
    const upTo = Number(batch.last);
    // A damaged row may be of any length, and would move all that follow it.
    const isSound = batch.shortest === dimensions && batch.longest === dimensions;
    if (isSound && signedBytes(batch.components).length === count * dimensions)
      yield* unpack(batch, dimensions);
    else yield* rowByRow(connection, space, last, upTo);
    last = upTo;
  }
}

// The plus keeps SQLite from walking through the whole space: new rows stand at the end of the table. Text is nothing
// but bytes to SQLite, so that blobs can be joined as text.
const batchQuery = `
  SELECT count(*) AS count, max(number) AS last, min(length(components)) AS shortest, max(length(components)) AS longest,
    json_group_array(number) AS numbers, json_group_array(embedding) AS embeddings,
    group_concat(format('%!.17g', scale), ',') AS scales,
    CAST(group_concat(CAST(components AS TEXT), '') AS BLOB) AS components
  FROM (SELECT number, embedding, scale, components FROM vectors
    WHERE number > ? AND +space = ? ORDER BY number LIMIT ?)`;

function* unpack(batch: Row, dimensions: number): Generator<StoredVector> {
  const numbers: number[] = JSON.parse(String(batch.numbers));
  const embeddings: number[] = JSON.parse(String(batch.embeddings));
  const scales = String(batch.scales).split(',');
  const bytes = signedBytes(batch.components);
  for (const [place, number] of numbers.entries()) {
    yield {
      number,
      embedding: Number(embeddings[place]),
      scale: Number(scales[place]),
      components: bytes.subarray(place * dimensions, (place + 1) * dimensions),
    };
  }
}

function* rowByRow(
  connection: Connection,
  space: number,
  after: number,
  upTo: number,
): Generator<StoredVector> {
  const rows = connection.all(
    `SELECT number, embedding, scale, components FROM vectors
     WHERE number > ? AND number <= ? AND +space = ? ORDER BY number`,
    after,
    upTo,
    space,
  );
  for (const { number, embedding, scale, components } of rows) {
    yield {
      number: Number(number),
      embedding: Number(embedding),
      scale: Number(scale),
      components: signedBytes(components),
    };
  }
}
