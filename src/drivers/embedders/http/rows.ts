import { endianness } from 'node:os';
import { QuarryError } from '../../../core/errors.ts';

/** Watches over the vectors of one service: all of one length, every value finite, unit length on the way out. */
export interface RowGuard {
  /** The length of the vectors, once one has come. */
  readonly dimensions: number | undefined;
  /** Makes rows unit vectors in place, or fails and remembers nothing of them. */
  admit(rows: Float32Array[]): Float32Array[];
}

/** Guards the answers of a host; `asked` is the length that the settings ask for. */
export function createRowGuard(host: string, asked: number | undefined): RowGuard {
  let dimensions: number | undefined;
  const check = (length: number, expected: number): void => {
    if (length !== expected || expected === 0) throw wrongLength(host, length, expected, asked);
  };
  return {
    get dimensions() {
      return dimensions;
    },
    admit(rows) {
      const first = rows[0];
      if (!first) return rows;
      const expected = asked ?? dimensions ?? first.length;
      for (const row of rows) {
        check(row.length, expected);
        if (!normalise(row)) throw notUsable(host);
      }
      dimensions = expected;
      return rows;
    },
  };
}

/** Scales to unit length; false when a value is not finite or all are zero. */
function normalise(row: Float32Array): boolean {
  let squares = 0;
  for (let at = 0; at < row.length; at += 1) squares += (row[at] as number) * (row[at] as number);
  if (!(squares > 0 && squares < Number.POSITIVE_INFINITY)) return false;
  if (Math.abs(squares - 1) < 1e-6) return true;
  const scale = 1 / Math.sqrt(squares);
  for (let at = 0; at < row.length; at += 1) row[at] = (row[at] as number) * scale;
  return true;
}

/** One row from a list of numbers of a JSON answer; undefined when it is no such list. */
export function rowOfNumbers(values: unknown): Float32Array | undefined {
  if (!Array.isArray(values)) return undefined;
  const row = new Float32Array(values.length);
  for (let at = 0; at < values.length; at += 1) {
    const value: unknown = values[at];
    // What is no number becomes NaN, which the guard refuses in other words than a wrong shape.
    row[at] = typeof value === 'number' ? value : Number.NaN;
  }
  return row;
}

/** One row from little-endian float32 values in base64; undefined when it is none. */
export function rowOfBase64(text: string): Float32Array | undefined {
  const length = Buffer.byteLength(text, 'base64');
  if (length % 4 !== 0) return undefined;
  const row = new Float32Array(length / 4);
  if (Buffer.from(row.buffer).write(text, 'base64') !== length) return undefined;
  return inHostOrder(row);
}

function inHostOrder(values: Float32Array): Float32Array {
  if (endianness() === 'BE') Buffer.from(values.buffer, values.byteOffset, values.byteLength).swap32();
  return values;
}

function wrongLength(host: string, found: number, expected: number, asked: number | undefined): QuarryError {
  const [why, remedy] =
    asked === undefined
      ? ['came before', 'Check that the server still serves the same model, then index again.']
      : ['are asked for', `Set embedder.dimensions to ${found}, or remove it, and index again.`];
  return new QuarryError(
    'vector-invalid',
    `${host} answered with a vector of ${found} values; ${expected} ${why}.`,
    remedy,
  );
}

function notUsable(host: string): QuarryError {
  return new QuarryError(
    'embedding-failed',
    `${host} answered with a vector that is all zeros or has a value that is not finite.`,
    'Look at the log of the server; a model in half precision may overflow.',
  );
}
