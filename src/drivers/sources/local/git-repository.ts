import { lstat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isGitTrue, readGitSection } from './git-config.ts';
import { type IgnoreRule, parseIgnoreFile } from './ignore-rules.ts';
import { readRegularFile } from './read-regular-file.ts';

/** Where the user keeps git's settings; passed in, never read from the process. */
export interface UserPlaces {
  readonly home?: string;
  readonly environment?: (name: string) => string | undefined;
}

/** What git says beyond the ignore files in the tree. */
export interface GitRules {
  /** Root of the enclosing repository, or nothing where there is none. */
  readonly repository: string | undefined;
  /** `core.ignorecase` of the repository: patterns then match in any case. */
  readonly ignoreCase: boolean;
  /** The user's global excludes and, after them, `.git/info/exclude`; both speak of paths from the repository's root. */
  readonly rules: readonly IgnoreRule[];
}

/** Larger ignore and configuration files are not read. */
const maxTextBytes = 8 * 1024 * 1024;

/** Finds the repository around a folder and reads its and the user's excludes. */
export async function readGitRules(folder: string, places: UserPlaces): Promise<GitRules> {
  const found = await findRepository(folder);
  const local = found ? await readCore(join(found.common, 'config')) : new Map<string, string>();
  const ignoreCase = isGitTrue(local.get('ignorecase'));
  const excludes = await excludesFile(local, places, found?.root ?? folder);
  const sources = [
    ...(excludes === undefined ? [] : [{ path: excludes, name: shortName(excludes, places.home) }]),
    ...(found ? [{ path: join(found.common, 'info', 'exclude'), name: '.git/info/exclude' }] : []),
  ];
  const rules: IgnoreRule[] = [];
  for (const { path, name } of sources) {
    rules.push(...parseIgnoreFile(await readTextIfAny(path), name, ignoreCase));
  }
  return { repository: found?.root, ignoreCase, rules };
}

interface Repository {
  readonly root: string;
  /** The folder that holds `config` and `info`, which the worktrees of a repository share. */
  readonly common: string;
}

async function findRepository(folder: string): Promise<Repository | undefined> {
  for (let current = folder; ; current = dirname(current)) {
    const common = await commonFolder(join(current, '.git'));
    if (common !== undefined) return { root: current, common };
    if (dirname(current) === current) return undefined;
  }
}

/** `.git` is a folder, or in worktrees and submodules a file that names one. */
async function commonFolder(dotGit: string): Promise<string | undefined> {
  const pointer = /^gitdir: (.+?)\r?\n?$/s.exec(await readTextIfAny(dotGit))?.[1];
  const gitFolder = pointer === undefined ? dotGit : resolve(dirname(dotGit), pointer);
  if (!(await exists(join(gitFolder, 'HEAD')))) return undefined;
  const shared = (await readTextIfAny(join(gitFolder, 'commondir'))).trim();
  return shared === '' ? gitFolder : resolve(gitFolder, shared);
}

async function excludesFile(
  local: ReadonlyMap<string, string>,
  places: UserPlaces,
  repository: string,
): Promise<string | undefined> {
  const configHome = xdgConfigHome(places);
  const setting = local.get('excludesfile') ?? (await globalExcludesFile(places, configHome));
  if (setting === undefined) return configHome === undefined ? undefined : join(configHome, 'git', 'ignore');
  if (setting === '') return undefined;
  const home = places.home;
  if (home !== undefined && (setting === '~' || setting.startsWith('~/')))
    return join(home, setting.slice(1));
  return isAbsolute(setting) ? setting : join(repository, setting);
}

async function globalExcludesFile(
  places: UserPlaces,
  configHome: string | undefined,
): Promise<string | undefined> {
  const named = places.environment?.('GIT_CONFIG_GLOBAL');
  if (named !== undefined) return named === '' ? undefined : (await readCore(named)).get('excludesfile');
  const files = [
    ...(places.home === undefined ? [] : [join(places.home, '.gitconfig')]),
    ...(configHome === undefined ? [] : [join(configHome, 'git', 'config')]),
  ];
  for (const file of files) {
    const setting = (await readCore(file)).get('excludesfile');
    if (setting !== undefined) return setting;
  }
  return undefined;
}

function xdgConfigHome(places: UserPlaces): string | undefined {
  const named = places.environment?.('XDG_CONFIG_HOME');
  if (named) return named;
  return places.home === undefined ? undefined : join(places.home, '.config');
}

async function readCore(path: string): Promise<Map<string, string>> {
  return readGitSection(await readTextIfAny(path), 'core');
}

/** What is absent, unreadable or no file counts as empty, as it does for git. */
async function readTextIfAny(path: string): Promise<string> {
  try {
    const bytes = await readRegularFile(path, { maxBytes: maxTextBytes, followLink: true });
    return bytes.toString('utf8');
  } catch {
    return '';
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

function shortName(path: string, home: string | undefined): string {
  return home !== undefined && path.startsWith(join(home, '/'))
    ? `~/${path.slice(join(home, '/').length)}`
    : path;
}
