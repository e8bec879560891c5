import { join } from 'node:path';
import { QuarryError } from '../../../core/errors.ts';
import { counted } from '../../../core/text/counted.ts';
import type { SearchHit } from '../../../operations/find/hit-as-data.ts';
import { processEnvironment } from '../../../platform/environment.ts';
import { readOwnFile, writeOwnFile } from '../../../platform/own-files.ts';
import { findProjectFolder, hasStateFolder, stateFolderOf } from '../../../state-folder/state-folder.ts';
import type { AnswerFolder } from '../run/follower.ts';

const fileName = 'last-search.json';

/** Where a hit of the last search is. */
export interface LastHit {
  readonly folder: string;
  readonly path: string;
  /** Absent where the place of the hit is not a line of the file. */
  readonly line?: number | undefined;
}

/** Remembers the hits of a search, for `quarry open`. A folder without an index, or one that cannot be written, keeps none. */
export async function rememberHits(answered: AnswerFolder, hits: readonly SearchHit[]): Promise<void> {
  // Those of several projects are kept where they were asked for.
  const folder = typeof answered === 'string' ? answered : await findProjectFolder('.');
  const kept = hits.map(({ path, lines }) => ({ path, ...(lines && { line: lines[0] }) }));
  try {
    if (hasStateFolder(folder)) writeOwnFile(join(stateFolderOf(folder), fileName), JSON.stringify(kept));
  } catch {
    // `quarry open` says that there is no last search.
  }
}

/** The n-th hit of the last search in the project that the current folder belongs to. */
export async function lastHit(number: number): Promise<LastHit> {
  // Loaded here: a search, which remembers its hits, needs no schemas.
  const { z } = await import('zod');
  const schema = z.array(z.object({ path: z.string(), line: z.int().min(1).optional() }));
  const folder = await findProjectFolder('.');
  const read = (): readonly Omit<LastHit, 'folder'>[] | undefined => {
    try {
      if (!hasStateFolder(folder)) return undefined;
      return schema.parse(JSON.parse(String(readOwnFile(join(stateFolderOf(folder), fileName)))));
    } catch {
      // What is no list of ours counts as no search.
      return undefined;
    }
  };
  const hits = read();
  const hit = hits?.[number - 1];
  if (hit) return { ...hit, ...(await placeOf(folder, hit.path)) };
  throw new QuarryError('usage-invalid', missing(hits?.length, number), 'Run: quarry search QUERY');
}

function missing(found: number | undefined, number: number): string {
  if (found === undefined) return 'There is no last search.';
  if (found === 0) return 'The last search found nothing.';
  return `The last search has ${counted(found, 'hit')}, and no hit ${number}.`;
}

/** A path that begins with the name of a registered project is of that one: what a folder holds names no other folder. */
async function placeOf(folder: string, path: string): Promise<Pick<LastHit, 'folder' | 'path'>> {
  const { splitProject } = await import('../../../core/project-names.ts');
  if (!splitProject(path, () => true)) return { folder, path };
  const { openUserProjects } = await import('../../../user/projects-file.ts');
  const { projectNames } = await import('../../../engine/project-address.ts');
  const known = await openUserProjects(processEnvironment).read();
  const names = projectNames(known, new Map());
  const entryOf = (name: string) => known.find(({ id }) => names.get(id) === name);
  const named = splitProject(path, (name) => entryOf(name) !== undefined);
  return { folder: (named && entryOf(named.name)?.folder) ?? folder, path: named?.rest ?? path };
}
