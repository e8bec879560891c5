import { lstat, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isKeptFileName, keptFileName, keptFolderName } from '../core/documents/kept-content.ts';
import { messageOf, QuarryError } from '../core/errors.ts';
import { hasOwnFile, hasOwnFolder, readOwnFile } from '../platform/own-files.ts';
import { syncFolder, writeDurably } from '../platform/write-durably.ts';
import { ensureIgnoredFolder } from '../state-folder/state-folder.ts';

/** Milliseconds after which a file that was never finished is that of a process that was killed. */
const maxWriting = 3_600_000;

/** No text that is added is larger: a longer one cannot be held in memory as one. */
const maxKeptBytes = 2 ** 29;

/** Where the added content of a project is kept, or would be. */
export function keptFolderOf(project: string): string {
  return join(project, keptFolderName);
}

/**
 * The names of the files of added content; none where nothing was ever added. What stands in place of the folder without
 * being a folder of this user is `path-unsafe`.
 */
export async function keptFiles(project: string): Promise<string[]> {
  const folder = keptFolderOf(project);
  if (!hasOwnFolder(folder)) return [];
  const names = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return [];
    throw unreadable(folder, cause);
  });
  return names.filter(isKeptFileName).sort();
}

/** Keeps content in one step, in place of what was kept under its uri; when this returns it survives a power cut. */
export async function keep(project: string, uri: string, content: Uint8Array): Promise<void> {
  const folder = keptFolderOf(project);
  const path = join(folder, keptFileName(uri));
  try {
    await ensureIgnoredFolder(folder);
    await syncFolder(dirname(folder));
    await writeDurably(path, content, 0o600);
  } catch (cause) {
    if (cause instanceof QuarryError) throw cause;
    throw new QuarryError(
      'file-unreadable',
      `${uri} was not added: it cannot be kept in ${path}: ${messageOf(cause)}`,
      'Free space on that disk, or make the project folder writable, and add it again.',
      { cause },
    );
  }
}

/** The bytes of a file of added content; undefined where there is none. */
export function readKept(project: string, name: string): Buffer | undefined {
  const folder = keptFolderOf(project);
  return hasOwnFolder(folder) ? readOwnFile(join(folder, name), { maxBytes: maxKeptBytes }) : undefined;
}

/** Whether content is kept under a uri. */
export async function isKept(project: string, uri: string): Promise<boolean> {
  const folder = keptFolderOf(project);
  return hasOwnFolder(folder) && hasOwnFile(join(folder, keptFileName(uri)));
}

/** Removes what is kept of a uri for good; whether there was something. */
export async function discard(project: string, uri: string): Promise<boolean> {
  const folder = keptFolderOf(project);
  if (!hasOwnFolder(folder)) return false;
  try {
    await rm(join(folder, keptFileName(uri)));
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return false;
    throw new QuarryError(
      'file-unreadable',
      `${uri} cannot be removed from ${folder}: ${messageOf(cause)}`,
      'Make the folder writable, and remove it again.',
      { cause },
    );
  }
  await syncFolder(folder);
  return true;
}

/** Removes what killed processes have begun to write. */
export async function removeUnfinished(project: string): Promise<void> {
  const folder = keptFolderOf(project);
  if (!hasOwnFolder(folder)) return;
  for (const name of (await readdir(folder)).filter(isUnfinished)) {
    const path = join(folder, name);
    // Gone meanwhile, or not to be looked at: then it may still be written.
    const found = await lstat(path).catch(() => undefined);
    // What cannot be removed now goes the next time.
    if (found && Date.now() - found.mtimeMs > maxWriting) await rm(path, { force: true }).catch(() => {});
  }
}

/** Whether a file has the name of kept content that is being written. */
function isUnfinished(name: string): boolean {
  return /^[0-9a-f]{32}\.txt\.[0-9a-f-]{36}\.tmp$/.test(name);
}

/** The error for added content that cannot be read. */
export function unreadable(path: string, cause: unknown): QuarryError {
  return new QuarryError(
    'file-unreadable',
    `The added content in ${path} cannot be read: ${messageOf(cause)}.`,
    'Make it readable.',
    { cause },
  );
}
