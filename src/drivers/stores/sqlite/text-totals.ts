import type { Connection } from './connection.ts';

/** How many rows the text index holds, as it counts them itself. */
export function textRows(connection: Connection): number {
  // Row 1 is FTS5's record of averages: the number of rows, then the number of terms in each column, as varints.
  const block = connection.get('SELECT block FROM chunk_terms_data WHERE id = 1')?.block;
  return block instanceof Uint8Array ? firstVarint(block) : 0;
}

function firstVarint(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) break;
  }
  return value;
}
