import { dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf, QuarryError } from '../core/errors.ts';
import { type Environment, userDataFolder } from '../platform/environment.ts';
import { ensureOwnFolder, hasOwnFile, hasOwnFolder } from '../platform/own-files.ts';
import { loadSqlite } from '../platform/sqlite/load-sqlite.ts';
import { prepareOwnDatabase, requireOwnDatabase } from '../platform/sqlite/own-database.ts';
import { resultCode, resultCodes } from '../platform/sqlite/result-code.ts';
import { setPragmas, useWriteAheadLog } from '../platform/sqlite/write-ahead-log.ts';

const folderName = '.quarry-received';

/** Names of files are rows, never paths on this machine; contents are found by their hash, in pieces. */
const layout = `
  CREATE TABLE IF NOT EXISTS objects (
    id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, received INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS pieces (object INTEGER NOT NULL, start INTEGER NOT NULL, bytes BLOB NOT NULL);
  CREATE INDEX IF NOT EXISTS pieces_of ON pieces (object, start);
  CREATE TABLE IF NOT EXISTS files (
    path TEXT PRIMARY KEY, hash TEXT NOT NULL, size INTEGER NOT NULL,
    modified_at REAL NOT NULL, changed_at REAL NOT NULL);
  CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);`;

/** The file with what a project has received. */
export function receivedPath(project: string): string {
  return join(project, folderName, 'files.db');
}

/** The folder of a project of this user whose files come from clients. */
export function receivingFolder(environment: Environment, id: string): string {
  return join(userDataFolder(environment), 'projects', id);
}

/**
 * Whether the files of a project come from clients. Only the engine makes such projects, and in the user's own folder: what
 * came with a folder elsewhere is not used. What stands in place of theirs without being this user's is `path-unsafe`.
 */
export function isReceiving(project: string, environment: Environment): boolean {
  const isOfEngine = dirname(resolve(project)) === dirname(receivingFolder(environment, 'any'));
  return isOfEngine && hasOwnFolder(join(project, folderName)) && hasOwnFile(receivedPath(project));
}

/** Makes a project one whose files come from clients. */
export async function prepareReceived(project: string): Promise<void> {
  ensureOwnFolder(join(project, folderName));
  openReceived(project).close();
}

/** Whether any client has sent something to a project, be it a part. */
export function hasReceived(project: string): boolean {
  if (!hasOwnFile(receivedPath(project))) return false;
  const database = openReceived(project, { readOnly: true });
  try {
    return (
      asReceived(receivedPath(project), () => database.prepare('SELECT 1 FROM objects').get()) !== undefined
    );
  } finally {
    database.close();
  }
}

/** Opens what a project has received; what is committed survives a power cut. */
export function openReceived(project: string, { readOnly = false } = {}): DatabaseSync {
  const path = receivedPath(project);
  return asReceived(path, () => {
    const { DatabaseSync: Database } = loadSqlite();
    if (readOnly) requireOwnDatabase(path);
    else prepareOwnDatabase(path);
    const database = new Database(path, { timeout: 10_000, readOnly });
    if (readOnly) return database;
    useWriteAheadLog(database, ['page_size = 8192', 'auto_vacuum = INCREMENTAL']);
    setPragmas(database, ['synchronous = FULL', 'wal_autocheckpoint = 4000', 'temp_store = FILE']);
    database.exec(layout);
    return database;
  });
}

/** Runs statements, and gives their failures the words of Quarry. */
export function asReceived<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (thrown) {
    throw failureOf(thrown, path);
  }
}

function failureOf(thrown: unknown, path: string): unknown {
  const code = resultCode(thrown);
  if (code === undefined) return thrown;
  const options = { cause: thrown };
  const what = `${path}: ${messageOf(thrown)}`;
  const lacksTable = code === resultCodes.error && messageOf(thrown).startsWith('no such ');
  if (lacksTable || code === resultCodes.corrupt || code === resultCodes.notADatabase)
    return new QuarryError(
      'file-unreadable',
      `What was received is damaged: ${what}.`,
      'Delete this file on the server, then push again: clients have everything that was in it.',
      options,
    );
  if (code === resultCodes.error || code === resultCodes.notFound) return thrown;
  return new QuarryError(
    'machine-failed',
    `What was received cannot be kept: ${what}.`,
    code === resultCodes.full
      ? 'Free space on the disk of the server, then push again: what it has acknowledged is not sent again.'
      : 'Check the disk of the server, then push again.',
    options,
  );
}
