import { lstatSync, readdirSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { asQuarryError, QuarryError } from '../../../core/errors.ts';
import { isInside } from '../../../platform/contained-path.ts';
import { isOwn } from '../../../platform/own-files.ts';
import { readGitSection } from '../local/git/git-config.ts';
import { findRepository } from '../local/git/git-repository.ts';
import { readRegularFile } from '../local/read-regular-file.ts';

/** Where the commits of a folder lie, found out without running git. */
export interface Repository {
  /** The folder with its objects: all of it that git is shown. */
  readonly objects: string;
  /** The commit that is checked out; undefined before the first one. */
  readonly head: string | undefined;
  readonly hash: 'sha1' | 'sha256';
  /** Where the history ends in a clone that has not all of it. */
  readonly shallow: string | undefined;
  /** The project's folder within the repository, for git; undefined where it is all of it. */
  readonly within: string | undefined;
}

/** The most that is read of a small file, and of a list of branches. */
const maxBytes = { file: 64 * 1024, list: 64 * 1024 * 1024 };
/** The most names that lead from one to the next. */
const maxSteps = 5;

/**
 * The repository of a folder, undefined where there is none. Throws `file-unreadable` for one that belongs to somebody else,
 * borrows its objects from elsewhere, or leads to a repository that knows nothing of this folder: each may have been put there to
 * show what lies elsewhere.
 */
export async function locateRepository(project: string): Promise<Repository | undefined> {
  const found = await findRepository(await realpath(project));
  if (!found) return undefined;
  const { root } = found;
  // As they really lie: a link on the way may lead into another repository.
  const [own, common] = await Promise.all([realOf(found.own), realOf(found.common)]);
  if (!isInside(root, own) && !(await namesItself({ root, own, common })))
    throw refused(`${root}/.git leads to ${own}, which knows nothing of this folder`, 'clone it again');
  // The folder of a worktree lies in the one that it shares.
  if (!isInside(common, own)) throw refused(`${own} leads to ${common}`, 'clone it again');
  const objects = join(common, 'objects');
  for (const folder of [found.own, found.common, objects]) requireOwnFolder(folder);
  requireNoLinks(objects);
  if (lstatSync(join(objects, 'info', 'alternates'), { throwIfNoEntry: false })?.size)
    throw refused(
      'it borrows objects from another repository',
      'copy them with `git repack -ad`, then delete .git/objects/info/alternates',
    );
  const config = await textOf(join(common, 'config'));
  const extensions = readGitSection(config, 'extensions');
  if (extensions.get('refstorage')?.toLowerCase() === 'reftable')
    throw refused('its branches are kept as reftable, which is not read yet', 'use the format `files`');
  const way = relative(root, await realpath(project));
  const shallow = join(common, 'shallow');
  return {
    objects,
    head: await headOf(own, common),
    hash: extensions.get('objectformat')?.toLowerCase() === 'sha256' ? 'sha256' : 'sha1',
    shallow: lstatSync(shallow, { throwIfNoEntry: false })?.isFile() ? shallow : undefined,
    within: way === '' ? undefined : way.split(sep).join('/'),
  };
}

/** Whether the folder of a worktree or submodule, which lies elsewhere, names the folder that leads to it. */
async function namesItself({
  root,
  own,
  common,
}: {
  readonly root: string;
  readonly own: string;
  readonly common: string;
}): Promise<boolean> {
  // A network path of Windows: to look at it alone would tell another machine who asks.
  if (/^[\\/]{2}/.test(own) || /^[\\/]{2}/.test(common)) return false;
  const back = (await textOf(join(own, 'gitdir'))).trim();
  const tree = readGitSection(await textOf(join(common, 'config')), 'core').get('worktree');
  const named = [
    ...(back === '' ? [] : [resolve(own, back)]),
    ...(tree === undefined ? [] : [join(resolve(own, tree), '.git')]),
  ];
  const meant = await realpath(join(root, '.git'));
  // A folder that is gone is not this one.
  const real = await Promise.all(named.map((path) => realpath(path).catch(() => undefined)));
  return real.includes(meant);
}

/** A network path of Windows stays as it is: to look at it would tell another machine who asks. */
async function realOf(path: string): Promise<string> {
  // A folder that is not there is refused where it is looked at.
  return /^[\\/]{2}/.test(path) ? path : realpath(path).catch(() => path);
}

/** Links among the objects lead git to those of another repository. */
function requireNoLinks(objects: string): void {
  for (const folder of [objects, join(objects, 'info'), join(objects, 'pack')]) {
    if (!lstatSync(folder, { throwIfNoEntry: false })) continue;
    const link = readdirSync(folder, { withFileTypes: true }).find((entry) => entry.isSymbolicLink());
    if (link) throw refused(`${join(folder, link.name)} is a link`, 'clone it again');
  }
}

function requireOwnFolder(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory())
    throw refused(`${path} is ${found ? 'a link or no folder' : 'not there'}`, 'clone it again');
  if (!isOwn(path)) throw refused(`${path} belongs to another user`, 'clone it as yourself');
}

/** The hash that `HEAD` leads to. */
async function headOf(own: string, common: string): Promise<string | undefined> {
  let text = await textOf(join(own, 'HEAD'));
  for (let step = 0; step < maxSteps; step += 1) {
    const hash = hashIn(text);
    if (hash) return hash;
    const name = /^ref: (refs\/[^\s\\:]+)\s*$/.exec(text)?.[1];
    if (name === undefined || name.split('/').some((part) => part === '..' || part === '.')) return undefined;
    text = (await textOf(join(own, name))) || (await textOf(join(common, name)));
    if (text === '') return packed(await textOf(join(common, 'packed-refs'), maxBytes.list), name);
  }
  return undefined;
}

function packed(list: string, name: string): string | undefined {
  const line = list.split('\n').find((each) => each.trimEnd().endsWith(` ${name}`));
  return line && hashIn(line.split(' ', 1)[0] ?? '');
}

function hashIn(text: string): string | undefined {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.exec(text.trim())?.[0];
}

/** What is not there, or no plain file, is empty; links are not followed. */
async function textOf(path: string, max = maxBytes.file): Promise<string> {
  try {
    return (await readRegularFile(path, { maxBytes: max, followLink: false })).toString('utf8');
  } catch (thrown) {
    if (asQuarryError(thrown).code !== 'file-unreadable') throw thrown;
    return '';
  }
}

/** The error for a history that is not read. */
export function refused(why: string, remedy: string): QuarryError {
  return new QuarryError(
    'file-unreadable',
    `The history of this folder is not read: ${why}.`,
    `To have it read, ${remedy}; or run: quarry index --no-history`,
  );
}
