import { opendir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { messageOf, QuarryError } from '../core/errors.ts';

/** A folder to choose from. */
export interface ListedFolder {
  readonly name: string;
  readonly folder: string;
}

/** What is in a folder, as far as it can be chosen. */
export interface FolderList {
  readonly folder: string;
  /** The folder around it; absent at the top. */
  readonly parent?: string;
  readonly folders: readonly ListedFolder[];
  /** Whether there are more than are listed. */
  readonly is_cut: boolean;
}

/** Folders that are listed of one, and entries that are looked at for them. */
const max = { listed: 500, entries: 20_000 };

/** The folders in a folder, by name; hidden ones and links are left out. Only names are read. */
export async function listFolders(folder: string): Promise<FolderList> {
  const place = resolve(folder);
  const { names, isCut } = await foldersIn(place).catch((cause) => {
    throw new QuarryError(
      'file-unreadable',
      `${place} cannot be listed: ${messageOf(cause)}.`,
      'Choose another folder.',
      { cause },
    );
  });
  const parent = dirname(place);
  return {
    folder: place,
    ...(parent !== place && { parent }),
    folders: names.slice(0, max.listed).map((name) => ({ name, folder: join(place, name) })),
    is_cut: isCut || names.length > max.listed,
  };
}

/** Bounds of a look for a folder: how deep, how many folders, how long in milliseconds, how many are found. */
const search = { depth: 5, folders: 20_000, milliseconds: 3000, found: 5 };

/** Folders that were found, and whether the look ended before all were seen. */
export interface FoundFolders {
  readonly folders: readonly string[];
  readonly is_cut: boolean;
}

/**
 * The folders below this one that have a name and hold these entries, nearest first: a browser says both of a folder that is
 * dropped on it, and not where it is.
 */
export async function findFolders(
  below: string,
  name: string,
  entries: readonly string[],
): Promise<FoundFolders> {
  const until = performance.now() + search.milliseconds;
  const found: string[] = [];
  let level = [resolve(below)];
  let looked = 0;
  if (basename(level[0] ?? '') === name && (await holdsAll(level[0] ?? '', entries)))
    found.push(level[0] ?? '');
  for (let depth = 0; depth < search.depth && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      looked += 1;
      if (looked > search.folders || performance.now() > until || found.length >= search.found)
        return { folders: found.slice(0, search.found), is_cut: true };
      // A folder that cannot be read holds nothing that could be indexed.
      const { names } = await foldersIn(folder).catch(() => ({ names: [] }));
      for (const inner of names) {
        const path = join(folder, inner);
        if (inner === name && (await holdsAll(path, entries))) found.push(path);
        // Installed code has thousands of folders, and is nobody's.
        if (inner !== 'node_modules') next.push(path);
      }
    }
    level = next;
  }
  return { folders: found.slice(0, search.found), is_cut: found.length > search.found };
}

async function foldersIn(folder: string): Promise<{ readonly names: string[]; readonly isCut: boolean }> {
  const names: string[] = [];
  let looked = 0;
  for await (const entry of await opendir(folder)) {
    looked += 1;
    if (looked > max.entries) return { names: names.sort(), isCut: true };
    // A link may lead anywhere: its target is chosen where it is.
    if (entry.isDirectory() && !entry.name.startsWith('.')) names.push(entry.name);
  }
  return { names: names.sort((one, other) => one.localeCompare(other)), isCut: false };
}

async function holdsAll(folder: string, entries: readonly string[]): Promise<boolean> {
  const missing = new Set(entries);
  let looked = 0;
  try {
    for await (const { name } of await opendir(folder)) {
      missing.delete(name);
      looked += 1;
      if (missing.size === 0 || looked > max.entries) break;
    }
  } catch {
    // It cannot be looked into, so nobody knows.
    return false;
  }
  return missing.size === 0;
}
