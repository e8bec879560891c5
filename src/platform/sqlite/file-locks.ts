import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { QuarryError } from '../../core/errors.ts';
import { loadSqlite } from './load-sqlite.ts';
import { extendedCode, resultCodes } from './result-code.ts';

/** What SQLite says where the system refuses a lock as such: to lock, to read, to look, to unlock, in a WAL's memory. */
const refusals: readonly unknown[] = [3850, 2314, 3594, 2058, 5130];

/** Whether SQLite failed because the file system has no locks. */
export function isLockRefused(thrown: unknown): boolean {
  return refusals.includes(extendedCode(thrown));
}

/**
 * Whether files in this folder can be locked, found out with one that nobody else can have: some drives answer as if
 * somebody held every lock. Where no file can be made there is nothing to be found out, and the answer is yes.
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

/** What cannot be removed now, because something looks into every new file, goes with other leftovers. */
function removeTrial(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
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
