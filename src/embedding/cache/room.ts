import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sizesOf } from './cache-file.ts';
import type { SteadyFile } from './steady-file.ts';

/** The part of the limit from which on room is made: early, so that the file itself does not grow over the limit. */
const filledBefore = 0.98;
/** The part of the limit that is left filled when room is made, so that it lasts for a while. */
const filledAfter = 0.9;
/** Rows deleted, or pages given back, in one transaction: few enough to block neither this process nor another one. */
const perStep = 256;

/** What goes, in this order: a sketch is made again in no time, a vector may have been bought. */
const steps = ['sketches', 'vectors'].map(
  (table) => `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} ORDER BY used, id LIMIT ?)`,
);

/**
 * Brings the cache well below its limit when it comes near it: sketches, then vectors are removed in small steps, those that
 * were used least recently first. The room is used again by what comes next; the file shrinks only where it is itself larger
 * than the limit.
 */
export async function makeRoom(steady: SteadyFile, maxBytes: number): Promise<void> {
  const sizes = await steady.attempt('read', sizesOf);
  if (!sizes) return;
  if (sizes.used > maxBytes * filledBefore) {
    await repeat(steady, (database) => {
      if (sizesOf(database).used <= maxBytes * filledAfter) return false;
      return steps.some((sql) => database.prepare(sql).run(perStep).changes > 0);
    });
  }
  if (sizes.file > maxBytes) await shrinkTo(steady, maxBytes);
}

/** Gives unused pages back to the disk until the file is as small as asked for, or holds no unused page. */
export function shrinkTo(steady: SteadyFile, bytes: number): Promise<void> {
  return repeat(steady, (database) => {
    const before = sizesOf(database);
    if (before.file <= bytes || before.used === before.file) return false;
    database.exec(`PRAGMA incremental_vacuum(${perStep})`);
    return sizesOf(database).file < before.file;
  });
}

/** Takes a step in a transaction of its own until one says that there is nothing more to do, or fails. */
async function repeat(steady: SteadyFile, step: (database: DatabaseSync) => boolean): Promise<void> {
  while (await steady.attempt('write', step)) await nextTurn();
}
