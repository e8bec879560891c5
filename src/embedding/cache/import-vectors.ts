import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { ImportReport } from '../../contracts/vector-cache.ts';
import { interrupted, messageOf, QuarryError } from '../../core/errors.ts';
import { addVectors, type KeyedVector } from './cache-rows.ts';
import {
  decodeHeader,
  decodePreamble,
  digestBytes,
  type PortableSpace,
  preambleBytes,
  recordBytes,
  refusedFile,
} from './portable-format.ts';
import { isUnitVector, vectorOfBytes } from './sealed-vector.ts';
import type { SteadyFile } from './steady-file.ts';

/** Bytes of records that are in memory at a time. */
const bytesPerPage = 512 * 1024;

/** Where vectors go and how many may. */
export interface ImportTarget {
  readonly steady: SteadyFile;
  readonly maxBytes: number;
  readonly hour: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Takes in a portable file. All of it is checked before the first vector is kept. It can only add: what the cache has
 * stays, and nothing is pushed out to make room.
 */
export async function importVectors(path: string, target: ImportTarget): Promise<ImportReport> {
  const input = await openRegular(path);
  try {
    const layout = await readLayout(input, path);
    await verify(input, path, layout, target.signal);
    return await takeIn(input, path, layout, target);
  } catch (thrown) {
    throw thrown instanceof QuarryError ? thrown : unreadable(path, thrown);
  } finally {
    await input.close();
  }
}

interface Layout {
  readonly spaces: readonly PortableSpace[];
  /** Where the first record begins. */
  readonly recordsAt: number;
  /** Where the trailer begins. */
  readonly trailerAt: number;
}

/** Reads the header and holds it against the size of the file, so that no claim of it is believed beyond that. */
async function readLayout(input: FileHandle, path: string): Promise<Layout> {
  const { size } = await input.stat();
  const preamble = await readAt(input, path, 0, Math.min(size, preambleBytes));
  const headerBytes = decodePreamble(path, preamble);
  const recordsAt = preambleBytes + headerBytes;
  if (size < recordsAt + digestBytes) throw refusedFile(path, 'it is cut short');
  const spaces = decodeHeader(path, await readAt(input, path, preambleBytes, headerBytes));
  const claimed = spaces.reduce((sum, space) => sum + space.count * recordBytes(space), 0);
  const trailerAt = size - digestBytes;
  if (claimed !== trailerAt - recordsAt) throw refusedFile(path, 'it is not as long as its header says');
  return { spaces, recordsAt, trailerAt };
}

async function verify(input: FileHandle, path: string, layout: Layout, signal?: AbortSignal): Promise<void> {
  const digest = createHash('sha256').update(await readAt(input, path, 0, layout.recordsAt));
  let space: PortableSpace | undefined;
  let last: Uint8Array = Buffer.alloc(0);
  let fault: string | undefined;
  for await (const page of pagesOf(input, path, layout, signal)) {
    digest.update(page.bytes);
    if (page.space !== space) last = Buffer.alloc(0);
    space = page.space;
    for (const { key, vector } of recordsIn(page)) {
      if (!isUnitVector(vector)) fault ??= 'it holds a vector that is not of unit length';
      if (Buffer.compare(last, key) >= 0) fault ??= 'its vectors are not in order';
      last = key;
    }
  }
  const trailer = await readAt(input, path, layout.trailerAt, digestBytes);
  if (!digest.digest().equals(trailer))
    throw refusedFile(path, 'its checksum does not match, it has been changed');
  if (fault) throw refusedFile(path, fault);
}

async function takeIn(
  input: FileHandle,
  path: string,
  layout: Layout,
  { steady, maxBytes, hour, signal }: ImportTarget,
): Promise<ImportReport> {
  const entries = layout.spaces.reduce((sum, { count }) => sum + count, 0);
  let added = 0;
  let known = 0;
  for await (const page of pagesOf(input, path, layout, signal)) {
    // Checked once more: the file may have been changed since.
    const records = recordsIn(page).filter(({ vector }) => isUnitVector(vector));
    const written = await steady.demand('write', (file) =>
      file.sizes().used + page.bytes.length > maxBytes
        ? undefined
        : addVectors(file, page.space.fingerprint, records, hour),
    );
    if (!written) break;
    added += written.changed;
    known += records.length - written.changed - written.unfit;
  }
  return { entries, added, known, leftOut: entries - added - known };
}

interface Page {
  readonly space: PortableSpace;
  readonly bytes: Buffer;
}

async function* pagesOf(
  input: FileHandle,
  path: string,
  { spaces, recordsAt }: Layout,
  signal: AbortSignal | undefined,
): AsyncGenerator<Page> {
  let position = recordsAt;
  for (const space of spaces) {
    const perPage = Math.max(1, Math.floor(bytesPerPage / recordBytes(space)));
    for (let left = space.count; left > 0; left -= perPage) {
      if (signal?.aborted) throw interrupted(signal.reason);
      const bytes = await readAt(input, path, position, Math.min(left, perPage) * recordBytes(space));
      position += bytes.length;
      yield { space, bytes };
    }
  }
}

function recordsIn({ space, bytes }: Page): KeyedVector[] {
  const length = recordBytes(space);
  return Array.from({ length: bytes.length / length }, (_, index) => {
    const record = bytes.subarray(index * length, (index + 1) * length);
    return { key: record.subarray(0, digestBytes), vector: vectorOfBytes(record.subarray(digestBytes)) };
  });
}

/** Opens a plain file; a pipe or a device could keep the reader waiting for ever. */
async function openRegular(path: string): Promise<FileHandle> {
  try {
    if ((await stat(path)).isFile()) return await open(path, 'r');
  } catch (thrown) {
    throw unreadable(path, thrown);
  }
  throw refusedFile(path, 'it is not a file', 'Name a file made with: quarry cache export FILE');
}

async function readAt(input: FileHandle, path: string, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await input.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) throw refusedFile(path, 'it is cut short');
    filled += bytesRead;
  }
  return buffer;
}

function unreadable(path: string, thrown: unknown): QuarryError {
  return refusedFile(path, messageOf(thrown), 'Check that the file exists and may be read.', thrown);
}
