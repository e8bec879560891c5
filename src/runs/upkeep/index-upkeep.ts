import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { KeptPlace } from '../../added/kept-proof.ts';
import { keepStored } from '../../added/stored-content.ts';
import type { CleanReport, ManifestListing } from '../../calls/project.ts';
import type { Store } from '../../contracts/store.ts';
import { chunksOf } from '../../index/chunks-of.ts';
import { withinOwnFolder } from '../../platform/own-files.ts';
import { namesIn, removeOwnState } from '../../state-folder/index-folders.ts';
import { ensureStateFolder } from '../../state-folder/state-folder.ts';
import { isLockFile, type ProjectIndex } from '../indexes/project-index.ts';

/** Removes what no longer answers, or everything; waits for the locks. */
export async function cleanState(
  index: ProjectIndex,
  project: KeptPlace,
  all: boolean,
): Promise<Omit<CleanReport, 'kept'>> {
  const stateFolder = await ensureStateFolder(project.folder);
  const before = await bytesIn(stateFolder);
  const removed: string[] = [];
  const left: string[] = [];
  // biome-ignore lint/correctness/useYield: there is nothing to emit but that the lock is waited for.
  const work = async function* (): AsyncGenerator<never> {
    removed.push(...(await index.clean()));
    if (!all) return;
    await keepStored(project, await index.store());
    await index.removeCurrent();
    await index.close();
    const state = await removeOwnState(stateFolder, isLockFile);
    removed.push(...(state.left.length > 0 ? state.removed : [basename(stateFolder)]));
    left.push(...state.left);
    await removeLocks(stateFolder);
  };
  const writing = () => index.writing({ wait: true }, work);
  for await (const _ of all ? index.makingVectors({ wait: true }, writing) : writing());
  const bytes = Math.max(0, before - (await bytesIn(stateFolder)));
  if (!all) return { removed, bytes };
  await removeLocks(stateFolder);
  return { removed, bytes, ...(left.length > 0 && { left }) };
}

/**
 * Removes the locks and the folder, unless another process has begun to write there: as long as they are held where the
 * system allows it, otherwise once they are let go.
 */
async function removeLocks(stateFolder: string): Promise<void> {
  const isEmpty = await withinOwnFolder(stateFolder, async (folder) => {
    const names = await namesIn(folder);
    if (!names.every(isLockFile)) return false;
    // Windows removes none that is held; what stays is a lock that nobody holds.
    for (const name of names) await rm(join(folder, name), { force: true }).catch(() => {});
    return true;
  });
  if (!isEmpty) return;
  // It stays where somebody has begun to write there.
  await rmdir(stateFolder).catch(() => {});
}

/** What the index remembers of every path, with the identities of its chunks where they are wanted. */
export async function listManifest(store: Store, withChunks: boolean): Promise<ManifestListing[]> {
  const entries = [...(await store.manifest())].sort((a, b) => (a.uri < b.uri ? -1 : 1));
  if (!withChunks) return entries;
  const ids = new Map((await store.documents()).map(({ uri, id }) => [uri, id]));
  const listings: ManifestListing[] = [];
  for (const entry of entries) {
    const id = ids.get(entry.uri);
    const chunks = id === undefined ? [] : await chunksOf(store, id);
    listings.push({ ...entry, chunkIds: chunks.map((chunk) => chunk.id) });
  }
  return listings;
}

/** Links are neither followed nor counted. */
async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  // What goes meanwhile takes no space.
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await bytesIn(path);
    // Gone meanwhile.
    else if (entry.isFile()) bytes += (await lstat(path).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}
