import { lstat, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { messageOf, QuarryError } from '../core/errors.ts';
import { systemCodeOf } from '../core/failures/machine-failure.ts';
import { ensureOwnFolder, hasOwnFolder, readOwnFile, withinOwnFolder } from '../platform/own-files.ts';
import { writeDurably } from '../platform/write-durably.ts';

const pointerName = 'current';
/** The name of the first index. */
export const firstIndex = 'index-1';
/** Nobody makes more of them: a longer number came with the folder, and may leave no number after it. */
const indexName = /^index-(\d{1,9})$/;

/** The folder of the index that answers, by its name in the state folder. */
export async function currentIndex(stateFolder: string): Promise<string> {
  // Before the first switch there is no pointer.
  const name = readPointer(stateFolder) || firstIndex;
  if (indexName.test(name) && hasOwnFolder(join(stateFolder, name))) return name;
  // A pointer that is lost or leads nowhere does not make the indexes that are there vanish: the newest one answers.
  return (await indexNames(stateFolder)).at(-1) ?? firstIndex;
}

/** Every search asks: read at once, this takes a twentieth of what it takes in the background. */
function readPointer(stateFolder: string): string {
  try {
    return readOwnFile(join(stateFolder, pointerName))?.toString().trim() ?? '';
  } catch (cause) {
    throw unusable(stateFolder, cause);
  }
}

/** The indexes in the state folder, oldest first. */
async function indexNames(stateFolder: string): Promise<string[]> {
  const names = await namesIn(stateFolder);
  return names.filter((name) => indexName.test(name)).sort((a, b) => numberOf(a) - numberOf(b));
}

/** What is in the state folder; nothing where there is none. One that cannot be listed must not pass for an empty one. */
export async function namesIn(stateFolder: string): Promise<string[]> {
  return readdir(stateFolder).catch((cause: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(cause) ?? '')) return [];
    throw unusable(stateFolder, cause);
  });
}

/** The number in the name of an index; later ones have higher numbers. */
export function numberOf(name: string): number {
  return Number(indexName.exec(name)?.[1]);
}

/** The path of an index's folder, made where it is absent. */
export async function indexFolder(stateFolder: string, name: string): Promise<string> {
  const folder = join(stateFolder, name);
  try {
    ensureOwnFolder(folder);
  } catch (cause) {
    throw unusable(stateFolder, cause);
  }
  return folder;
}

/** Lets another index answer from now on, in one step: readers see the one or the other. */
export async function switchIndex(stateFolder: string, name: string): Promise<void> {
  try {
    await writeDurably(join(stateFolder, pointerName), `${name}\n`, 0o600);
  } catch (cause) {
    throw unusable(stateFolder, cause);
  }
}

/** A name that comes after those of all indexes that are there, or the first free one where none can. */
export async function nextIndex(stateFolder: string): Promise<string> {
  const names = await indexNames(stateFolder);
  const next = `index-${numberOf(names.at(-1) ?? firstIndex) + 1}`;
  if (indexName.test(next)) return next;
  let number = 1;
  while (names.includes(`index-${number}`)) number += 1;
  return `index-${number}`;
}

/** The indexes in the state folder that do not answer. */
export async function otherIndexes(stateFolder: string): Promise<string[]> {
  const current = await currentIndex(stateFolder);
  return (await indexNames(stateFolder)).filter((name) => name !== current);
}

/** Removes indexes; one that another process still has open on a platform that minds goes with the next attempt. */
export async function removeIndexes(stateFolder: string, names: readonly string[]): Promise<void> {
  await withinOwnFolder(stateFolder, async (folder) => {
    for (const name of names) {
      // It goes with the next attempt.
      await rm(join(folder, name), { recursive: true, force: true, maxRetries: 2 }).catch(() => {});
    }
  });
}

/** The pointer, the name of the copy and the trial of locks as a killed process left them, and the index of the layout that knew but one. */
const leftover =
  /^((current|copy)\.[\w-]+\.tmp|locks-[\w-]+\.tmp(-journal)?|index\.sqlite(-wal|-shm|-journal|\.damaged|\.mended.*|\.vectors-.*)?)$/;

/** Removes leftovers in the state folder and returns their names. The caller holds the lock. */
export async function removeLeftovers(stateFolder: string): Promise<string[]> {
  const removed: string[] = [];
  await withinOwnFolder(stateFolder, async (folder) => {
    const names = (await namesIn(folder)).filter((name) => leftover.test(name));
    for (const name of names.sort()) {
      if (await isInUse(join(folder, name))) continue;
      const isGone = await rm(join(folder, name), { force: true, maxRetries: 2 }).then(
        () => true,
        // It goes the next time.
        () => false,
      );
      if (isGone) removed.push(name);
    }
  });
  return removed;
}

/** A process tries out in a file of its own whether there are locks: that takes a moment, and a killed one leaves it. */
const triedWithin = 60_000;

async function isInUse(path: string): Promise<boolean> {
  if (!basename(path).startsWith('locks-')) return false;
  // Gone meanwhile.
  const found = await lstat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs < triedWithin;
}

/** Files that Quarry makes in the state folder besides its locks. */
const ownFile = /^(current|copy|last-search\.json|\.gitignore|\w+\.lock-journal)$/;
/** Folders that it makes there, whose content is its own as a whole. */
const ownFolder = /^((index|foreign)-\d+|reports|lancedb|graph)$/;

/** Removes all that Quarry made in the state folder but its locks. */
export async function removeOwnState(
  stateFolder: string,
  isLock: (name: string) => boolean,
): Promise<{ readonly removed: readonly string[]; readonly left: readonly string[] }> {
  const isOwn = (name: string) => ownFolder.test(name) || ownFile.test(name) || leftover.test(name);
  const state = await withinOwnFolder(stateFolder, async (folder) => {
    const names = (await readdir(folder)).filter((name) => !isLock(name)).sort();
    const removed: string[] = [];
    for (const name of names.filter(isOwn)) {
      const path = join(folder, name);
      const recursive = ownFolder.test(name);
      // Quarry makes no folder with the name of a file. A link is removed itself, never what it leads to.
      if (!recursive && (await lstat(path)).isDirectory()) continue;
      await rm(path, { recursive, force: true, maxRetries: 3 });
      removed.push(name);
    }
    return { removed, left: names.filter((name) => !removed.includes(name)) };
  });
  return state ?? { removed: [], left: [] };
}

/** The error for a state folder that cannot be read or written. */
export function unusable(stateFolder: string, cause: unknown): QuarryError {
  if (cause instanceof QuarryError) return cause;
  return new QuarryError(
    'store-unusable',
    `The index folder ${stateFolder} cannot be used: ${messageOf(cause)}`,
    'Check that it may be read and written and has free space.',
    { cause },
  );
}
