import type { DatabaseSync } from 'node:sqlite';

/**
 * Lets readers continue while one process writes. `newFile` holds pragmas that work only on an empty file, so they come
 * first.
 */
export function useWriteAheadLog(database: DatabaseSync, newFile: readonly string[]): void {
  // Asks first, because setting the mode needs exclusive access even when it does not change.
  if (database.prepare('PRAGMA journal_mode').get()?.journal_mode === 'wal') return;
  // What is written before there is a log has its journal in memory. Beside the file, another process would take that for a
  // stranger's; and one that is killed in this moment would leave it there for good.
  setPragmas(database, ['journal_mode = MEMORY', ...newFile, 'journal_mode = WAL']);
}

/** Sets pragmas, each as `name = value`. */
export function setPragmas(database: DatabaseSync, pragmas: readonly string[]): void {
  for (const pragma of pragmas) database.exec(`PRAGMA ${pragma}`);
}
