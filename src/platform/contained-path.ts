import { lstat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { messageOf, QuarryError } from '../core/errors.ts';
import { machineFailure } from '../core/failures/machine-failure.ts';
import { realPath } from './real-path.ts';

/**
 * The absolute path of `uri` inside `root` with every symbolic link resolved, or a rejection with
 * `path-outside-root`. What does not exist yet is placed below its nearest existing folder.
 */
export async function containedPath(root: string, uri: string): Promise<string> {
  const realRoot = await resolveLinks(root, uri);
  if (realRoot === undefined) throw unreadable(uri, `the root ${root} does not exist`);
  return containedIn(realRoot, uri);
}

/** Like `containedPath`, for a root whose own links are resolved. */
export async function containedIn(realRoot: string, uri: string): Promise<string> {
  const hostile = outsideRoots(uri);
  if (hostile) throw hostile;
  const path = resolve(realRoot, uri);
  // The text is checked first, so that no path outside the root is accessed.
  if (!isInside(realRoot, path)) throw outside(uri);
  const real = await resolveExisting(path, uri);
  if (!isInside(realRoot, real)) throw outside(uri);
  return real;
}

/** Whether a path is the folder itself or lies below it; both absolute, with links resolved. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Whether the text of a uri alone shows that it is outside: absolute, with `..`, or with characters that no uri has. */
export function isHostileUri(uri: string, platform: NodeJS.Platform = process.platform): boolean {
  if (uri === '' || uri.includes('\0')) return true;
  if (/^[\\/]/.test(uri) || /^[a-zA-Z]:(?:[\\/]|$)/.test(uri)) return true;
  // A backslash separates folders on Windows and is a letter elsewhere: `..` between slashes of either kind is refused.
  if (uri.split(/[\\/]/).includes('..')) return true;
  // On Windows a colon names a drive or a hidden stream of a file.
  return platform === 'win32' && /[\\:]/.test(uri);
}

/** The error for a uri whose text alone shows that it is outside. */
export function outsideRoots(uri: string, platform?: NodeJS.Platform): QuarryError | undefined {
  return isHostileUri(uri, platform) ? outside(uri) : undefined;
}

/** Resolves the part of a path that exists and appends the rest. A broken link is refused, because it may point anywhere. */
async function resolveExisting(path: string, uri: string): Promise<string> {
  const missing: string[] = [];
  for (let current = path; ; ) {
    const real = await resolveLinks(current, uri);
    if (real !== undefined) return join(real, ...missing.reverse());
    if (await isLink(current, uri)) throw outside(uri);
    const parent = resolve(current, '..');
    if (parent === current) return path;
    missing.push(relative(parent, current));
    current = parent;
  }
}

async function resolveLinks(path: string, uri: string): Promise<string | undefined> {
  try {
    return await realPath(path);
  } catch (thrown) {
    requireAbsent(thrown, uri);
    return undefined;
  }
}

async function isLink(path: string, uri: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (thrown) {
    requireAbsent(thrown, uri);
    return false;
  }
}

/** Only what is surely not there may be passed over: anything else could be a link that leads out. */
function requireAbsent(thrown: unknown, uri: string): void {
  if (codeOf(thrown) !== 'ENOENT') throw machineFailure(thrown) ?? unreadable(uri, messageOf(thrown), thrown);
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
}

function outside(uri: string): QuarryError {
  return new QuarryError(
    'path-outside-root',
    `The path ${JSON.stringify(uri)} leads out of the configured roots.`,
    'Name a file by its path relative to the project folder.',
  );
}

function unreadable(uri: string, why: string, cause?: unknown): QuarryError {
  return new QuarryError(
    'file-unreadable',
    `Cannot resolve ${JSON.stringify(uri)}: ${why}.`,
    'Check that the file exists and may be read.',
    { cause },
  );
}
