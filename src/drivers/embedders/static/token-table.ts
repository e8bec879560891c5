import { createHash } from 'node:crypto';

/** One vector for each piece of a vocabulary, in 8 bits a value; a row of zeros counts for nothing. */
export interface TokenTable {
  readonly dimensions: number;
  /** Rows one after the other; piece `n` begins at `n * dimensions`. */
  readonly values: Int8Array;
  /** What one step of a row's values is worth; the weight of the piece is part of it. */
  readonly steps: Float32Array;
}

const mark = Buffer.from('quarry token table 1\n');
const headerBytes = mark.length + 8;
const hashBytes = 32;

/** The unit vector that points to the weighted mean of the pieces; pieces that the table lacks are passed over. */
export function vectorOf(table: TokenTable, pieces: readonly number[]): Float32Array {
  const { dimensions, values, steps } = table;
  const sum = new Float64Array(dimensions);
  for (const piece of pieces) {
    const step = steps[piece];
    if (!step) continue;
    const start = piece * dimensions;
    for (let column = 0; column < dimensions; column += 1) {
      sum[column] = (sum[column] as number) + step * (values[start + column] as number);
    }
  }
  return unit(sum);
}

/**
 * The table in a file's bytes, as training/token_table.py writes them: mark, size, steps, rows, and the SHA-256 of all that.
 * Undefined unless they are whole and exactly as they were written.
 */
export function tableFromBytes(bytes: Buffer): TokenTable | undefined {
  if (bytes.length < headerBytes + hashBytes) return undefined;
  if (!bytes.subarray(0, mark.length).equals(mark)) return undefined;
  if (!bytes.subarray(-hashBytes).equals(hashOf(bytes))) return undefined;
  const pieces = bytes.readUInt32LE(mark.length);
  const dimensions = bytes.readUInt32LE(mark.length + 4);
  const rowsAt = headerBytes + pieces * 4;
  if (bytes.length !== rowsAt + pieces * dimensions + hashBytes) return undefined;
  const steps = Float32Array.from({ length: pieces }, (_, piece) =>
    bytes.readFloatLE(headerBytes + piece * 4),
  );
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + rowsAt, pieces * dimensions);
  return { dimensions, values, steps };
}

function hashOf(bytes: Buffer): Buffer {
  return createHash('sha256')
    .update(bytes.subarray(0, bytes.length - hashBytes))
    .digest();
}

function unit(sum: Float64Array): Float32Array {
  let squares = 0;
  for (const value of sum) squares += value * value;
  const vector = new Float32Array(sum.length);
  // A text without any known piece still needs a direction.
  if (squares === 0) vector[0] = 1;
  else {
    const length = Math.sqrt(squares);
    for (let column = 0; column < sum.length; column += 1) vector[column] = (sum[column] as number) / length;
  }
  return vector;
}
