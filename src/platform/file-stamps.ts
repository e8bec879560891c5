import { stat } from 'node:fs/promises';

/** Remembers size and times of files, so that a change is found without reading them. */
export interface FileStamps {
  /** Adds these files to those it follows; what it knows of the others stays. */
  follow(paths: Iterable<string>): Promise<void>;
  /** The files that appeared, changed or disappeared since the last call; a folder only where it was replaced. */
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
