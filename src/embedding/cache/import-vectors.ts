import { stat } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ImportReport } from '../../contracts/vector-cache.ts';
import { interrupted, messageOf, QuarryError } from '../../core/errors.ts';
import { addVectors, type KeyedVector } from './cache-rows.ts';
import { openPortable, type PortableSpace, refusedFile, spacesOf } from './portable-file.ts';
import { createVectorSeal, isUnitVector, valueBytes } from './sealed-vector.ts';
import type { SteadyFile } from './steady-file.ts';

/** Bytes of vectors that are in memory at a time, about. */
const bytesPerPage = 512 * 1024;

/** Where vectors go and how many may. */
export interface ImportTarget {
  readonly steady: SteadyFile;
  readonly maxBytes: number;
  readonly hour: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Imports a portable file. All of it is checked before the first vector is kept. It can only add: what the cache has
 * stays, and nothing is pushed out to make room.
 */
export async function importVectors(path: string, target: ImportTarget): Promise<ImportReport> {
  await requireRegular(path);
  if (target.signal?.aborted) throw interrupted(target.signal.reason);
  const file = openPortable(path);
  try {
    let entries = 0;
    for await (const { vectors } of pagesOf(file, path, target.signal)) entries += vectors.length;
    return await addAll(file, path, entries, target);
  } catch (thrown) {
    throw thrown instanceof QuarryError ? thrown : refusedFile(path, messageOf(thrown), undefined, thrown);
  } finally {
    file.close();
  }
}

async function addAll(
  file: DatabaseSync,
  path: string,
  entries: number,
  { steady, maxBytes, hour, signal }: ImportTarget,
): Promise<ImportReport> {
  let added = 0;
  let known = 0;
  for await (const { space, vectors } of pagesOf(file, path, signal)) {
    const bytes = vectors.length * space.dimensions * valueBytes;
    const written = await steady.demand('write', (cache) =>
      cache.sizes().used + bytes > maxBytes ? undefined : addVectors(cache, space.fingerprint, vectors, hour),
    );
    if (!written) break;
    added += written.changed;
    known += vectors.length - written.changed - written.unfit;
  }
  return { entries, added, known, leftOut: entries - added - known };
}

interface Page {
  readonly space: PortableSpace;
  readonly vectors: readonly KeyedVector[];
}

/** All vectors of a file; fails at the first that is not what was once sealed, or that no embedder gives. */
async function* pagesOf(
  file: DatabaseSync,
  path: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Page> {
  const select = file.prepare(
    'SELECT hash, content FROM vectors WHERE space = ? AND hash > ? ORDER BY hash LIMIT ?',
  );
  for (const space of spacesOf((sql) => file.prepare(sql))) {
    const seal = createVectorSeal(space.fingerprint);
    const rowsPerPage = Math.max(1, Math.floor(bytesPerPage / (space.dimensions * valueBytes)));
    let last: Uint8Array = new Uint8Array();
    for (let isLast = false; !isLast; await nextTurn()) {
      if (signal?.aborted) throw interrupted(signal.reason);
      const vectors = select.all(space.number, last, rowsPerPage).map(({ hash, content }) => {
        const key = hash as Uint8Array; // The schema, which is checked, declares both as BLOBs that are never null.
        const vector = seal.open(key, content as Uint8Array);
        if (!vector) throw refusedFile(path, 'the checksum of a vector does not match, it has been changed');
        if (!isUnitVector(vector)) throw refusedFile(path, 'it holds a vector that is not of unit length');
        return { key, vector };
      });
      isLast = vectors.length < rowsPerPage;
      last = vectors.at(-1)?.key ?? last;
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
