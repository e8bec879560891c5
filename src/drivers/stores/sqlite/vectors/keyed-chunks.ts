import type { KeyedChunk } from '../../../../contracts/store.ts';
import type { Filter } from '../../../../core/filter.ts';
import { rowLimit } from '../../row-limit.ts';
import type { Connection } from '../file/connection.ts';
import { chunkCondition } from '../layout/filter.ts';
import { provenMatch, readChunk, readDocument, readText, writeText } from '../layout/rows.ts';
import { findSpace } from './vectors.ts';

/** The chunks with one of these keys that pass the filter. */
export function findKeyedChunks(
  connection: Connection,
  keys: readonly string[],
  filter: Filter | undefined,
): KeyedChunk[] {
  const byNumber = new Map<number, string>();
  for (const key of keys) {
    const row = connection.get('SELECT number FROM embeddings WHERE key = ?', writeText(key));
    if (row) byNumber.set(Number(row.number), key);
  }
  const { sql, parameters } = chunkCondition(filter);
  return connection
    .all(
      `SELECT c.embedding, ${provenMatch} FROM json_each(?) wanted CROSS JOIN chunks c ON c.embedding = wanted.value
       JOIN documents d ON d.number = c.document ${sql === '' ? '' : `WHERE ${sql}`}
       ORDER BY wanted.key, c.number`,
      JSON.stringify([...byNumber.keys()]),
      ...parameters,
    )
    .map((row) => ({
      chunk: readChunk(connection.proof, row),
      document: readDocument(connection.proof, row),
      embeddingKey: byNumber.get(Number(row.embedding)) ?? '',
    }));
}

/** Distinct keys of the chunks that pass the filter. */
export function findKeysPassing(connection: Connection, filter: Filter, limit: number): string[] {
  const { sql, parameters } = chunkCondition(filter);
  return connection
    .all(
      `SELECT e.key FROM (SELECT DISTINCT c.embedding FROM chunks c ${sql === '' ? '' : `WHERE ${sql}`} LIMIT ?) passing
       JOIN embeddings e ON e.number = passing.embedding`,
      ...parameters,
      rowLimit(limit),
    )
    .map(({ key }) => readText(key));
}

/** How many keys have a vector in the space. */
export function countVectors(connection: Connection, name: string): number {
  const space = findSpace(connection, name);
  if (!space) return 0;
  return Number(connection.get('SELECT count(*) AS value FROM vectors WHERE space = ?', space.number)?.value);
}
