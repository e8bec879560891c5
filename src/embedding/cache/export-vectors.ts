import { randomUUID } from 'node:crypto';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import type { ExportReport, VectorCacheSpace } from '../../contracts/vector-cache.ts';
import { messageOf, QuarryError } from '../../core/errors.ts';
import { extendedCode } from '../../platform/sqlite/result-code.ts';
import { openCacheFile } from './cache-file.ts';
import { cacheProblem } from './cache-problem.ts';
import { createPortable, isPortable, pagesOf, type StoredSpace, spacesOf } from './portable-file.ts';

/** Copies the vectors of a cache, as they are at one moment, to a portable file that appears only when whole. */
export async function exportVectors(
  cachePath: string,
  target: string,
  signal: AbortSignal | undefined,
): Promise<ExportReport> {
  await refuseForeignFile(target);
  const unfinished = `${target}.${randomUUID()}.part`;
  // A connection of its own: it holds one state of the cache for as long as the writing takes.
  const cache = openCacheFile(cachePath, true);
  try {
    cache.exec('BEGIN');
    // Only the user may read what is exported.
    await writeFile(unfinished, '', { flag: 'wx', mode: 0o600 });
    const spaces = await copyTo(unfinished, cache, signal);
    const { size } = await stat(unfinished);
    await rename(unfinished, target);
    return { entries: spaces.reduce((sum, { entries }) => sum + entries, 0), bytes: size, spaces };
  } catch (thrown) {
    await rm(unfinished, { force: true });
    if (thrown instanceof QuarryError) throw thrown;
    const isSqlite = extendedCode(thrown) !== undefined;
    throw isSqlite ? cacheProblem(thrown, cachePath) : cannotWrite(target, messageOf(thrown), thrown);
  } finally {
    cache.close();
  }
}

async function copyTo(
  path: string,
  cache: DatabaseSync,
  signal: AbortSignal | undefined,
): Promise<VectorCacheSpace[]> {
  const output = createPortable(path);
  try {
    const copied: VectorCacheSpace[] = [];
    for (const space of spacesOf(cache)) {
      const entries = await copySpace(cache, output, space, signal);
      const { fingerprint: name, dimensions } = space;
      if (entries > 0) copied.push({ name, dimensions, entries });
    }
    output.exec('COMMIT');
    return copied;
  } finally {
    output.close();
  }
}

/** Copies the sound vectors of a space; what is damaged is left out. */
async function copySpace(
  cache: DatabaseSync,
  output: DatabaseSync,
  space: StoredSpace,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { number, fingerprint, dimensions } = space;
  const addSpace = output.prepare('INSERT INTO spaces (number, fingerprint, dimensions) VALUES (?, ?, ?)');
  const addVector = output.prepare('INSERT INTO vectors (space, hash, content) VALUES (?, ?, ?)');
  let count = 0;
  for await (const page of pagesOf(cache, space, signal)) {
    for (const { key, sealed, vector } of page) {
      if (vector?.length !== dimensions) continue;
      if (count === 0) addSpace.run(number, fingerprint, dimensions);
      addVector.run(number, key, sealed);
      count += 1;
    }
  }
  return count;
}

/** Only an earlier export is overwritten: a mistyped name must not cost a document. */
async function refuseForeignFile(target: string): Promise<void> {
  const found = await stat(target).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return undefined;
    throw cannotWrite(target, messageOf(thrown), thrown);
  });
  if (found && !(found.isFile() && isPortable(target))) {
    throw cannotWrite(target, 'it exists and is not an export');
  }
}

function cannotWrite(target: string, why: string, cause?: unknown): QuarryError {
  return new QuarryError(
    'file-unreadable',
    `Cannot export to ${target}: ${why}.`,
    'Name a new file in a folder that may be written and has free space.',
    { cause },
  );
}
