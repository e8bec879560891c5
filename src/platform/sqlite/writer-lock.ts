import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { interrupted, messageOf, QuarryError } from '../../core/errors.ts';
import { systemClock } from '../clock.ts';
import { fileIdentity } from './file-identity.ts';
import { hasFileLocks, isLockRefused, locksMissing } from './file-locks.ts';
import { loadSqlite } from './load-sqlite.ts';
import { prepareOwnDatabase } from './own-database.ts';
import { isBusy, resultCode, resultCodes } from './result-code.ts';

/** Milliseconds between two attempts to take a lock that another process holds: first, and at most. */
const lookAgainAfter = { first: 10, max: 100 };

/** A lock that is held. The operating system releases it when the process ends, however it ends. */
export interface WriterLock {
  release(): void;
}

/** How to take a lock. */
export interface LockOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called once when another process holds the lock and this one begins to wait. */
  readonly onWait?: () => void;
  /** Creates the folder of the lock, before each attempt. */
  readonly beforeLook?: () => Promise<void>;
}

/** Takes the lock if it is free; undefined otherwise. Its folder must exist. */
export async function tryLock(path: string): Promise<WriterLock | undefined> {
  const lock = lockIfFree(path);
  if (!lock) assertLocks(path);
  return lock;
}

/** Takes the lock as soon as it is free. */
export async function waitForLock(
  path: string,
  { signal, onWait, beforeLook }: LockOptions = {},
): Promise<WriterLock> {
  for (let pause = lookAgainAfter.first; ; pause = Math.min(2 * pause, lookAgainAfter.max)) {
    const isFirst = pause === lookAgainAfter.first;
    if (signal?.aborted) throw interrupted(signal.reason);
    await beforeLook?.();
    const lock = lockIfFree(path);
    if (lock) return lock;
    if (isFirst) assertLocks(path);
    if (isFirst) onWait?.();
    await systemClock.wait(pause, signal);
  }
}

/**
 * The same for a drive that is known to have locks. A lock is a database that is never written: an open transaction on it is a
 * lock of the operating system, which no crash leaves behind. The rollback journal keeps it to a single file.
 */
export function lockIfFree(path: string): WriterLock | undefined {
  const { DatabaseSync: Database } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    // An existing file is not opened besides: closing it would release every lock of this process.
    prepareOwnDatabase(path);
    requireEmpty(path);
    const before = fileIdentity(path);
    database = new Database(path, { timeout: 0 });
    // On a read-only file the transaction would take no lock.
    accessSync(path, constants.W_OK);
    database.exec('BEGIN EXCLUSIVE');
    // A lock on a file that was replaced meanwhile would not keep others from locking the new file.
    if (fileIdentity(path) !== before) {
      database.close();
      return undefined;
    }
  } catch (cause) {
    database?.close();
    if (isBusy(cause)) return undefined;
    if (isLockRefused(cause)) throw locksMissing(path, cause);
    if (cause instanceof QuarryError) throw cause;
    throw new QuarryError(
      'store-unusable',
      `The lock ${path} cannot be taken: ${messageOf(cause)}.`,
      resultCode(cause) === resultCodes.full
        ? 'Free space on that disk, then run the same command again.'
        : 'Check that its folder may be written, or delete the file.',
      { cause },
    );
  }
  const held = database;
  let isHeld = true;
  return {
    release() {
      if (!isHeld) return;
      isHeld = false;
      held.close();
    },
  };
}

/**
 * A lock of ours is an empty file. One that holds something came with the folder: SQLite would read it, and play back the
 * journal beside it, which may name any file of the user to be removed.
 */
function requireEmpty(path: string): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  throw new QuarryError('store-unusable', `The file ${path} is not a lock of Quarry.`, 'Delete this file.');
}

/** A process that waits for a lock on a drive without locks would wait forever. */
function assertLocks(path: string): void {
  if (!hasFileLocks(dirname(path))) throw locksMissing(path);
}
