import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { distinctNames } from '../../client/distinct-names.ts';
import { QuarryError } from '../../core/errors.ts';
import { idOfFolder } from '../../core/identity.ts';
import type { OfferedProject } from './host.ts';

/** Where the folders come from that a model may search. */
export interface FolderSources {
  /** Folders that the user named; where there are any, nothing else counts. */
  readonly named: readonly string[];
  /** Folders that the client has open, as addresses; undefined where it does not tell. */
  roots(): Promise<readonly string[] | undefined>;
  /** Names by folder that were given before: they stay valid, and new ones are added. */
  readonly names?: Map<string, string>;
}

/** The projects that are offered: what the user named, else what the client has open, else the current folder. */
export async function offeredProjects({
  named,
  roots,
  names = new Map(),
}: FolderSources): Promise<OfferedProject[]> {
  if (named.length > 0) return projectsOf(named.map(requireFolder), names);
  const open = (await roots())?.flatMap(pathOfRoot).filter(isFolder);
  if (open && open.length > 0) return projectsOf(open.filter(isNarrow), names);
  if (!isNarrow('.')) return [];
  const { findProjectFolder } = await import('../../state-folder/state-folder.ts');
  return projectsOf([await findProjectFolder('.')].filter(isNarrow), names);
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
  throw new QuarryError('project-not-found', `${resolve(path)} is not a folder.`, 'Name an existing folder.');
}

function projectsOf(folders: readonly string[], names: Map<string, string>): OfferedProject[] {
  const real = [...new Set(folders.map((folder) => realpathSync(folder)))];
  for (const [folder, name] of distinctNames([...real, ...names.keys()], { given: names }))
    names.set(folder, name);
  return real.map((folder) => ({ id: idOfFolder(folder), folder, name: names.get(folder) ?? folder }));
}
