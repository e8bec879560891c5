import { isDeepStrictEqual } from 'node:util';
import type { IndexState, Store } from '../contracts/store.ts';
import { createFileStamps } from '../platform/file-stamps.ts';
import { recipeOf } from '../settings/recipe.ts';
import type { Settings } from '../settings/settings.ts';

/** The settings that a project was opened with, beside those of today. */
export interface SettingsInUse {
  /** Whether what decides about its index is set otherwise by now; settings that cannot be read change nothing. */
  isOutdated(): Promise<boolean>;
}

/** Follows the files with settings, and from now on: called before they are read. */
export async function followSettings(
  files: readonly string[],
): Promise<(own: Settings, readToday: () => Promise<Settings>) => SettingsInUse> {
  const stamps = createFileStamps();
  await stamps.follow(files);
  return (own, readToday) => {
    let isOutdated = false;
    return {
      async isOutdated() {
        if ((await stamps.changed()).length === 0) return isOutdated;
        isOutdated = await readToday().then(
          (today) => !isDeepStrictEqual(partForIndex(today), partForIndex(own)),
          () => isOutdated,
        );
        return isOutdated;
      },
    };
  };
}

/** Counts documents that are cut as previous settings said; settings that are previous ones themselves have no say in it. */
export function staleCounter(
  settings: Settings,
  inUse: SettingsInUse,
): (store: Store, state: IndexState) => Promise<number> {
  return async (store, state) => {
    if (await inUse.isOutdated()) return 0;
    const { staleEntries } = await import('../indexing/recipe.ts');
    return (await staleEntries(store, recipeOf(settings), state)).length;
  };
}

function partForIndex(settings: Settings): unknown {
  const { index, embedder, embedders } = settings;
  return { recipe: recipeOf(settings), index, embedder, embedders };
}
