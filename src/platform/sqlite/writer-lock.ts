import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { interrupted, messageOf, QuarryError } from '../../core/errors.ts';
import { fileIdentity } from './file-identity.ts';
import { hasFileLocks, isLockRefused, locksMissing } from './file-locks.ts';
import { loadSqlite } from './load-sqlite.ts';
import { isBusy, resultCode, resultCodes } from './result-code.ts';

/** Milliseconds between two looks at a lock that another process holds. */
const lookAgainAfter = 100;

/** A lock that is held; the operating system lets it go when its process ends, however it ends. */
export interface WriterLock {
  release(): void;
}

/** How to take a lock. */
export interface LockOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called once when another process holds the lock and this one begins to wait. */
  readonly onWait?: () => void;
  /** Sees to it, before each look, that the folder of the lock is there. */
  readonly beforeLook?: () => Promise<void>;
}

/** Takes the lock if nobody else has it; undefined otherwise. Its folder must be there. */
export async function tryLock(path: string): Promise<WriterLock | undefined> {
  const lock = attempt(path);
  if (!lock) assertLocks(path);
  return lock;
}

/** Takes the lock as soon as nobody else has it. */
export async function waitForLock(
  path: string,
  { signal, onWait, beforeLook }: LockOptions = {},
): Promise<WriterLock> {
  for (let isFirst = true; ; isFirst = false) {
    if (signal?.aborted) throw interrupted(signal.reason);
    await beforeLook?.();
    const lock = attempt(path);
    if (lock) return lock;
    if (isFirst) assertLocks(path);
    if (isFirst) onWait?.();
    await new Promise((resolve) => setTimeout(resolve, lookAgainAfter));
  }
}

// A database that is never written: an open transaction on it is a lock of the operating system, which no crash
// leaves behind. The rollback journal keeps it to a single file.
function attempt(path: string): WriterLock | undefined {
  const { DatabaseSync: Database } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    const before = fileIdentity(path) ?? make(path);
    database = new Database(path, { timeout: 0 });
    // On a file that may only be read the transaction would be none, and so would the lock.
    accessSync(path, constants.W_OK);
    database.exec('BEGIN EXCLUSIVE');
    // A lock on a file that was removed meanwhile would keep nobody from taking the one in its place.
    if (fileIdentity(path) !== before) {
      database.close();
      return undefined;
    }
  } catch (cause) {
    database?.close();
    if (isBusy(cause)) return undefined;
    if (isLockRefused(cause)) throw locksMissing(path, cause);
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

/** Makes the file where there is none. One that is there is left alone: to open and close it would end every lock of this process. */
function make(path: string): string | undefined {
  try {
    closeSync(openSync(path, 'wx'));
  } catch {}
  return fileIdentity(path);
}

/** A process that waits for a lock on a drive that has none would wait forever. */
function assertLocks(path: string): void {
  if (!hasFileLocks(dirname(path))) throw locksMissing(path);
}
