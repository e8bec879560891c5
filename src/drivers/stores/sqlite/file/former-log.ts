import { linkSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { QuarryError } from '../../../../core/errors.ts';
import { loadSqlite } from '../../../../platform/sqlite/load-sqlite.ts';
import { resultCode, resultCodes } from '../../../../platform/sqlite/result-code.ts';
import { knownIdentity } from './file-identity.ts';

/** The files that SQLite has beside an open database: its log, and the shared memory that says what is in the log. */
const endings = ['-wal', '-shm'] as const;

/** Which files those were when the database was opened; a path without one is left out. */
export type Companions = ReadonlyMap<string, string>;

/** What SQLite has beside the database now. */
export function companionsOf(path: string): Companions {
  const found = new Map<string, string>();
  for (const ending of endings) {
    const identity = knownIdentity(`${path}${ending}`);
    if (identity !== undefined) found.set(ending, identity);
  }
  return found;
}

/**
 * Removes what stands beside a file and belongs to the one that was opened there before. SQLite knows a log by its name
 * alone, and would mix the pages in it with those of the new file. A process that has the new file open already may use
 * what is to be removed: then, and where that is not known, it is `store-busy` and everything stays.
 */
export function removeFormerLog(path: string, former: Companions): void {
  if (leftOf(path, former).length === 0) return;
  const release = claim(path);
  if (release) {
    try {
      for (const file of leftOf(path, former)) rmSync(file, { force: true });
    } finally {
      release();
    }
  }
  // Another process may have come first.
  if (leftOf(path, former).length > 0) throw logInUse(path);
}

function leftOf(path: string, former: Companions): string[] {
  return [...former]
    .filter(([ending, identity]) => knownIdentity(`${path}${ending}`) === identity)
    .map(([ending]) => `${path}${ending}`);
}

/**
 * Keeps everyone from opening the file until the function that comes back is called; undefined where somebody has it
 * open, or a second name for it cannot be had. Locks belong to the file, the log to its name: under another name the
 * file can be locked without a look into that log.
 */
function claim(path: string): (() => void) | undefined {
  const folder = secondName(path);
  if (folder === undefined) return undefined;
  const { DatabaseSync } = loadSqlite();
  let database: InstanceType<typeof DatabaseSync> | undefined;
  const release = () => {
    database?.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    database = new DatabaseSync(join(folder, 'index'));
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return release;
  } catch (error) {
    release();
    const code = resultCode(error);
    // What is no index at all stands in nobody's way, and says so.
    if (code === undefined || code === resultCodes.notADatabase || code === resultCodes.corrupt) throw error;
    return undefined;
  }
}

/** A new folder in which the file has the name `index`. */
function secondName(path: string): string | undefined {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(`${path}.claim-`);
    linkSync(path, join(folder, 'index'));
    return folder;
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}

function logInUse(path: string): QuarryError {
  return new QuarryError(
    'store-busy',
    `The index ${path} was replaced while it was open, and the log of the former one still stands beside it.`,
    'Close every program that uses the index, remove the files that end in -wal and -shm beside it, then run: quarry repair',
  );
}
