import { QuarryError } from '../../core/errors.ts';
import { ensureOwnFile, hasOwnFile } from '../own-files.ts';

/** What SQLite keeps beside a file; it opens these by name, and takes over what it finds there. */
const besides = ['-journal', '-wal', '-shm'];

/**
 * Fails unless the file of a database and those beside it are this user's own, or absent: SQLite follows links, and waits for
 * pipes.
 */
export function requireOwnDatabase(path: string): void {
  for (const ending of ['', ...besides]) hasOwnFile(`${path}${ending}`);
}

/** The same for a file that is written: it is made for this user alone, and what SQLite puts beside it has its mode. */
export function prepareOwnDatabase(path: string): void {
  requireOwnDatabase(path);
  try {
    ensureOwnFile(path);
  } catch (thrown) {
    // What else keeps a file from being made is an error of SQLite.
    if (thrown instanceof QuarryError) throw thrown;
  }
}
