import { endianness } from 'node:os';

/** Token numbers of several texts: the pieces of each, between the special tokens that a BERT model expects. */
export interface TokenRows {
  readonly count: number;
  /** Pieces of each row, without prefix and special tokens. */
  readonly pieces: readonly (readonly number[])[];
  readonly prefix: readonly number[];
  readonly startId: number;
  readonly endId: number;
}

/** Rows as lists of numbers, for JSON. */
export function tokenRowsAsLists({ pieces, prefix, startId, endId }: TokenRows): number[][] {
  return pieces.map((row) => [startId, ...prefix, ...row, endId]);
}

/** Rows as bytes, little-endian: their count and lengths in 32 bits each, then all numbers in 16 bits each. */
export function tokenRowsAsBytes({ count, pieces, prefix, startId, endId }: TokenRows): Uint8Array {
  const around = prefix.length + 2;
  let total = 0;
  for (const row of pieces) total += row.length + around;
  const headerBytes = 4 + 4 * count;
  const bytes = new ArrayBuffer(headerBytes + 2 * total);
  const header = new Uint32Array(bytes, 0, 1 + count);
  const numbers = new Uint16Array(bytes, headerBytes, total);
  header[0] = count;
  let at = 0;
  for (let row = 0; row < count; row += 1) {
    const own = pieces[row] as readonly number[];
    header[row + 1] = own.length + around;
    numbers[at++] = startId;
    for (let index = 0; index < prefix.length; index += 1) numbers[at++] = prefix[index] as number;
    for (let index = 0; index < own.length; index += 1) numbers[at++] = own[index] as number;
    numbers[at++] = endId;
  }
  if (endianness() === 'BE') {
    Buffer.from(bytes, 0, headerBytes).swap32();
    Buffer.from(bytes, headerBytes).swap16();
  }
  return new Uint8Array(bytes);
}
