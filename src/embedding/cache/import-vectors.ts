import { stat } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import type { ImportReport } from '../../contracts/vector-cache.ts';
import { interrupted, messageOf, QuarryError } from '../../core/errors.ts';
import { sizesOf } from './cache-file.ts';
import { type KeyedVector, writeVectors } from './cache-rows.ts';
import { openPortable, pagesOf, refusedFile, type StoredSpace, spacesOf } from './portable-file.ts';
import { isUnitVector, valueBytes } from './sealed-vector.ts';
import type { SteadyFile } from './steady-file.ts';

/** Where vectors are added, and how many may be. */
export interface ImportTarget {
  readonly steady: SteadyFile;
  readonly maxBytes: number;
  readonly hour: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Imports a portable file. All of it is checked before the first vector is kept. It can only add: what the cache has
 * stays, and nothing is removed to make room.
 */
export async function importVectors(path: string, target: ImportTarget): Promise<ImportReport> {
  await requireRegular(path);
  if (target.signal?.aborted) throw interrupted(target.signal.reason);
  const file = openPortable(path);
  try {
    let entries = 0;
    for await (const { vectors } of checkedPages(file, path, target.signal)) entries += vectors.length;
    const { added, known } = await addAll(checkedPages(file, path, target.signal), target);
    return { entries, added, known, leftOut: entries - added - known };
  } catch (thrown) {
    throw thrown instanceof QuarryError ? thrown : refusedFile(path, messageOf(thrown), undefined, thrown);
  } finally {
    file.close();
  }
}

interface CheckedPage {
  readonly space: StoredSpace;
  readonly vectors: readonly KeyedVector[];
}

async function addAll(
  pages: AsyncIterable<CheckedPage>,
  { steady, maxBytes, hour }: ImportTarget,
): Promise<{ added: number; known: number }> {
  let added = 0;
  let known = 0;
  for await (const { space, vectors } of pages) {
    const bytes = vectors.length * space.dimensions * valueBytes;
    const written = await steady.demand('write', (cache) => {
      if (sizesOf(cache).used + bytes > maxBytes) return undefined;
      return writeVectors(cache, 'add', space.fingerprint, vectors, hour);
    });
    if (!written) break;
    added += written.changed;
    known += vectors.length - written.changed - written.unfit;
  }
  return { added, known };
}

/** All vectors of a file; fails at the first that is not what was once sealed, or that no embedder gives. */
async function* checkedPages(
  file: DatabaseSync,
  path: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<CheckedPage> {
  for (const space of spacesOf(file)) {
    for await (const page of pagesOf(file, space, signal)) {
      const vectors = page.map(({ key, vector }) => {
        if (!vector) throw refusedFile(path, 'the checksum of a vector does not match, it has been changed');
        if (!isUnitVector(vector)) throw refusedFile(path, 'it holds a vector that is not of unit length');
        return { key, vector };
      });
      if (vectors.length > 0) yield { space, vectors };
    }
  }
}

/** Fails unless it is a plain file; a pipe or a device could keep the reader waiting for ever. */
async function requireRegular(path: string): Promise<void> {
  const found = await stat(path).catch((thrown: unknown) => {
    throw refusedFile(path, messageOf(thrown), 'Check that the file exists and may be read.', thrown);
  });
  if (found.isFile()) return;
  throw refusedFile(path, 'it is not a file', 'Name a file made with: quarry cache export FILE');
}
