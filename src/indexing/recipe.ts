import type { IndexState, ManifestEntry, Store } from '../contracts/store.ts';
import { holdingsOf } from '../index/holdings.ts';

/**
 * Whether what was made by a recipe is to be made again by the one of today. An earlier version of Quarry, which a recipe
 * begins with, leaves what a later one made as it is.
 */
export function isStale(recipe: string, today: string): boolean {
  return recipe !== today && versionIn(recipe) <= versionIn(today);
}

function versionIn(recipe: string): number {
  return Number(/^\[(\d+),/.exec(recipe)?.[1] ?? 0);
}

// An index that has not changed gives the very list that it gave before: what was found in it still holds.
const found = new WeakMap<readonly ManifestEntry[], { today: string; stale: readonly ManifestEntry[] }>();

/** The manifest entries of documents that were cut by previous settings. */
export async function staleEntries(
  store: Store,
  today: string,
  state?: IndexState,
): Promise<readonly ManifestEntry[]> {
  const { entries } = await holdingsOf(store, state);
  const known = found.get(entries);
  if (known?.today === today) return known.stale;
  const stale = entries.filter(({ status, recipe }) => status === 'indexed' && isStale(recipe, today));
  found.set(entries, { today, stale });
  return stale;
}
