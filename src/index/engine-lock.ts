import { tryLock, type WriterLock, waitForLock } from '../platform/sqlite/writer-lock.ts';

/**
 * Keeps processes that add vectors to an engine apart from one that removes what the index does not name: a vector is in
 * the engine for a moment before the index names it. Those of one process add side by side.
 */
export interface EngineLock {
  adding<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Does nothing where somebody adds; the next one that tidies up does it. */
  removing(work: () => Promise<void>): Promise<void>;
}

/** The lock of this file; its folder must exist. */
export function createEngineLock(path: string): EngineLock {
  let users = 0;
  let held: Promise<WriterLock> | undefined;
  const leave = async (): Promise<void> => {
    users -= 1;
    if (users > 0) return;
    const lock = held;
    held = undefined;
    // Who could not take it says so by itself.
    (await lock?.catch(() => undefined))?.release();
  };
  return {
    async adding(work) {
      users += 1;
      held ??= waitForLock(path);
      try {
        await held;
        return await work();
      } finally {
        await leave();
      }
    },
    async removing(work) {
      const lock = await tryLock(path);
      if (!lock) return;
      try {
        await work();
      } finally {
        lock.release();
      }
    },
  };
}
