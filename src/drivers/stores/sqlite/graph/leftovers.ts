import { tryLock } from '../../../../platform/writer-lock.ts';
import { graphLockPath, listParts, removeParts } from './file.ts';

/** Removes what killed writers of graphs left behind, unless one is at work: what stands there is its own then. */
export async function removeLeftovers(database: string): Promise<void> {
  if (listParts(database).length === 0) return;
  // Where no lock can be had nothing can be removed either, and nobody waits for that.
  const lock = await tryLock(graphLockPath(database)).catch(() => undefined);
  if (!lock) return;
  try {
    removeParts(database);
  } finally {
    lock.release();
  }
}
