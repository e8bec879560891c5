import { existsSync, realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { QuarryError } from '../core/errors.ts';
import { isInside } from '../platform/contained-path.ts';
import type { Environment } from '../platform/environment.ts';
import { isMarked } from './state-folder.ts';

/** What a shell or a desktop puts into a home folder, and nobody into a project. */
const signsOfHome = [
  '.bashrc',
  '.profile',
  '.zshrc',
  '.bash_history',
  '.ssh',
  'Desktop',
  'Downloads',
  'Library',
  'AppData',
];

/** Folders that hold homes, whoever is asking. */
const holdersOfHomes = ['/home', '/Users'];

/**
 * Why a folder is not indexed for a question that is asked in it: it is a whole disk, a home folder or above one, which nobody
 * means. Settings, an index or a repository of its own say that it is meant.
 */
export function unmeantFolder(folder: string, environment: Environment): QuarryError | undefined {
  // Cheapest first: it is asked before every search.
  if (isMarked(folder) || !isWide(folder, environment)) return undefined;
  return new QuarryError(
    'usage-invalid',
    `${folder} is a home folder or a whole disk, and has no index: nothing there is indexed until you ask for it.`,
    'Go into the folder that you mean, or name it with --project; `quarry index` in this one indexes all of it.',
  );
}

/** Fails for such a folder. */
export function requireMeant(folder: string, environment: Environment): void {
  const fault = unmeantFolder(folder, environment);
  if (fault) throw fault;
}

function isWide(folder: string, environment: Environment): boolean {
  const real = realOf(folder);
  if (dirname(real) === real || holdersOfHomes.includes(real)) return true;
  const account = homeOfAccount();
  // A folder above a home, such as that of all users, holds it.
  if (account !== undefined && isInside(real, account)) return true;
  // A variable may name any folder as home, a project too: it is one where it looks like one.
  const named = environment('HOME') ?? homedir();
  return real === realOf(named) && signsOfHome.some((name) => existsSync(join(real, name)));
}

function homeOfAccount(): string | undefined {
  try {
    const { homedir: home } = userInfo();
    // Accounts of services have the root as their home, or a folder that is not there.
    return dirname(home) === home ? undefined : realOf(home);
  } catch {
    // An account without an entry has none.
    return undefined;
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // What is not there, or cannot be looked at, is compared as it is written.
    return path;
  }
}
