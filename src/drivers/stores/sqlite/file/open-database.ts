import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { QuarryError } from '../../../../core/errors.ts';
import type { Proof } from '../../../../platform/proof.ts';
import { hasFileLocks, locksMissing } from '../../../../platform/sqlite/file-locks.ts';
import { loadSqlite } from '../../../../platform/sqlite/load-sqlite.ts';
import { prepareOwnDatabase, requireOwnDatabase } from '../../../../platform/sqlite/own-database.ts';
import { extendedCode, resultCode, resultCodes } from '../../../../platform/sqlite/result-code.ts';
import { setPragmas, useWriteAheadLog } from '../../../../platform/sqlite/write-ahead-log.ts';
import { foreignIndex } from '../layout/foreign.ts';
import { registerFunctions } from '../layout/functions.ts';
import { identify, readIdentity, recognise } from '../layout/identity.ts';
import { hasExpectedSchema, migrate } from '../layout/schema.ts';
import { renewText } from '../layout/text-table.ts';
import { storeFailure } from './failures.ts';
import { knownIdentity } from './file-identity.ts';

/** The name by which SQLite keeps a database in memory alone. */
export const inMemory = ':memory:';

/** An open database file. */
export interface OpenDatabase {
  readonly database: DatabaseSync;
  /** Proves what stands in it. */
  readonly proof: Proof;
  /** Present where the file was opened as one that nobody changes: how it stood then. */
  readonly stillness?: FileStamp;
  /** Which file it is, as `isFileAt` takes it; absent for one in memory. */
  readonly identity?: string | undefined;
}

interface FileStamp {
  readonly modifiedAt: number;
  readonly size: number;
}

/** What SQLite says where the `-shm` file cannot be given its size. */
const shmTooSmall = 4874;

/** How long opening waits for a process that is just making or changing the layout, in milliseconds. */
const openingTimeout = 5_000;

// With synchronous=NORMAL a committed transaction survives the
// death of the process at any moment; a power cut may take the last commits with it but never damages the file.
const pragmas = [
  // What is deleted is overwritten: a file taken out of the index leaves no text behind in it.
  'secure_delete = ON',
  'synchronous = NORMAL',
  'foreign_keys = ON',
  // A row that REPLACE puts in place of another one runs the triggers of its removal.
  'recursive_triggers = ON',
  'journal_size_limit = 67108864',
  // 32 MiB, taken as pages are read. With SQLite's own 2 MiB a file that is replaced in a large index reads and writes
  // many pages of the text index twice.
  'cache_size = -32768',
];

// Before anything of a file is looked at: what it says of itself, in views, triggers and defaults, calls no function that
// could harm, and each page is looked at before it is trusted, which costs little and keeps damage from spreading.
const cautious = ['trusted_schema = OFF', 'cell_size_check = ON'];

/** Opens the file, and makes it where there is none; where nothing can be written, as a file that is only read. */
export function openDatabase(path: string, key: Uint8Array, isStill = false): OpenDatabase {
  if (path === inMemory) return openUsual(path, key);
  refuseJournal(path);
  // Asked before: if another file takes its place in between, the next look at the path shows it.
  const identity = knownIdentity(path);
  const opened = isStill ? openStill(path, key) : openUsual(path, key);
  return { ...opened, identity: identity ?? knownIdentity(path) };
}

/**
 * Our files have a write-ahead log and never a rollback journal. SQLite would play one back before anything can be
 * checked, and remove the file that it names as its superior: any file of the user.
 */
function refuseJournal(path: string): void {
  if (lstatSync(`${path}-journal`, { throwIfNoEntry: false }))
    throw foreignIndex(path, 'it has a rollback journal');
}

function openUsual(path: string, key: Uint8Array): OpenDatabase {
  try {
    return openWritable(path, key);
  } catch (error) {
    // Even a reader in WAL mode writes: into the `-shm` file beside the index. Where it cannot, SQLite says either.
    const code = resultCode(error);
    if (code === resultCodes.busy && !hasFileLocks(dirname(path))) throw locksMissing(path, error);
    const isRefused = code === resultCodes.readOnly || code === resultCodes.cannotOpen || hasNoRoom(error);
    if (path === inMemory || !isRefused || !fileStamp(path)) throw error;
    return openStill(path, key);
  }
}

/** Whether the disk is too full for the `-shm` file: a process that writes would have one, so that there is none. */
function hasNoRoom(thrown: unknown): boolean {
  return extendedCode(thrown) === shmTooSmall;
}

/** Whether a file that was opened as one that nobody changes has changed after all; one that is gone has not. */
export function hasChanged(path: string, { modifiedAt, size }: FileStamp): boolean {
  const now = fileStamp(path);
  return now !== undefined && (hasLog(path) || now.modifiedAt !== modifiedAt || now.size !== size);
}

/** Whether the system surely lets this process write the file. */
export function mayWrite(path: string): boolean {
  // The system answers for the user who started the process; it may act as another one.
  if (process.getuid?.() !== process.geteuid?.()) return false;
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    // Not surely.
    return false;
  }
}

function openWritable(path: string, key: Uint8Array): OpenDatabase {
  const { DatabaseSync } = loadSqlite();
  if (path !== inMemory) prepareOwnDatabase(path);
  const database = new DatabaseSync(path, { defensive: true });
  return preparing(database, path, () => {
    database.exec(`PRAGMA busy_timeout = ${openingTimeout}`);
    setPragmas(database, cautious);
    recognise(database, path, key);
    useWriteAheadLog(database, ['auto_vacuum = INCREMENTAL']);
    setPragmas(database, pragmas);
    registerFunctions(database);
    migrate(database, () => identify(database, key));
    const proof = readIdentity(database, path, key);
    renewText(database);
    return { database, proof };
  });
}

/**
 * Opens a file in a folder that cannot be written. `immutable` reads without locks and without looking at the WAL,
 * which is right only while nobody writes. A writer would have made `-wal` and `-shm` (with them the file opens in
 * the usual way, and this is not reached), so that their absence says that there is none; should one come later,
 * `hasChanged` says so. A WAL with content but without `-shm` is what a killed writer left: ignoring it could show a
 * file that was being changed, so it is refused.
 */
function openStill(path: string, key: Uint8Array): OpenDatabase {
  requireOwnDatabase(path);
  const state = fileStamp(path);
  if (hasLog(path) || !state) {
    throw new QuarryError(
      'store-unusable',
      `The index ${path} was not closed by its last writer, and its folder may not be written to finish that.`,
      'Make the folder writable and run: quarry status',
    );
  }
  const { DatabaseSync } = loadSqlite();
  const address = pathToFileURL(path);
  address.searchParams.set('immutable', '1');
  const database = new DatabaseSync(address, { readOnly: true, defensive: true });
  return preparing(database, path, () => {
    setPragmas(database, cautious);
    recognise(database, path, key);
    registerFunctions(database);
    return { database, proof: readIdentity(database, path, key), stillness: state };
  });
}

/** Gives up the database when it cannot be prepared: an open one would keep the file locked. */
function preparing<Result>(database: DatabaseSync, path: string, prepare: () => Result): Result {
  try {
    return prepare();
  } catch (error) {
    const failure =
      resultCode(error) === resultCodes.error
        ? storeFailure(error, path, { hasLayout: () => hasExpectedSchema(database) })
        : error;
    database.close();
    throw failure;
  }
}

function fileStamp(path: string): FileStamp | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? { modifiedAt: found.mtimeMs, size: found.size } : undefined;
}

/** Whether something stands in the log of the file: somebody writes it, or was killed while doing so. */
export function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
