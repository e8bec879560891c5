import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { QuarryError } from '../../core/errors.ts';
import { loadSqlite } from './load-sqlite.ts';
import { extendedCode, resultCodes } from './result-code.ts';

/** Extended codes of SQLite for a system that refuses locks: to lock, read, check, unlock, and in a WAL's memory. */
const refusals: readonly unknown[] = [3850, 2314, 3594, 2058, 5130];

/** Whether SQLite failed because the file system has no locks. */
export function isLockRefused(thrown: unknown): boolean {
  return refusals.includes(extendedCode(thrown));
}

/**
 * Whether files in this folder can be locked. It tries with a new file that no other process can hold, because some drives
 * answer as if every lock were held. Where no file can be created the answer is unknown, hence yes.
 */
export function hasFileLocks(folder: string): boolean {
  const path = join(folder, `locks-${randomUUID()}.tmp`);
  const { DatabaseSync: Database } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    database = new Database(path);
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (thrown) {
    return extendedCode(thrown) !== resultCodes.busy && !isLockRefused(thrown);
  } finally {
    database?.close();
    removeTrial(path);
  }
}

/** A scanner may hold each new file for a moment; a file that cannot be removed now is removed with other leftovers. */
function removeTrial(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It goes with other leftovers.
  }
}

/** The error for a file on a drive without locks. */
export function locksMissing(path: string, cause?: unknown): QuarryError {
  return new QuarryError(
    'store-unusable',
    `The drive of ${path} does not support file locks, without which several processes would damage the index.`,
    'Move the project to a local disk, or mount the network drive with locks.',
    { cause },
  );
}
