import { existsSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { messageOf, QuarryError } from '../core/errors.ts';
import { keptFolderName } from '../core/kept-content.ts';

/** The name of the settings file, in a project and in the user's config folder. */
export const configFileName = 'quarry.toml';

/** The folder inside a project that holds its index. */
const stateFolderName = '.quarry';

/** Where the state folder of a project is, or would be. */
export function stateFolderOf(project: string): string {
  return join(project, stateFolderName);
}

/** Makes the state folder, which ignores itself in git, and returns its path; the project's own folder must be there. */
export async function ensureStateFolder(project: string): Promise<string> {
  const folder = stateFolderOf(project);
  try {
    // Another process may be removing it.
    await ensureIgnoredFolder(folder).catch((cause: NodeJS.ErrnoException) =>
      cause.code === 'ENOENT' ? ensureIgnoredFolder(folder) : Promise.reject(cause),
    );
  } catch (cause) {
    throw new QuarryError(
      'store-unusable',
      `The index folder ${folder} cannot be made: ${messageOf(cause)}`,
      'Make the project folder writable.',
      { cause },
    );
  }
  return folder;
}

/** Makes a folder that ignores itself in git. */
export async function ensureIgnoredFolder(folder: string): Promise<void> {
  await mkdir(folder).catch(ignoring('EEXIST'));
  // 'wx' leaves a file that a user has changed alone; a folder that may only be read is used as it is.
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(
    ignoring('EEXIST', 'EACCES', 'EROFS', 'EPERM'),
  );
}

function ignoring(...codes: string[]): (cause: NodeJS.ErrnoException) => void {
  return (cause) => {
    if (!codes.includes(cause.code ?? '')) throw cause;
  };
}

/** Whether the project has been indexed, or at least begun. */
export function hasStateFolder(project: string): boolean {
  return existsSync(stateFolderOf(project));
}

/**
 * The nearest folder upwards that has settings, an index or added content, or the folder itself when none has. The search ends at
 * the root of a repository: what lies above it belongs to something else.
 */
export async function findProjectFolder(from: string): Promise<string> {
  const start = resolve(from);
  for (let folder = start; ; folder = dirname(folder)) {
    const marks = [configFileName, stateFolderName, keptFolderName];
    for (const mark of marks) if (existsSync(join(folder, mark))) return folder;
    if (existsSync(join(folder, '.git')) || dirname(folder) === folder) return start;
  }
}

/** Fails unless the path is a folder. */
export async function requireFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new QuarryError(
    'project-not-found',
    `${path} ${found ? 'is not a folder' : 'does not exist'}.`,
    'Name a folder that exists, on the command line with --project.',
  );
}
