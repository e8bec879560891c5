import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Environment, userCacheFolder } from '../../../platform/environment.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import { ensureOwnFolder } from '../../../platform/own-files.ts';
import { findGit } from './find-git.ts';
import { type Repository, refused } from './repository.ts';

/**
 * Git as it may look at a repository of a stranger: it is shown the objects alone, through a repository of ours that is empty. Hooks,
 * settings (aliases, pagers, filters, external diffs, monitors, remotes to fetch what is missing), attributes, replaced
 * objects and grafts of the stranger lie elsewhere, and are never met.
 */
export interface GitView {
  /** Begins a command; who starts it ends it. */
  start(words: readonly string[]): ChildProcessWithoutNullStreams;
}

/** What git is told with every command, though nothing in the view says otherwise. */
const always: readonly string[] = [
  '--no-pager',
  '--no-replace-objects',
  '--no-optional-locks',
  '--literal-pathspecs',
  // A larger file is no text to git, so that it is never held in memory.
  ...['core.bigFileThreshold=2m', 'core.quotePath=false', 'core.commitGraph=false'],
  ...['core.multiPackIndex=false', 'core.fsmonitor=false', 'core.hooksPath=/dev/null'],
  ...['core.attributesFile=/dev/null', 'protocol.allow=never', 'i18n.logOutputEncoding=UTF-8'],
  ...['core.packedGitLimit=256m', 'core.deltaBaseCacheLimit=64m', 'pack.threads=1', 'gc.auto=0'],
].flatMap((word) => (word.startsWith('--') ? [word] : ['-c', word]));

/** Bytes of memory of one object beyond which git gives up on it, and not the machine. */
const maxAtOnce = 512 * 1024 * 1024;
/** The same where whole trees are compared: what git notes of each path is dozens of times its place in the list. */
const maxOfTrees = 32 * 1024 * 1024;

/** Prepares the view of a repository. */
export async function openGitView(
  { objects, hash, shallow }: Repository,
  { project, environment }: { readonly project: string; readonly environment: Environment },
): Promise<GitView> {
  const program = findGit(environment, project);
  if (program === undefined) throw refused('git is not installed', 'install it');
  const own = await emptyRepository(userCacheFolder(environment), hash);
  const passed = ['SYSTEMROOT', 'TEMP', 'TMP'].flatMap((name) => {
    const value = environment(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const env = {
    ...Object.fromEntries(passed),
    PATH: dirname(program),
    HOME: own,
    XDG_CONFIG_HOME: own,
    LC_ALL: 'C',
    GIT_DIR: own,
    GIT_OBJECT_DIRECTORY: objects,
    ...(shallow !== undefined && { GIT_SHALLOW_FILE: shallow }),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: '',
    GIT_PROTOCOL_FROM_USER: '0',
  };
  return {
    // In our folder: on Windows a program is looked for where it is started too.
    start: (words) => {
      const max = ['diff-tree', 'blame'].includes(words[0] ?? '') ? maxOfTrees : maxAtOnce;
      const bounded = { ...env, GIT_ALLOC_LIMIT: String(max) };
      return spawn(program, [...always, ...words], { cwd: own, env: bounded, windowsHide: true });
    },
  };
}

/** A repository without anything, in the user's own folder; written again where it is not as it should be. */
async function emptyRepository(cacheFolder: string, hash: Repository['hash']): Promise<string> {
  const folder = join(cacheFolder, `git-view-${hash}`);
  await makeFolder(cacheFolder);
  ensureOwnFolder(folder);
  await makeFolder(join(folder, 'refs'));
  const version = hash === 'sha256' ? 1 : 0;
  const extension = hash === 'sha256' ? '[extensions]\n\tobjectFormat = sha256\n' : '';
  const files = {
    HEAD: 'ref: refs/heads/none\n',
    config: `[core]\n\trepositoryformatversion = ${version}\n\tbare = true\n${extension}`,
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    // Another process may write it at this moment, with the same content.
    if ((await readFile(path, 'utf8').catch(() => '')) !== text) await writeFile(path, text, { mode: 0o600 });
  }
  return folder;
}
