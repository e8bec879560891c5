import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { GivenSettings } from '../../src/evaluation/evaluation-set.ts';
import { waitForLock } from '../../src/platform/sqlite/writer-lock.ts';
import { openProject } from '../../src/project/open-project.ts';

/**
 * The folder below the cache where a collection is kept, one for each way of indexing it: two evaluations at a time
 * must not rebuild one index in turns, nor drop each other's vectors. `source` is an absolute path or a name.
 */
export async function placeOf(cacheFolder: string, source: string, settings: GivenSettings): Promise<string> {
  const root = join(cacheFolder, 'evaluation');
  await mkdir(root, { recursive: true, mode: 0o700 });
  const project = await openProject(root, { settings });
  const { index, types, origins, max_age_days, chunkers, chunking, embedder, embedders, store } =
    project.settings;
  await project.close();
  // How many threads do the work does not change the result.
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
 * Lets `make` create the content of a place, unless it was already made from the same: `madeFrom` names everything that
 * the content depends on. One process at a time; unfinished content is made again.
 */
export async function keepMade(
  place: string,
  madeFrom: string,
  make: () => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  await mkdir(place, { recursive: true, mode: 0o700 });
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
  await mkdir(folder, { recursive: true });
  const written = new Set<string>();
  for await (const { path, content } of files) {
    const target = join(folder, path);
    if (path.includes('/')) await mkdir(dirname(target), { recursive: true });
    const bytes = Buffer.from(content);
    // An unchanged file keeps its time, so the index need not read it.
    const present = await readFile(target).catch(() => undefined);
    if (!present?.equals(bytes)) await writeFile(target, bytes);
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
  for await (const part of createReadStream(file)) hash.update(part as Uint8Array);
  return hash.digest('hex');
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
