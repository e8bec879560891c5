import { hash } from 'node:crypto';
import { endianness } from 'node:os';

/** Bytes of checksum that follow a vector. */
const checksumBytes = 8;
/** Bytes of SHA-256. */
export const digestBytes = 32;
/** Bytes of one value of a vector. */
export const valueBytes = 4;
/** The bytes of a sealed vector, as SQL over the column `dimensions` of its space. */
export const sealedLength = `dimensions * ${valueBytes} + ${checksumBytes}`;
/** Longest vector that is kept; no model comes near it. */
export const maxDimensions = 65_536;
/** How far from 1 the length of a vector may be: half-precision models round that much. */
const lengthTolerance = 1e-3;

const isLittleEndian = endianness() === 'LE';

/**
 * The key of a text: SHA-256 of its UTF-8 bytes. None for a text with half of a surrogate pair, which UTF-8 cannot
 * tell from other such texts.
 */
export function hashOfText(text: string): Uint8Array | undefined {
  return text.isWellFormed() ? hash('sha256', text, 'buffer') : undefined;
}

/** Whether a vector is one that an embedder may give: of unit length, with finite values only. */
export function isUnitVector(vector: Float32Array): boolean {
  if (vector.length === 0 || vector.length > maxDimensions) return false;
  let square = 0;
  for (let index = 0; index < vector.length; index += 1) square += (vector[index] as number) ** 2;
  // A value that is not finite makes the sum so, and then no comparison holds.
  return Math.abs(Math.sqrt(square) - 1) <= lengthTolerance;
}

/** The values of a vector as little-endian bytes; shares its memory where the machine is one. */
export function bytesOfVector(vector: Float32Array): Uint8Array {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  return isLittleEndian ? bytes : Buffer.from(bytes).swap32();
}

/** The vector whose little-endian values are these bytes, in memory of its own; undefined where they are none. */
export function vectorOfBytes(bytes: Uint8Array | undefined): Float32Array | undefined {
  if (!bytes || bytes.length === 0 || bytes.length % valueBytes !== 0) return undefined;
  const own = new Uint8Array(bytes);
  if (!isLittleEndian) Buffer.from(own.buffer).swap32();
  return new Float32Array(own.buffer);
}

/** Puts bytes under seal and opens them again. */
export interface Seal {
  /** The bytes with a checksum over what they belong to, the key and themselves. */
  close(key: Uint8Array, bytes: Uint8Array): Uint8Array;
  /** The bytes as they were sealed under this key; undefined when anything differs. Shares memory. */
  open(key: Uint8Array, sealed: unknown): Uint8Array | undefined;
}

/**
 * Makes the seal of a space. The space is known by its fingerprint, not by the number it has in a file, so that a row
 * under the key of another text or space does not open.
 */
export function createVectorSeal(fingerprint: string): Seal {
  return createSeal(fingerprint);
}

/** Makes the seal of a space's sketches: no vector is taken for one. */
export function createSketchSeal(fingerprint: string): Seal {
  return createSeal(`sketches\0${fingerprint}`);
}

function createSeal(name: string): Seal {
  const owner = hash('sha256', name, 'buffer');
  const checksumOf = (key: Uint8Array, bytes: Uint8Array): Buffer =>
    hash('sha256', Buffer.concat([owner, key, bytes]), 'buffer').subarray(0, checksumBytes);
  return {
    close: (key, bytes) => Buffer.concat([bytes, checksumOf(key, bytes)]),
    open(key, sealed) {
      if (!(sealed instanceof Uint8Array) || key.length !== digestBytes) return undefined;
      const length = sealed.length - checksumBytes;
      if (length < 0) return undefined;
      const bytes = sealed.subarray(0, length);
      return checksumOf(key, bytes).equals(sealed.subarray(length)) ? bytes : undefined;
    },
  };
}
