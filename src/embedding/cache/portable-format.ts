import { z } from 'zod';
import { QuarryError } from '../../core/errors.ts';
import { maxDimensions, valueBytes } from './sealed-vector.ts';

/*
 * A portable file of vectors. All numbers are little-endian.
 *
 *   8 bytes   magic, "QVECTOR" and a line feed
 *   4 bytes   version, 1
 *   4 bytes   length of the header in bytes
 *   header    JSON in UTF-8: { "spaces": [{ "fingerprint", "dimensions", "count" }] }
 *   records   for each space in the order of the header, `count` times:
 *               32 bytes  SHA-256 of the text (UTF-8), ascending within a space, none twice
 *               `dimensions` times 4 bytes: the values, IEEE 754 single precision
 *   32 bytes  SHA-256 of everything before it
 *
 * There is no text and no path in it. Equal caches give equal files.
 */

const magic = Buffer.from('QVECTOR\n', 'latin1');
const version = 1;
const maxHeaderBytes = 1 << 20;

/** Bytes of a text's hash, and of the hash at the end of the file. */
export const digestBytes = 32;
/** Bytes before the header. */
export const preambleBytes = magic.length + 8;

const header = z.strictObject({
  spaces: z
    .array(
      z.strictObject({
        fingerprint: z.string().min(1).max(1024),
        dimensions: z.int().min(1).max(maxDimensions),
        count: z.int().min(0),
      }),
    )
    .max(1024)
    .refine((spaces) => new Set(spaces.map(({ fingerprint }) => fingerprint)).size === spaces.length),
});

/** A vector space in a portable file. */
export type PortableSpace = z.output<typeof header>['spaces'][number];

/** The beginning of a file that holds these spaces. */
export function encodeBeginning(spaces: readonly PortableSpace[]): Buffer {
  const json = Buffer.from(JSON.stringify({ spaces }), 'utf8');
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32LE(version, 0);
  numbers.writeUInt32LE(json.length, 4);
  return Buffer.concat([magic, numbers, json]);
}

/** Whether bytes begin a portable file, of whatever version. */
export function isPortable(bytes: Uint8Array): boolean {
  return magic.equals(bytes.subarray(0, magic.length));
}

/** The length of the header, from the bytes before it; fails unless they begin a file of this version. */
export function decodePreamble(path: string, bytes: Buffer): number {
  if (bytes.length < preambleBytes || !isPortable(bytes))
    throw refusedFile(path, 'it holds no vectors of Quarry');
  const found = bytes.readUInt32LE(magic.length);
  if (found !== version) throw refusedFile(path, `its format ${found} is not known`, 'Update Quarry.');
  const length = bytes.readUInt32LE(magic.length + 4);
  if (length > maxHeaderBytes) throw refusedFile(path, 'its header is too long');
  return length;
}

/** The spaces that a header names; fails unless it is well formed. */
export function decodeHeader(path: string, bytes: Buffer): PortableSpace[] {
  try {
    return header.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))).spaces;
  } catch (cause) {
    throw refusedFile(path, 'its header is not well formed', undefined, cause);
  }
}

/** Bytes of one record. */
export function recordBytes({ dimensions }: PortableSpace): number {
  return digestBytes + dimensions * valueBytes;
}

/** Why a file is not taken in. */
export function refusedFile(
  path: string,
  why: string,
  remedy = 'Make the file again with: quarry cache export FILE',
  cause?: unknown,
): QuarryError {
  return new QuarryError('file-unreadable', `Cannot import ${path}: ${why}.`, remedy, { cause });
}
