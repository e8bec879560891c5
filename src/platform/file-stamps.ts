import { stat } from 'node:fs/promises';

/** Remembers what files looked like, so that a change is found without reading them. */
export interface FileStamps {
  /** Looks at these files from now on, beside those it knows already; what it knew is not forgotten. */
  follow(paths: Iterable<string>): Promise<void>;
  /** The files that have appeared, changed or gone since the last look; a folder only where another took its place. */
  changed(): Promise<string[]>;
}

/** Stamps of no files yet. */
export function createFileStamps(): FileStamps {
  const stamps = new Map<string, string>();
  return {
    async follow(paths) {
      const fresh = [...new Set(paths)].filter((path) => !stamps.has(path));
      await Promise.all(fresh.map(async (path) => stamps.set(path, await stampOf(path))));
    },
    async changed() {
      const looked = await Promise.all(
        [...stamps].map(async ([path, before]) => ({ path, before, now: await stampOf(path) })),
      );
      for (const { path, now } of looked) stamps.set(path, now);
      return looked.filter(({ before, now }) => before !== now).map(({ path }) => path);
    },
  };
}

async function stampOf(path: string): Promise<string> {
  try {
    const stats = await stat(path);
    const identity = `${stats.dev}:${stats.ino}`;
    // The time of a folder changes with everything in it.
    return stats.isDirectory() ? identity : `${identity}:${stats.size}:${stats.mtimeMs}`;
  } catch {
    return 'absent';
  }
}
