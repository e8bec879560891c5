import { lstatSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { keptFolderName } from '../core/documents/kept-content.ts';
import { messageOf, QuarryError } from '../core/errors.ts';
import { ensureOwnFolder, hasOwnFolder, isOwn } from '../platform/own-files.ts';
import { configFileName } from '../settings/config-file-name.ts';

/** The folder inside a project that holds its index. */
const stateFolderName = '.quarry';

/** Where the state folder of a project is, or would be. */
export function stateFolderOf(project: string): string {
  return join(project, stateFolderName);
}

/**
 * Makes the state folder, which ignores itself in git, and returns its path; the project's own folder must be there. What
 * stands under its name without being a folder of this user is `path-unsafe`.
 */
export async function ensureStateFolder(project: string): Promise<string> {
  const folder = stateFolderOf(project);
  try {
    // Another process may be removing it.
    await ensureIgnoredFolder(folder).catch((cause: NodeJS.ErrnoException) =>
      cause.code === 'ENOENT' ? ensureIgnoredFolder(folder) : Promise.reject(cause),
    );
  } catch (cause) {
    if (cause instanceof QuarryError) throw cause;
    throw new QuarryError(
      'store-unusable',
      `The index folder ${folder} cannot be made: ${messageOf(cause)}`,
      'Make the project folder writable.',
      { cause },
    );
  }
  return folder;
}

/** Makes a folder for this user alone that ignores itself in git. */
export async function ensureIgnoredFolder(folder: string): Promise<void> {
  ensureOwnFolder(folder);
  // 'wx' leaves a file that a user has changed alone; a folder that may only be read is used as it is.
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 }).catch(
    ignoring('EEXIST', 'EACCES', 'EROFS', 'EPERM'),
  );
}

function ignoring(...codes: string[]): (cause: NodeJS.ErrnoException) => void {
  return (cause) => {
    if (!codes.includes(cause.code ?? '')) throw cause;
  };
}

/** Whether the project has been indexed, or at least begun; `path-unsafe` as for `ensureStateFolder`. */
export function hasStateFolder(project: string): boolean {
  return hasOwnFolder(stateFolderOf(project));
}

/**
 * The nearest folder upwards that has settings, an index or added content, or the folder itself when none has. The search ends at
 * the root of a repository, because what lies above it belongs to something else, and below a folder of another user: what
 * stands there may be put there by anyone, to have a project of this user taken for a part of it.
 */
export async function findProjectFolder(from: string): Promise<string> {
  const start = resolve(from);
  const holds = (folder: string, name: string): boolean => isThere(join(folder, name));
  for (let folder = start; folder === start || isOwn(folder); folder = dirname(folder)) {
    if (marks.some((mark) => holds(folder, mark))) return folder;
    if (holds(folder, '.git') || dirname(folder) === folder) break;
  }
  return start;
}

const marks = [configFileName, stateFolderName, keptFolderName];

/** Whether something in a folder says that it is a project: settings, an index, added content or a repository. */
export function isMarked(folder: string): boolean {
  return [...marks, '.git'].some((mark) => isThere(join(folder, mark)));
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // What cannot be looked at marks no project.
    return false;
  }
}

/** Fails unless the path is a folder. */
export async function requireFolder(
  path: string,
  remedy = 'Name a folder that exists, on the command line with --project.',
): Promise<void> {
  // What cannot be looked at cannot be worked in.
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new QuarryError(
    'project-not-found',
    `${path} ${found ? 'is not a folder' : 'does not exist'}.`,
    remedy,
  );
}
