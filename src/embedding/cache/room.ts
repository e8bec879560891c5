import { setImmediate as nextTurn } from 'node:timers/promises';
import { removeLeastUsed } from './cache-rows.ts';
import type { SteadyFile } from './steady-file.ts';

/** The part of the limit from which on room is made: early, so that the file itself does not grow over the limit. */
const filledBefore = 0.98;
/** The part of the limit that is left filled when room is made, so that it lasts for a while. */
const filledAfter = 0.9;
/** Rows deleted in one transaction: few enough to hold up neither this process nor another one. */
const rowsPerStep = 256;
/** Pages given back to the disk in one transaction. */
const pagesPerStep = 256;

/**
 * Brings the cache well below its limit when it comes near it: what was used least recently goes, in small steps. The
 * room is used again by what comes next; the file shrinks only where it is itself larger than the limit.
 */
export async function makeRoom(steady: SteadyFile, maxBytes: number): Promise<void> {
  const sizes = await steady.attempt('read', (file) => file.sizes());
  if (!sizes) return;
  if (sizes.used > maxBytes * filledBefore) await removeDownTo(steady, maxBytes * filledAfter);
  if (sizes.file > maxBytes) await shrinkTo(steady, maxBytes);
}

async function removeDownTo(steady: SteadyFile, bytes: number): Promise<void> {
  for (let goOn: boolean | undefined = true; goOn; await nextTurn()) {
    goOn = await steady.attempt(
      'write',
      (file) => file.sizes().used > bytes && removeLeastUsed(file, rowsPerStep) > 0,
    );
  }
}

/** Gives unused pages back to the disk until the file is as small as asked for, or holds no unused page. */
export async function shrinkTo(steady: SteadyFile, bytes: number): Promise<void> {
  for (let goOn: boolean | undefined = true; goOn; await nextTurn()) {
    goOn = await steady.attempt('write', (file) => {
      const before = file.sizes();
      if (before.file <= bytes || before.used === before.file) return false;
      file.shrink(pagesPerStep);
      return file.sizes().file < before.file;
    });
  }
}
