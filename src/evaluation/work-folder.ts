import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf, QuarryError } from '../core/errors.ts';
import { waitForLock } from '../platform/writer-lock.ts';
import { openProject } from '../project/open-project.ts';

/** Settings by dotted key, as a caller gives them to a project. */
export type GivenSettings = Readonly<Record<string, unknown>>;

/** Settings that cut or choose files in another way. */
const indexKeys = /^(chunk|types|origins|max_age|preset|index\.|store\.)/;

/** Whether two sets of given settings lead to an index with the same passages. */
export function cutTheSame(first: GivenSettings, second: GivenSettings): boolean {
  const cutting = (settings: GivenSettings) =>
    JSON.stringify(
      Object.entries(settings)
        .filter(([key]) => indexKeys.test(key))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return cutting(first) === cutting(second);
}

/**
 * The place below the user's cache where a set is kept (its absolute path or its name), one for each way of indexing it: two evaluations at a time must
 * not take turns in rebuilding one index, nor drop each other's vectors.
 */
export async function placeOf(cacheFolder: string, source: string, settings: GivenSettings): Promise<string> {
  const root = join(cacheFolder, 'evaluation');
  await writable(mkdir(root, { recursive: true, mode: 0o700 }), root);
  const project = await openProject(root, { settings });
  const { index, types, origins, max_age_days, chunkers, chunking, embedder, embedders, store } =
    project.settings;
  await project.close();
  // How many threads do the work is of no matter for what they make.
  const shape = [index, types, origins, max_age_days, chunkers, chunking, embedder, embedders, store];
  const variant = shortHash(
    JSON.stringify(shape, (key, value) => (/^threads$|_seconds$/.test(key) ? undefined : value)),
  );
  const name = basename(source)
    .replace(/[^\w.-]/g, '_')
    .slice(0, 60);
  return join(root, `${name}-${shortHash(source)}`, variant);
}

/**
 * Has the content of a place made by `make`, unless it was made from the same: `madeFrom` names everything that the
 * content depends on. One process at a time; what was left half-made is made again.
 */
export async function keepMade(
  place: string,
  madeFrom: string,
  make: () => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  await writable(mkdir(place, { recursive: true, mode: 0o700 }), place);
  const lock = await waitForLock(join(place, 'lock'), { signal });
  const note = join(place, 'made-from');
  try {
    if ((await readFile(note, 'utf8').catch(() => '')) === madeFrom) return;
    await rm(note, { force: true });
    await make();
    await writeFile(note, madeFrom);
  } finally {
    lock.release();
  }
}

/** Writes files into a folder as they come and removes those that are left over from before; `.quarry` stays. */
export async function writeFolder(
  folder: string,
  files: AsyncIterable<{ readonly path: string; readonly content: string | Uint8Array }>,
): Promise<void> {
  await writable(mkdir(folder, { recursive: true }), folder);
  const written = new Set<string>();
  for await (const { path, content } of files) {
    const target = join(folder, path);
    if (path.includes('/')) await mkdir(dirname(target), { recursive: true });
    const bytes = Buffer.from(content);
    // A file that is as it was keeps its time, and the index need not look into it.
    const present = await readFile(target).catch(() => undefined);
    if (!present?.equals(bytes)) await writable(writeFile(target, bytes), target);
    written.add(path);
  }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
      .slice(folder.length + 1)
      .replaceAll('\\', '/');
    if (entry.isFile() && !path.startsWith('.quarry/') && !written.has(path))
      await rm(join(folder, path), { force: true });
  }
}

/** SHA-256 of a file's bytes, in hex. */
export async function fileHash(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const part of createReadStream(file)) hash.update(part as Uint8Array);
  } catch (cause) {
    throw new QuarryError(
      'file-unreadable',
      `The file ${file} cannot be read: ${messageOf(cause)}.`,
      'Check the path and its permissions.',
      { cause },
    );
  }
  return hash.digest('hex');
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** Waits for work on a file below the cache; a failure says which, and what to do about it. */
export async function writable<Result>(work: Promise<Result>, path: string): Promise<Result> {
  return work.catch((cause: unknown) => {
    throw new QuarryError(
      'store-unusable',
      `${path} cannot be written: ${messageOf(cause)}.`,
      'Free some space, or set QUARRY_CACHE_FOLDER to a folder that may be written.',
      { cause },
    );
  });
}
