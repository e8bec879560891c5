import type { Connection } from '../file/connection.ts';
import type { Row } from '../layout/rows.ts';
import { BestEntries } from './best.ts';
import type { Neighbour } from './matrix.ts';
import { dotProduct } from './row-block.ts';
import type { VectorQuery } from './vector-query.ts';

/**
 * Exact search that reads the vectors from the file, one after the other: a few microseconds for each that is admitted,
 * and no memory. Right for the few vectors that a narrow filter leaves, and for what fits no memory.
 */
export function scanFile(connection: Connection, space: number, query: VectorQuery): Neighbour[] {
  const { sql, parameters } = query.condition;
  const rows =
    sql === ''
      ? connection.each('SELECT embedding, scale, components FROM vectors WHERE space = ?', space)
      : connection.each(
          `SELECT v.embedding, v.scale, v.components
           FROM (SELECT DISTINCT c.embedding FROM chunks c WHERE ${sql}) admitted
           CROSS JOIN vectors v ON v.embedding = admitted.embedding AND v.space = ?`,
          ...parameters,
          space,
        );
  return bestOf(rows, query, query.limit);
}

/** Scores the vectors with these numbers as the file has them; those that are gone or not admitted are left out. */
export function scoreVectors(
  connection: Connection,
  space: number,
  query: VectorQuery,
  numbers: readonly number[],
): Neighbour[] {
  const { sql, parameters } = query.condition;
  const admitted =
    sql === '' ? '' : `AND EXISTS (SELECT 1 FROM chunks c WHERE c.embedding = v.embedding AND ${sql})`;
  const rows = connection.each(
    `SELECT v.embedding, v.scale, v.components
     FROM json_each(?) proposed CROSS JOIN vectors v ON v.number = proposed.value
     WHERE v.space = ? ${admitted}`,
    JSON.stringify(numbers),
    space,
    ...parameters,
  );
  return bestOf(rows, query, Math.max(1, numbers.length));
}

/** Whether the filter admits more chunks than this; stops counting there. */
export function admitsMore(connection: Connection, { condition }: VectorQuery, than: number): boolean {
  const { sql, parameters } = condition;
  if (sql === '') return true;
  const row = connection.get(
    `SELECT count(*) AS count FROM (SELECT 1 FROM chunks c WHERE ${sql} LIMIT ?)`,
    ...parameters,
    than + 1,
  );
  return Number(row?.count) > than;
}

function bestOf(rows: Iterable<Row>, { quantised }: VectorQuery, limit: number): Neighbour[] {
  const best = new BestEntries(limit);
  for (const { embedding, scale, components } of rows) {
    const { buffer, byteOffset, byteLength } = components as Uint8Array; // The column holds nothing but blobs.
    const product = dotProduct(new Int8Array(buffer, byteOffset, byteLength), 0, quantised.components);
    best.offer(Number(embedding), product * quantised.scale * Number(scale));
  }
  return best.sorted().map(({ entry, score }) => ({ embedding: entry, score }));
}
