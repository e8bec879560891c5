import { lstat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isInside } from '../../../../platform/contained-path.ts';
import { isOwn } from '../../../../platform/own-files.ts';
import { realPath } from '../../../../platform/real-path.ts';
import { readRegularFile } from '../read-regular-file.ts';
import { type IgnoreRule, parseIgnoreFile } from '../rules/ignore-rules.ts';
import { isGitTrue, readGitSection } from './git-config.ts';

/** Where the user keeps git's settings; passed in, never read from the process. */
export interface UserPlaces {
  readonly home?: string;
  readonly environment?: (name: string) => string | undefined;
}

/** Git's settings in addition to the ignore files in the tree. */
export interface GitRules {
  /** Root of the enclosing repository, or nothing where there is none. */
  readonly repository: string | undefined;
  /** `core.ignorecase` of the repository: patterns then match in any case. */
  readonly ignoreCase: boolean;
  /** The user's global excludes and, after them, `.git/info/exclude`; both apply to paths from the repository's root. */
  readonly rules: readonly IgnoreRule[];
  /** The folder with `HEAD` and `index` of this working tree, or nothing where there is no repository. */
  readonly gitFolder: string | undefined;
  /** Every file that was looked for, whether it is there or not: a change of one may change the rules. */
  readonly files: readonly string[];
}

/** Larger ignore and configuration files are not read. */
const maxTextBytes = 8 * 1024 * 1024;

/** Finds the repository around a folder and reads its and the user's excludes. */
export async function readGitRules(folder: string, places: UserPlaces): Promise<GitRules> {
  const found = await findRepository(folder);
  const local = found ? await readLocalCore(found) : new Map<string, string>();
  const ignoreCase = isGitTrue(local.get('ignorecase'));
  const excludes = await excludesFile(local, places, found?.root ?? folder);
  const excludesRoot = local.has('excludesfile') ? found?.root : undefined;
  const sources = [
    ...(excludes === undefined
      ? []
      : [{ path: excludes, name: shortName(excludes, places.home), root: excludesRoot }]),
    ...(found
      ? [{ path: join(found.common, 'info', 'exclude'), name: '.git/info/exclude', root: found.root }]
      : []),
  ];
  const rules: IgnoreRule[] = [];
  for (const { path, name, root } of sources) {
    const { text, isOutside } =
      root === undefined
        ? { text: await readTextIfAny(path), isOutside: false }
        : await readNamed(path, root);
    rules.push(...parseIgnoreFile(text, name, ignoreCase, !isOutside));
  }
  const settings = [
    ...(found ? [join(found.common, 'config')] : []),
    ...globalConfigFiles(places, xdgConfigHome(places)),
  ];
  const files = [...settings, ...sources.map(({ path }) => path)];
  return { repository: found?.root, ignoreCase, rules, gitFolder: found?.own, files };
}

/** A repository as it lies on the disk. */
export interface FoundRepository {
  readonly root: string;
  /** The folder that holds `config` and `info`, which the worktrees of a repository share. */
  readonly common: string;
  /** The folder that holds `HEAD` and `index`, which each worktree has for itself. */
  readonly own: string;
}

/** As git does, it looks at no repository around a folder that belongs to another user. */
export async function findRepository(folder: string): Promise<FoundRepository | undefined> {
  for (let current = folder; current === folder || isOwn(current); current = dirname(current)) {
    const found = await gitFolders(current);
    if (found !== undefined) return { root: current, ...found };
    if (dirname(current) === current) break;
  }
  return undefined;
}

/** `.git` is a folder, or in worktrees and submodules a file that names one. */
async function gitFolders(root: string): Promise<Omit<FoundRepository, 'root'> | undefined> {
  const dotGit = join(root, '.git');
  const pointer = /^gitdir: (.+?)\r?\n?$/s.exec((await readNamed(dotGit, root)).text)?.[1];
  const own = pointer === undefined ? dotGit : resolve(root, pointer);
  // What cannot be looked at is no repository.
  if (!(await lstat(join(own, 'HEAD')).catch(() => undefined))) return undefined;
  const shared = (await readNamed(join(own, 'commondir'), root)).text.trim();
  return { own, common: shared === '' ? own : resolve(own, shared) };
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
  for (const file of globalConfigFiles(places, configHome)) {
    const setting = (await readCore(file)).get('excludesfile');
    if (setting !== undefined) return setting;
  }
  return undefined;
}

function globalConfigFiles(places: UserPlaces, configHome: string | undefined): string[] {
  const named = places.environment?.('GIT_CONFIG_GLOBAL');
  if (named !== undefined) return named === '' ? [] : [named];
  return [
    ...(places.home === undefined ? [] : [join(places.home, '.gitconfig')]),
    ...(configHome === undefined ? [] : [join(configHome, 'git', 'config')]),
  ];
}

function xdgConfigHome(places: UserPlaces): string | undefined {
  const named = places.environment?.('XDG_CONFIG_HOME');
  if (named) return named;
  return places.home === undefined ? undefined : join(places.home, '.config');
}

async function readCore(path: string): Promise<Map<string, string>> {
  return readGitSection(await readTextIfAny(path), 'core');
}

async function readLocalCore({ common, root }: FoundRepository): Promise<Map<string, string>> {
  return readGitSection((await readNamed(join(common, 'config'), root)).text, 'core');
}

/**
 * The text of a file to which the repository leads, by name or link: a stranger may have written the repository, and lead to any
 * file of the user. One that really lies outside of it is read only where it is the user's own.
 */
async function readNamed(path: string, root: string): Promise<{ text: string; isOutside: boolean }> {
  try {
    const real = await realPath(path);
    const isOutside = !isInside(await realPath(root), real);
    return { text: isOutside && !isOwn(real) ? '' : await readTextIfAny(real, false), isOutside };
  } catch {
    // Not there.
    return { text: '', isOutside: false };
  }
}

/** A missing or unreadable file counts as empty, as it does for git. */
async function readTextIfAny(path: string, followLink = true): Promise<string> {
  try {
    const bytes = await readRegularFile(path, { maxBytes: maxTextBytes, followLink });
    return bytes.toString('utf8');
  } catch {
    // As git does.
    return '';
  }
}

function shortName(path: string, home: string | undefined): string {
  return home !== undefined && path.startsWith(join(home, '/'))
    ? `~/${path.slice(join(home, '/').length)}`
    : path;
}
