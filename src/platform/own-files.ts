import {
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { QuarryError } from '../core/errors.ts';

/*
 * What Quarry keeps under a fixed name in a folder that a stranger may have written. It is used only where it is what
 * Quarry makes: a real folder or a regular file of this user. No link is followed, and nothing waits for a pipe.
 */

// Windows has neither these flags nor what they guard against; there the look at the name decides alone.
const { O_RDONLY, O_WRONLY, O_CREAT } = constants;
const noLink = constants.O_NOFOLLOW ?? 0;
const noHang = constants.O_NONBLOCK ?? 0;
const folderOnly = constants.O_DIRECTORY ?? 0;

/** How a small file is read. */
export interface SmallFileLimits {
  /** A larger file is refused; 1 MiB by default. */
  readonly maxBytes?: number;
  /** Whether the file may belong to another user, because its content is not trusted anyway. */
  readonly ofAnyone?: boolean;
}

const defaultMaxBytes = 2 ** 20;

/** Whether a folder of this user is there, which is closed to others then; throws `path-unsafe` for anything else. */
export function hasOwnFolder(path: string): boolean {
  const found = look(path, 'folder');
  if (found && isOpen(found)) closeFolder(path, found);
  return found !== undefined;
}

/** Whether a file of this user is there, which is closed to others then; throws `path-unsafe` for anything else. */
export function hasOwnFile(path: string): boolean {
  const found = look(path, 'file');
  // By its name: to open and close a file of SQLite would release its locks. Its folder is closed to others.
  if (found && isOpen(found)) ignoringFailure(() => chmodSync(path, found.mode & 0o700));
  return found !== undefined;
}

/** Makes a folder that only this user can enter; throws `path-unsafe` where something else has its name. */
export function ensureOwnFolder(path: string): void {
  try {
    mkdirSync(path, 0o700);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST' || !hasOwnFolder(path)) throw cause;
  }
}

/**
 * Works in a folder of this user, by a path that means this very folder: another user who may write the folder around it could
 * put a link in its place meanwhile. Only Linux has such paths; elsewhere it is looked at right before. Does nothing where there
 * is none.
 */
export async function withinOwnFolder<Result>(
  path: string,
  work: (steady: string) => Promise<Result>,
): Promise<Result | undefined> {
  if (!hasOwnFolder(path)) return undefined;
  if (folderOnly === 0) return work(path);
  const folder = openSync(path, O_RDONLY | folderOnly | noLink);
  try {
    requireKind(path, fstatSync(folder), 'folder');
    const steady = `/proc/self/fd/${folder}`;
    return await work(existsSync(steady) ? steady : path);
  } finally {
    closeSync(folder);
  }
}

/** The bytes of a small file, or nothing where there is none; throws `path-unsafe` for what is no such file. */
export function readOwnFile(path: string, limits: SmallFileLimits = {}): Buffer | undefined {
  const { maxBytes = defaultMaxBytes, ofAnyone = false } = limits;
  if (!look(path, 'file', ofAnyone)) return undefined;
  return reading(path, O_RDONLY, (file) => {
    const stats = requireKind(path, fstatSync(file), 'file', ofAnyone);
    // One byte more than expected shows that the file has grown.
    const bytes = Buffer.alloc(Math.min(stats.size, maxBytes) + 1);
    let filled = 0;
    for (let length = -1; length !== 0 && filled < bytes.length; filled += length)
      length = readSync(file, bytes, filled, bytes.length - filled, filled);
    if (filled > maxBytes) throw unsafe(path, `is larger than ${maxBytes} bytes`);
    return bytes.subarray(0, filled);
  });
}

/** Writes a file that nobody misses if it is lost or half written, for this user alone. */
export function writeOwnFile(path: string, content: string): void {
  writing(openOwnFile(path), content);
}

/** The same in place, for content that always has one length: a file that is emptied first waits for the disk when it is closed. */
export function overwriteOwnFile(path: string, content: string): void {
  writing(openToWrite(path), content);
}

function writing(file: number, content: string): void {
  try {
    writeSync(file, content);
  } finally {
    closeSync(file);
  }
}

/** Opens an empty file for this user alone, to be written and closed by the caller. */
export function openOwnFile(path: string): number {
  const file = openToWrite(path);
  ftruncateSync(file);
  return file;
}

function openToWrite(path: string): number {
  hasOwnFile(path);
  const file = openSync(path, O_WRONLY | O_CREAT | noLink | noHang, 0o600);
  try {
    requireKind(path, fstatSync(file), 'file');
    return file;
  } catch (thrown) {
    closeSync(file);
    throw thrown;
  }
}

/** Makes an empty file for this user alone, where there is none. */
export function ensureOwnFile(path: string): void {
  if (hasOwnFile(path)) return;
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (cause) {
    // Another process was quicker.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST' || !hasOwnFile(path)) throw cause;
  }
}

/**
 * Fails where a folder holds anything but folders and regular files, however deep: for a library that would follow a link, or
 * wait for a pipe.
 */
export function requirePlainContent(folder: string): void {
  for (const entry of entriesIn(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) requirePlainContent(path);
    else if (!entry.isFile()) look(path, 'file', true);
  }
}

/** What another process has removed meanwhile holds nothing. */
function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw cause;
  }
}

/** Whether a folder or file belongs to this user, links followed; yes where the system knows no users. */
export function isOwn(path: string): boolean {
  const found = orNothing(() => statSync(path, { throwIfNoEntry: false }));
  return found !== undefined && isOurs(found);
}

type Kind = 'folder' | 'file';

function look(path: string, kind: Kind, ofAnyone = false): Stats | undefined {
  const found = orNothing(() => lstatSync(path, { throwIfNoEntry: false }));
  return found && requireKind(path, found, kind, ofAnyone);
}

/** Below a file there is nothing. */
function orNothing(ask: () => Stats | undefined): Stats | undefined {
  try {
    return ask();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw cause;
  }
}

function requireKind(path: string, found: Stats, kind: Kind, ofAnyone = false): Stats {
  const isIt = kind === 'folder' ? found.isDirectory() : found.isFile();
  if (!isIt)
    throw unsafe(path, `is ${kindOf(found)}, not a ${kind === 'folder' ? 'folder' : 'regular file'}`);
  if (!ofAnyone && !isOurs(found)) throw unsafe(path, `belongs to another user (${found.uid})`);
  return found;
}

function isOurs({ uid }: Stats): boolean {
  const own = process.geteuid?.();
  return own === undefined || uid === own;
}

function isOpen({ mode }: Stats): boolean {
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}

/** A folder stands in one that others may write: what is opened is what is changed. */
function closeFolder(path: string, { mode }: Stats): void {
  ignoringFailure(() => reading(path, O_RDONLY | folderOnly, (folder) => fchmodSync(folder, mode & 0o700)));
}

/** What may only be read stays as it is. */
function ignoringFailure(work: () => void): void {
  try {
    work();
  } catch {
    // The next reader says why it cannot be used.
  }
}

function reading<Result>(path: string, flags: number, work: (file: number) => Result): Result {
  const file = openSync(path, flags | noLink | noHang);
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}

function kindOf(found: Stats): string {
  if (found.isSymbolicLink()) return 'a symbolic link';
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a named pipe';
  if (found.isSocket()) return 'a socket';
  return found.isFile() ? 'a file' : 'a device';
}

function unsafe(path: string, why: string): QuarryError {
  return new QuarryError(
    'path-unsafe',
    `${path} ${why}. Nothing behind it was read or changed.`,
    `Remove ${path}, then run the same command again.`,
  );
}
