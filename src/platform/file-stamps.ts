import { statSync } from 'node:fs';

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
      for (const path of paths) if (!stamps.has(path)) stamps.set(path, stampOf(path));
    },
    async changed() {
      const looked = [...stamps].map(([path, before]) => ({ path, before, now: stampOf(path) }));
      for (const { path, now } of looked) stamps.set(path, now);
      return looked.filter(({ before, now }) => before !== now).map(({ path }) => path);
    },
  };
}

/** Looks at once: a look takes microseconds, and asked in the background it takes twenty times as long. */
function stampOf(path: string): string {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return 'absent';
    const identity = `${stats.dev}:${stats.ino}`;
    // The time of a folder changes with everything in it.
    return stats.isDirectory() ? identity : `${identity}:${stats.size}:${stats.mtimeMs}`;
  } catch {
    // What cannot be looked at differs from what could be, and that is all that is asked.
    return 'absent';
  }
}
