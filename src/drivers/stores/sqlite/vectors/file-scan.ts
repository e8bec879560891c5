import type { Connection } from '../file/connection.ts';
import { BestEntries } from './best.ts';
import type { Neighbour } from './matrix.ts';
import { RowBlock } from './row-block.ts';
import type { VectorQuery } from './vector-query.ts';
import { readVectors, readVectorsBy, type StoredVector } from './vector-rows.ts';
import type { Space } from './vectors.ts';

/** Vectors that are scored together. */
const rowsAtOnce = 1024;
const rowNumbers = Int32Array.from({ length: rowsAtOnce }, (_, row) => row);
/** Where vectors wait for their score, by their length. A search keeps nothing there, and ends before the next begins. */
const blocks = new Map<number, RowBlock>();

/**
 * Exact search that reads the vectors from the file, one after the other: a few microseconds for each that is admitted,
 * and little memory. Right for the few vectors that a narrow filter leaves, and for what fits no memory.
 */
export function scanFile(connection: Connection, space: Space, query: VectorQuery): Neighbour[] {
  const admitted = admittedEmbeddings(connection, query);
  return admitted
    ? scoreEmbeddings(connection, space, query, admitted)
    : bestOf(readVectors(connection, space, 0), space, query, query.limit);
}

/** Exact search among these embeddings. */
export function scoreEmbeddings(
  connection: Connection,
  space: Space,
  query: VectorQuery,
  embeddings: readonly number[],
): Neighbour[] {
  // Rising, so that the file is walked in one direction.
  const wanted = [...Float64Array.from(new Set(embeddings)).sort()];
  return bestOf(readVectorsBy(connection, space, 'embedding', wanted), space, query, query.limit);
}

/** Scores the vectors with these numbers as the file has them; those that are gone or not admitted are left out. */
export function scoreVectors(
  connection: Connection,
  space: Space,
  query: VectorQuery,
  numbers: readonly number[],
): Neighbour[] {
  const { sql, parameters } = query.condition;
  const admitted = {
    sql: sql === '' ? '' : `AND EXISTS (SELECT 1 FROM chunks c WHERE c.embedding = v.embedding AND ${sql})`,
    parameters,
  };
  const vectors = readVectorsBy(connection, space, 'number', numbers, admitted);
  return bestOf(vectors, space, query, Math.max(1, numbers.length));
}

/** The embeddings of the chunks that the filter admits, up to so many chunks; undefined where there is no filter. */
export function admittedEmbeddings(
  connection: Connection,
  { condition: { sql, parameters } }: VectorQuery,
  max = -1,
): number[] | undefined {
  if (sql === '') return undefined;
  // One JSON text is read several times faster than as many rows.
  const row = connection.get(
    `SELECT json_group_array(embedding) AS admitted
     FROM (SELECT c.embedding FROM chunks c WHERE ${sql} LIMIT ?)`,
    ...parameters,
    max,
  );
  return JSON.parse(String(row?.admitted));
}

function bestOf(
  vectors: Iterable<StoredVector>,
  { dimensions }: Space,
  { quantised }: VectorQuery,
  limit: number,
): Neighbour[] {
  const best = new BestEntries(limit);
  const block = blockOf(dimensions);
  block.ask(quantised.components);
  const embeddings = new Float64Array(rowsAtOnce);
  const scales = new Float64Array(rowsAtOnce);
  let count = 0;
  const scoreRows = () => {
    const products = block.products(rowNumbers, count);
    for (let row = 0; row < count; row += 1)
      best.offer(
        embeddings[row] as number,
        (products[row] as number) * quantised.scale * (scales[row] as number),
      );
    count = 0;
  };
  for (const { embedding, scale, components } of vectors) {
    block.write(count, components);
    embeddings[count] = embedding;
    scales[count] = scale;
    count += 1;
    if (count === rowsAtOnce) scoreRows();
  }
  scoreRows();
  return best.sorted().map(({ entry, score }) => ({ embedding: entry, score }));
}

function blockOf(dimensions: number): RowBlock {
  const block = blocks.get(dimensions) ?? new RowBlock(dimensions);
  blocks.set(dimensions, block);
  return block;
}
