import type { ChunkVector } from '../../../../contracts/store.ts';
import type { Place } from '../../../../core/place.ts';
import type { Row } from '../../sql-rows.ts';
import type { Connection } from '../file/connection.ts';
import { readText } from '../layout/rows.ts';
import { signedBytes, unitVector } from './quantise.ts';
import { findSpace } from './vectors.ts';

const rowsAtOnce = 1000;

/** The chunks that have a vector, some rows at a time: a writer is not held up, and a chunk that goes meanwhile is left out. */
export async function* readChunkVectors(
  connection: Connection,
  space: string,
  limit: number,
): AsyncGenerator<ChunkVector> {
  for (let [after, left] = [0, limit]; left > 0; ) {
    const rows = await connection.read(() => {
      const known = findSpace(connection, space);
      if (!known) return [];
      const found = connection.all(query, known.number, after, Math.min(left, rowsAtOnce));
      // A damaged row is the business of `verify`.
      return found.map((row) => ({ number: Number(row.number), ...chunkOf(row, known.dimensions) }));
    });
    for (const { number: _, isSound, ...chunk } of rows) if (isSound) yield chunk;
    if (rows.length === 0) return;
    left -= rows.length;
    after = rows.at(-1)?.number ?? after;
  }
}

const query = `
  SELECT c.number, c.id, c.first_line, c.last_line, c.place, d.uri, d.type, d.modified_at, v.scale, v.components
  FROM chunks c JOIN vectors v ON v.embedding = c.embedding AND v.space = ? JOIN documents d ON d.number = c.document
  WHERE c.number > ? ORDER BY c.number LIMIT ?`;

function chunkOf(row: Row, dimensions: number): ChunkVector & { readonly isSound: boolean } {
  const components = signedBytes(row.components);
  return {
    id: readText(row.id),
    uri: readText(row.uri),
    type: readText(row.type),
    modifiedAt: Number(row.modified_at),
    place:
      row.place === null
        ? { kind: 'lines', first: Number(row.first_line), last: Number(row.last_line) }
        : (JSON.parse(readText(row.place)) as Place),
    vector: unitVector({ scale: Number(row.scale), components }),
    isSound: components.length === dimensions,
  };
}
