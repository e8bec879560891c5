import { randomUUID } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportOptions, ExportReport } from '../../contracts/vector-cache.ts';
import { interrupted, messageOf, QuarryError } from '../../core/errors.ts';
import { CacheFile } from './cache-file.ts';
import { cacheProblem } from './cache-problem.ts';
import { createPortable, isPortable, type PortableSpace, spacesOf } from './portable-file.ts';
import { createVectorSeal } from './sealed-vector.ts';

/** Rows copied before the rest of the process gets its turn. */
const rowsPerPage = 256;

/** Copies the vectors of a cache, as they are at one moment, to a portable file that appears only when whole. */
export async function exportVectors(
  cachePath: string,
  target: string,
  { space, signal }: ExportOptions,
): Promise<ExportReport> {
  await refuseForeignFile(target);
  // A connection of its own: it holds one state of the cache for as long as the writing takes.
  const cache = new CacheFile(cachePath, { readOnly: true });
  const unfinished = `${target}.${randomUUID()}.part`;
  try {
    cache.statement('BEGIN').run();
    await writeEmptyFile(unfinished);
    const spaces = await fill(unfinished, cache, space, signal);
    await sync(unfinished);
    const { size } = await stat(unfinished);
    await rename(unfinished, target);
    return { entries: spaces.reduce((sum, { entries }) => sum + entries, 0), bytes: size, spaces };
  } catch (thrown) {
    await rm(unfinished, { force: true });
    throw exportFailure(thrown, cachePath, target);
  } finally {
    cache.close();
  }
}

async function fill(
  path: string,
  cache: CacheFile,
  only: string | undefined,
  signal: AbortSignal | undefined,
): Promise<ExportReport['spaces']> {
  const chosen = spacesOf((sql) => cache.statement(sql)).filter(
    ({ fingerprint }) => only === undefined || fingerprint === only,
  );
  if (only !== undefined && chosen.length === 0) throw unknownSpace(only);
  const output = createPortable(path);
  try {
    const spaces: { name: string; dimensions: number; entries: number }[] = [];
    for (const space of chosen) {
      const entries = await copySpace(cache, output, space, signal);
      if (entries > 0) spaces.push({ name: space.fingerprint, dimensions: space.dimensions, entries });
    }
    output.exec('COMMIT');
    return spaces;
  } finally {
    output.close();
  }
}

/** Copies the sound vectors of a space; what is damaged stays behind. */
async function copySpace(
  cache: CacheFile,
  output: DatabaseSync,
  { number, fingerprint, dimensions }: PortableSpace,
  signal: AbortSignal | undefined,
): Promise<number> {
  const seal = createVectorSeal(fingerprint);
  const select = cache.statement(
    'SELECT hash, content FROM vectors WHERE space = ? AND hash > ? ORDER BY hash LIMIT ?',
  );
  const addSpace = output.prepare(
    'INSERT INTO spaces (number, fingerprint, dimensions) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const addVector = output.prepare('INSERT INTO vectors (space, hash, content) VALUES (?, ?, ?)');
  let count = 0;
  for (let last: Uint8Array = new Uint8Array(); ; await nextTurn()) {
    if (signal?.aborted) throw interrupted(signal.reason);
    const rows = select.all(number, last, rowsPerPage);
    for (const { hash, content } of rows) {
      last = hash as Uint8Array; // The column is declared a BLOB that is never null.
      const sealed = content instanceof Uint8Array ? content : new Uint8Array();
      if (seal.open(last, sealed)?.length !== dimensions) continue;
      if (count === 0) addSpace.run(number, fingerprint, dimensions);
      addVector.run(number, last, sealed);
      count += 1;
    }
    if (rows.length < rowsPerPage) return count;
  }
}

/** Only the user may read what is exported. */
async function writeEmptyFile(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  await file.close();
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Only what is an export already is overwritten: a slip of the keyboard must not cost a document. */
async function refuseForeignFile(target: string): Promise<void> {
  const mayReplace = await isPortable(target).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return true;
    throw cannotWrite(target, messageOf(thrown), thrown);
  });
  if (!mayReplace) throw cannotWrite(target, 'it exists and is no export');
}

function exportFailure(thrown: unknown, cachePath: string, target: string): QuarryError {
  if (thrown instanceof QuarryError) return thrown;
  const isSqlite = thrown instanceof Error && 'errcode' in thrown;
  return isSqlite ? cacheProblem(thrown, cachePath) : cannotWrite(target, messageOf(thrown), thrown);
}

function unknownSpace(name: string): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `The vector cache knows no space "${name}".`,
    'Run: quarry cache stats, to see the spaces it knows.',
  );
}

function cannotWrite(target: string, why: string, cause?: unknown): QuarryError {
  return new QuarryError(
    'file-unreadable',
    `Cannot export to ${target}: ${why}.`,
    'Name a new file in a folder that may be written and has free space.',
    { cause },
  );
}
