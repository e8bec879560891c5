import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { idOfFolder } from '../../client/folder-id.ts';
import { QuarryError } from '../../core/errors.ts';
import type { OfferedProject } from './host.ts';

/** Where the folders come from that a model may search. */
export interface FolderSources {
  /** Folders that the user named; where there are any, nothing else counts. */
  readonly named: readonly string[];
  /** Folders that the client has open, as addresses; undefined where it does not tell. */
  roots(): Promise<readonly string[] | undefined>;
}

/** The projects that are offered: what the user named, else what the client has open, else the current folder. */
export async function offeredProjects({ named, roots }: FolderSources): Promise<OfferedProject[]> {
  if (named.length > 0) return projectsOf(named.map(requireFolder));
  const open = (await roots())?.flatMap(pathOfRoot).filter(isFolder);
  if (open && open.length > 0) return projectsOf(open.filter(isNarrow));
  if (!isNarrow('.')) return [];
  const { findProjectFolder } = await import('../../project/state-folder.ts');
  return projectsOf([await findProjectFolder('.')].filter(isNarrow));
}

/** A home folder or the whole disk is no project: some clients start their servers there. */
function isNarrow(folder: string): boolean {
  const real = realpathSync(folder);
  return dirname(real) !== real && real !== realpathSync(homedir());
}

function pathOfRoot(uri: string): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    // No address of a folder of this machine.
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function requireFolder(path: string): string {
  if (isFolder(path)) return resolve(path);
  throw new QuarryError('project-not-found', `${resolve(path)} is no folder.`, 'Name an existing folder.');
}

function projectsOf(folders: readonly string[]): OfferedProject[] {
  const real = [...new Set(folders.map((folder) => realpathSync(folder)))];
  const names = distinctNames(real);
  return real.map((folder, at) => ({ id: idOfFolder(folder), folder, name: names[at] ?? folder }));
}

/** Names of folders: their own, and of those that share one with as many of the folders around them as it takes. */
export function distinctNames(folders: readonly string[]): string[] {
  const parts = folders.map((folder) => folder.split(/[\\/]/).filter((part) => part !== ''));
  const ends = (length: number): string[] => parts.map((each) => each.slice(-length).join('/'));
  return folders.map((folder, at) => {
    for (let length = 1; length <= (parts[at]?.length ?? 0); length += 1) {
      const names = ends(length);
      const name = names[at] ?? folder;
      if (names.indexOf(name) === names.lastIndexOf(name)) return name;
    }
    return folder;
  });
}
