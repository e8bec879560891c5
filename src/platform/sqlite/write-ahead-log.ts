import type { DatabaseSync } from 'node:sqlite';

/**
 * Lets readers continue while one process writes. `newFile` are pragmas that only a file without any content takes, so
 * that they come first.
 */
export function useWriteAheadLog(database: DatabaseSync, newFile: readonly string[]): void {
  // Asking first: changing the mode needs the file for oneself, even when nothing is to change.
  if (database.prepare('PRAGMA journal_mode').get()?.journal_mode === 'wal') return;
  setPragmas(database, newFile);
  database.exec('PRAGMA journal_mode = WAL');
}

/** Sets pragmas, each as `name = value`. */
export function setPragmas(database: DatabaseSync, pragmas: readonly string[]): void {
  for (const pragma of pragmas) database.exec(`PRAGMA ${pragma}`);
}
