import type { DatabaseSync } from 'node:sqlite';
import { resultCode, resultCodes } from './result-code.ts';

/** As long as processes that make the same file at once are waited for. */
const patience = 5_000;
const pause = 5;

/**
 * Lets readers continue while one process writes. `newFile` holds pragmas that work only on an empty file, so they come
 * first.
 */
export function useWriteAheadLog(database: DatabaseSync, newFile: readonly string[]): void {
  // Of two processes that want the file for themselves SQLite refuses one at once, however long it may wait for a lock.
  const end = Date.now() + patience;
  while (!isFree(() => setMode(database, newFile), end)) Atomics.wait(nobody, 0, 0, pause);
}

function setMode(database: DatabaseSync, newFile: readonly string[]): void {
  // Asks first, because setting the mode needs exclusive access even when it does not change.
  if (database.prepare('PRAGMA journal_mode').get()?.journal_mode === 'wal') return;
  // What is written before there is a log has its journal in memory. Beside the file, another process would take that for a
  // stranger's; and one that is killed in this moment would leave it there for good.
  setPragmas(database, ['journal_mode = MEMORY', ...newFile, 'journal_mode = WAL']);
}

const nobody = new Int32Array(new SharedArrayBuffer(4));

/** Whether nobody else had the file; who still has it at the end is an error. */
function isFree(work: () => void, end: number): boolean {
  try {
    work();
    return true;
  } catch (thrown) {
    if (resultCode(thrown) !== resultCodes.busy || Date.now() > end) throw thrown;
    return false;
  }
}

/** Sets pragmas, each as `name = value`. */
export function setPragmas(database: DatabaseSync, pragmas: readonly string[]): void {
  for (const pragma of pragmas) database.exec(`PRAGMA ${pragma}`);
}
