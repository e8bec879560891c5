import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportOptions, ExportReport } from '../../contracts/vector-cache.ts';
import { interrupted, messageOf, QuarryError } from '../../core/errors.ts';
import { CacheFile } from './cache-file.ts';
import { cacheProblem } from './cache-problem.ts';
import type { KeyedVector } from './cache-rows.ts';
import {
  digestBytes,
  encodeBeginning,
  isPortable,
  type PortableSpace,
  preambleBytes,
} from './portable-format.ts';
import { bytesOfVector, createVectorSeal } from './sealed-vector.ts';

/** Rows read before what they gave is written out. */
const rowsPerPage = 256;

/** Writes the vectors of a cache file, as they are at one moment, to a portable file that appears only when whole. */
export async function exportVectors(
  cachePath: string,
  target: string,
  { space, signal }: ExportOptions,
): Promise<ExportReport> {
  await refuseForeignFile(target);
  // A connection of its own: it holds one state of the file for as long as the writing takes.
  const file = new CacheFile(cachePath, { readOnly: true });
  const unfinished = `${target}.${randomUUID()}.part`;
  try {
    file.statement('BEGIN').run();
    const output = await open(unfinished, 'wx', 0o600);
    let report: ExportReport;
    try {
      report = await writePortable(output, file, space, signal);
      await output.sync();
    } finally {
      await output.close();
    }
    await rename(unfinished, target);
    return report;
  } catch (thrown) {
    await rm(unfinished, { force: true });
    throw exportFailure(thrown, cachePath, target);
  } finally {
    file.close();
  }
}

async function writePortable(
  output: FileHandle,
  file: CacheFile,
  only: string | undefined,
  signal: AbortSignal | undefined,
): Promise<ExportReport> {
  const spaces = await spacesIn(file, only, signal);
  const digest = createHash('sha256');
  let bytes = 0;
  const write = async (part: Uint8Array): Promise<void> => {
    digest.update(part);
    bytes += part.length;
    await output.writeFile(part);
  };
  await write(encodeBeginning(spaces));
  for (const space of spaces) {
    for await (const page of recordsOf(file, space, signal)) {
      await write(Buffer.concat(page.flatMap(({ key, vector }) => [key, bytesOfVector(vector)])));
    }
  }
  await output.writeFile(digest.digest());
  return {
    entries: spaces.reduce((sum, { count }) => sum + count, 0),
    bytes: bytes + digestBytes,
    spaces: spaces.map(({ fingerprint, dimensions, count }) => ({
      name: fingerprint,
      dimensions,
      entries: count,
    })),
  };
}

/** The spaces to write, with the number of their sound vectors: a first reading, for the header tells the counts. */
async function spacesIn(
  file: CacheFile,
  only: string | undefined,
  signal: AbortSignal | undefined,
): Promise<PortableSpace[]> {
  const rows = file.statement('SELECT fingerprint, dimensions FROM spaces ORDER BY fingerprint').all();
  const spaces = rows
    .map(({ fingerprint, dimensions }) => ({
      fingerprint: String(fingerprint),
      dimensions: Number(dimensions),
      count: 0,
    }))
    .filter(({ fingerprint }) => only === undefined || fingerprint === only);
  if (only !== undefined && spaces.length === 0) {
    throw new QuarryError(
      'usage-invalid',
      `The vector cache knows no space "${only}".`,
      'Run: quarry cache stats, to see the spaces it knows.',
    );
  }
  for (const space of spaces) {
    for await (const page of recordsOf(file, space, signal)) space.count += page.length;
  }
  return spaces.filter(({ count }) => count > 0);
}

/** The sound vectors of a space in the order of their keys; what is damaged stays behind. */
async function* recordsOf(
  file: CacheFile,
  { fingerprint, dimensions }: PortableSpace,
  signal: AbortSignal | undefined,
): AsyncGenerator<KeyedVector[]> {
  const seal = createVectorSeal(fingerprint);
  const select = file.statement(
    `SELECT hash, content FROM vectors
     WHERE space = (SELECT number FROM spaces WHERE fingerprint = ?) AND hash > ? ORDER BY hash LIMIT ?`,
  );
  for (let last: Uint8Array = Buffer.alloc(0); ; await nextTurn()) {
    if (signal?.aborted) throw interrupted(signal.reason);
    const rows = select.all(fingerprint, last, rowsPerPage);
    yield rows.flatMap(({ hash, content }) => {
      const key = hash as Uint8Array; // The column is declared a BLOB that is never null.
      last = key;
      const vector = content instanceof Uint8Array ? seal.open(key, content) : undefined;
      return vector?.length === dimensions ? [{ key, vector }] : [];
    });
    if (rows.length < rowsPerPage) return;
  }
}

/** Only what is an export already is overwritten: a slip of the keyboard shall not cost a document. */
async function refuseForeignFile(target: string): Promise<void> {
  const existing = await open(target, 'r').catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return undefined;
    throw cannotWrite(target, messageOf(thrown), thrown);
  });
  if (!existing) return;
  try {
    const { buffer, bytesRead } = await existing.read(Buffer.alloc(preambleBytes), 0, preambleBytes, 0);
    if (!isPortable(buffer.subarray(0, bytesRead))) throw cannotWrite(target, 'it exists and is no export');
  } catch (thrown) {
    throw thrown instanceof QuarryError ? thrown : cannotWrite(target, messageOf(thrown), thrown);
  } finally {
    await existing.close();
  }
}

function exportFailure(thrown: unknown, cachePath: string, target: string): QuarryError {
  if (thrown instanceof QuarryError) return thrown;
  const isSqlite = thrown instanceof Error && 'errcode' in thrown;
  return isSqlite ? cacheProblem(thrown, cachePath) : cannotWrite(target, messageOf(thrown), thrown);
}

function cannotWrite(target: string, why: string, cause?: unknown): QuarryError {
  return new QuarryError(
    'file-unreadable',
    `Cannot export to ${target}: ${why}.`,
    'Name a new file in a folder that may be written and has free space.',
    { cause },
  );
}
