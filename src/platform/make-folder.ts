import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it; one that is there stays as it is. Node's own `recursive` never returns where a
 * folder exists but refuses new ones with ENOENT, as /proc does, and nothing can cancel it.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const parent = dirname(path);
  try {
    await mkdir(path, mode);
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing || parent === path) return requireFolderAt(path, cause);
    await makeFolder(parent, mode);
    await mkdir(path, mode).catch((again: unknown) => requireFolderAt(path, again));
  }
}

async function requireFolderAt(path: string, cause: unknown): Promise<void> {
  // The first failure is thrown below.
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw cause;
}
