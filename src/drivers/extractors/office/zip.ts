import { Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { QuarryError } from '../../../core/errors.ts';

/** The parts of a ZIP file, unpacked one at a time when asked for. */
export interface ZipArchive {
  has(name: string): boolean;
  /** The bytes of a part; undefined where there is none. Throws when it is damaged or the bound is exceeded. */
  read(name: string): Uint8Array | undefined;
  /** The same, but what would exceed the bound is left out at the end. */
  readStart(name: string): Promise<PartStart | undefined>;
}

/** The first bytes of a part. */
export interface PartStart {
  readonly bytes: Uint8Array;
  /** Whether these are all. */
  readonly isWhole: boolean;
}

interface ZipEntry {
  readonly method: number;
  readonly encrypted: boolean;
  readonly checksum: number;
  readonly packedBytes: number;
  readonly headerAt: number;
}

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const localEntry = 0x04034b50;
/** A comment after the directory has at most 65535 bytes. */
const furthestEnd = 65_535 + 22;

/**
 * Opens a ZIP file from its directory. The limit applies to all parts together and is enforced by the decompressor: sizes
 * stated in the file are not trusted, so a ZIP bomb stops at the limit.
 */
export function openZip(bytes: Uint8Array, unpackedBytes: number): ZipArchive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = directoryOf(view, bytes);
  let left = unpackedBytes;
  return {
    has: (name) => entries.has(name),
    read(name) {
      const entry = entries.get(name);
      if (!entry) return undefined;
      const unpacked = unpack(view, bytes, entry, left);
      left -= unpacked.length;
      return unpacked;
    },
    async readStart(name) {
      const entry = entries.get(name);
      if (!entry) return undefined;
      const start = await unpackStart(view, bytes, entry, left);
      left -= start.bytes.length;
      return start;
    },
  };
}

function directoryOf(view: DataView, bytes: Uint8Array): Map<string, ZipEntry> {
  const end = endAt(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const entries = new Map<string, ZipEntry>();
  for (let index = 0; index < count; index += 1) {
    if (view.getUint32(at, true) !== directoryEntry) throw damaged('damaged ZIP directory');
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    // The first of two parts with one name is the one that other programs show.
    if (!entries.has(name)) entries.set(name, entryAt(view, at));
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function endAt(view: DataView): number {
  const first = Math.max(0, view.byteLength - furthestEnd);
  for (let at = view.byteLength - 22; at >= first; at -= 1) {
    if (view.getUint32(at, true) === endOfDirectory) return at;
  }
  throw damaged('no ZIP directory: truncated or another format');
}

function entryAt(view: DataView, at: number): ZipEntry {
  return {
    encrypted: (view.getUint16(at + 8, true) & 1) === 1,
    method: view.getUint16(at + 10, true),
    checksum: view.getUint32(at + 16, true),
    packedBytes: view.getUint32(at + 20, true),
    headerAt: view.getUint32(at + 42, true),
  };
}

function packedBytes(view: DataView, bytes: Uint8Array, entry: ZipEntry): Uint8Array {
  if (entry.encrypted) throw damaged('encrypted ZIP part: save the file without a password to have it read');
  if (view.getUint32(entry.headerAt, true) !== localEntry) throw damaged('damaged ZIP part');
  const names = view.getUint16(entry.headerAt + 26, true) + view.getUint16(entry.headerAt + 28, true);
  const start = entry.headerAt + 30 + names;
  return bytes.subarray(start, start + entry.packedBytes);
}

function unpack(view: DataView, bytes: Uint8Array, entry: ZipEntry, left: number): Uint8Array {
  const packed = packedBytes(view, bytes, entry);
  const unpacked = entry.method === 0 ? packed : inflate(packed, entry.method, left);
  if (unpacked.length > left) throw damaged('unpacks to more than the bound');
  if (crc32(unpacked) !== entry.checksum) throw damaged('damaged ZIP part: wrong checksum');
  return unpacked;
}

async function unpackStart(
  view: DataView,
  bytes: Uint8Array,
  entry: ZipEntry,
  left: number,
): Promise<PartStart> {
  const packed = packedBytes(view, bytes, entry);
  if (entry.method === 0) return { bytes: packed.subarray(0, left), isWhole: packed.length <= left };
  if (entry.method !== 8) throw damaged(`ZIP method ${entry.method} is not supported`);
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of Readable.from([packed]).pipe(createInflateRaw())) {
      pieces.push(piece);
      length += piece.length;
      if (length > left) return { bytes: Buffer.concat(pieces).subarray(0, left), isWhole: false };
    }
  } catch (cause) {
    throw damaged('damaged ZIP part', cause);
  }
  const unpacked = Buffer.concat(pieces);
  if (crc32(unpacked) !== entry.checksum) throw damaged('damaged ZIP part: wrong checksum');
  return { bytes: unpacked, isWhole: true };
}

function inflate(packed: Uint8Array, method: number, left: number): Uint8Array {
  if (method !== 8) throw damaged(`ZIP method ${method} is not supported`);
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, left) });
  } catch (cause) {
    const tooLarge = cause instanceof RangeError;
    throw damaged(tooLarge ? 'unpacks to more than the bound' : 'damaged ZIP part', cause);
  }
}

function damaged(what: string, cause?: unknown): QuarryError {
  return new QuarryError('document-unsupported', what, 'Save the file again with the program that made it.', {
    cause,
  });
}
