import { randomUUID } from 'node:crypto';
import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf, QuarryError } from '../../core/errors.ts';
import { ensureOwnFolder, hasOwnFolder } from '../../platform/own-files.ts';
import { createProof } from '../../platform/proof.ts';
import { fileIdentity } from '../../platform/sqlite/file-identity.ts';
import { loadSqlite } from '../../platform/sqlite/load-sqlite.ts';
import { prepareOwnDatabase } from '../../platform/sqlite/own-database.ts';
import { isBusy, resultCode, resultCodes } from '../../platform/sqlite/result-code.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { setPragmas, useWriteAheadLog } from '../../platform/sqlite/write-ahead-log.ts';
import { hasLayout, isNew, makeLayout } from './layout.ts';

/** The folder of the graph in the state folder of a project. */
export const graphFolderName = 'graph';
const fileName = 'graph.sqlite';
const besides = ['-wal', '-shm', '-journal'];
const place = 'code graphs';

/** How long a statement waits for another process that writes, in milliseconds. */
const busyTimeout = 5_000;

// What is deleted is overwritten, as in the index; a lost commit is made up for by reading the file again.
const pragmas = [
  'secure_delete = FAST',
  'synchronous = NORMAL',
  'journal_size_limit = 16777216',
  'cache_size = -16384',
];
const cautious = ['trusted_schema = OFF', 'cell_size_check = ON'];

/** A file of a graph that is open, and whether it still stands in its place. */
export interface GraphFile {
  readonly database: DatabaseSync;
  isInPlace(): boolean;
}

/** Opens the graph of a project, which is made where there is none, or none of this user and of today's layout. */
export function openGraphFile(stateFolder: string, key: Uint8Array): GraphFile {
  const folder = join(stateFolder, graphFolderName);
  ensureOwnFolder(folder);
  const path = join(folder, fileName);
  try {
    return open(path, key) ?? replaced(path, key);
  } catch (thrown) {
    throw graphFailure(thrown, path);
  }
}

/** Whether a project has the graph of its code already; one that is no folder of this user counts as none. */
export function hasGraphFile(stateFolder: string): boolean {
  const folder = join(stateFolder, graphFolderName);
  return hasOwnFolder(folder) && lstatSync(join(folder, fileName), { throwIfNoEntry: false }) !== undefined;
}

/** It holds nothing that the files do not hold: what is not ours, or is damaged, goes. */
function replaced(path: string, key: Uint8Array): GraphFile {
  for (const ending of [...besides, '']) rmSync(`${path}${ending}`, { force: true });
  const made = open(path, key);
  if (made) return made;
  throw new QuarryError(
    'store-unusable',
    `The code graph ${path} cannot be made.`,
    'Delete the folder, then run: quarry index',
  );
}

/** Undefined for a file that this user did not make, or that is of another layout or damaged. */
function open(path: string, key: Uint8Array): GraphFile | undefined {
  prepareOwnDatabase(path);
  // SQLite would play a rollback journal back before anything can be checked. Ours never have one.
  if (lstatSync(`${path}-journal`, { throwIfNoEntry: false })) return undefined;
  const { DatabaseSync: Database } = loadSqlite();
  const identity = fileIdentity(path);
  const database = new Database(path, { defensive: true, timeout: busyTimeout });
  try {
    setPragmas(database, cautious);
    if (!inTransaction(database, 'read', () => isNew(database) || isOurs(database, key))) {
      database.close();
      return undefined;
    }
    useWriteAheadLog(database, ['auto_vacuum = INCREMENTAL']);
    setPragmas(database, pragmas);
    if (isNew(database)) inTransaction(database, 'immediate', () => isNew(database) && make(database, key));
    return { database, isInPlace: () => [identity, 'unknown'].includes(fileIdentity(path) ?? '') };
  } catch (thrown) {
    database.close();
    if (isDamage(thrown)) return undefined;
    throw thrown;
  }
}

function make(database: DatabaseSync, key: Uint8Array): void {
  makeLayout(database);
  const name = randomUUID();
  database
    .prepare('INSERT INTO identity VALUES (?, ?)')
    .run(name, createProof(key, place).of('identity', [name]));
}

function isOurs(database: DatabaseSync, key: Uint8Array): boolean {
  if (!hasLayout(database)) return false;
  const rows = database
    .prepare(
      'SELECT name, proof FROM identity WHERE octet_length(name) <= 64 AND octet_length(proof) <= 64 LIMIT 2',
    )
    .all();
  const [row] = rows;
  return rows.length === 1 && createProof(key, place).holds(row?.proof, 'identity', [row?.name]);
}

/** Whether a file is no longer what SQLite wrote. */
export function isDamage(thrown: unknown): boolean {
  const code = resultCode(thrown);
  return code === resultCodes.corrupt || code === resultCodes.notADatabase;
}

/** What went wrong with the file, as a user has to understand it. */
export function graphFailure(thrown: unknown, path: string): unknown {
  if (thrown instanceof QuarryError || (resultCode(thrown) === undefined && !isSystem(thrown))) return thrown;
  if (isBusy(thrown))
    return new QuarryError(
      'store-busy',
      `Another process keeps the code graph ${path} busy.`,
      'Run the same command again.',
      { cause: thrown },
    );
  return new QuarryError(
    'store-unusable',
    `The code graph ${path} cannot be used: ${messageOf(thrown)}.`,
    'Check that its folder may be written and has free space.',
    { cause: thrown },
  );
}

function isSystem(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown;
}
