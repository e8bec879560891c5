import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { counted } from '../../core/counted.ts';
import { QuarryError } from '../../core/errors.ts';
import type { SearchHit } from '../../operations/search.ts';
import { findProjectFolder, stateFolderOf } from '../../project/state-folder.ts';

const fileName = 'last-search.json';

/** Where a hit of the last search is. */
export interface LastHit {
  readonly folder: string;
  readonly path: string;
  /** Absent where the place of the hit is not a line of the file. */
  readonly line?: number | undefined;
}

/** Remembers the hits of a search, for `quarry open`. A folder without an index, or one that cannot be written, keeps none. */
export async function rememberHits(folder: string, hits: readonly SearchHit[]): Promise<void> {
  const kept = hits.map(({ path, lines }) => ({ path, ...(lines && { line: lines[0] }) }));
  await writeFile(join(stateFolderOf(folder), fileName), JSON.stringify(kept)).catch(() => {});
}

/** The n-th hit of the last search in the project that the current folder belongs to. */
export async function lastHit(number: number): Promise<LastHit> {
  // Loaded here: a search, which remembers its hits, needs no schemas.
  const { z } = await import('zod');
  const schema = z.array(z.object({ path: z.string(), line: z.int().min(1).optional() }));
  const folder = await findProjectFolder('.');
  const hits = await readFile(join(stateFolderOf(folder), fileName), 'utf8')
    .then((text) => schema.parse(JSON.parse(text)))
    .catch(() => []);
  const hit = hits[number - 1];
  if (hit) return { folder, ...hit };
  throw new QuarryError(
    'usage-invalid',
    hits.length === 0
      ? 'There is no last search.'
      : `The last search has ${counted(hits.length, 'hit')}, and no hit ${number}.`,
    'Run: quarry search QUERY',
  );
}
