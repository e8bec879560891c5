import { type FileHandle, lstat, readdir, readlink } from 'node:fs/promises';
import { posix } from 'node:path';
import { QuarryError } from '../../../core/errors.ts';
import { containedIn, isHostileUri, isInside } from '../../../platform/contained-path.ts';
import { readRegularFile } from './read-regular-file.ts';
import { type ResolvedRoot, rootOf } from './roots.ts';

/** How often a file that is moved while it is opened is tried again. */
const maxAttempts = 3;

/** The bytes of the file that a uri names in one of the roots; none from outside, whatever moves meanwhile. */
export async function readContained(
  roots: readonly ResolvedRoot[],
  uri: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const { root, rest } = locate(roots, uri);
  for (let attempt = 1; ; attempt++) {
    const path = await containedIn(root.folder, rest);
    let moved = false;
    const verify = async (handle: FileHandle) => {
      moved = !(await isContained(handle, path, root.folder, rest));
      if (moved) throw movedMeanwhile(uri);
    };
    try {
      return await readRegularFile(path, { maxBytes, followLink: false }, verify);
    } catch (thrown) {
      if (moved && attempt < maxAttempts) continue;
      const isLost = isNotThere(thrown) && root.prefix !== '' && (await namesIn(root.folder)).length === 0;
      throw isLost ? rootWentAway(uri) : thrown;
    }
  }
}

/**
 * Whether the opened file lies inside the root. A folder of its path can be replaced by a link between the check of the
 * path and the opening. Linux reports the path of an open file; elsewhere the path is checked once more and must still
 * name the same file, which leaves an attacker much less time.
 */
async function isContained(handle: FileHandle, path: string, root: string, rest: string): Promise<boolean> {
  // Without /proc the path is checked once more.
  const opened = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  if (opened !== undefined) return isInside(root, opened);
  const own = await handle.stat({ bigint: true });
  const named = await lstat(path, { bigint: true });
  return own.dev === named.dev && own.ino === named.ino && (await containedIn(root, rest)) === path;
}

/** The root whose uris start as this one does; the longest prefix wins. */
export function locate(roots: readonly ResolvedRoot[], uri: string): { root: ResolvedRoot; rest: string } {
  if (!isHostileUri(uri)) {
    const plain = posix.normalize(uri);
    const root = rootOf(roots, plain);
    if (root) return { root, rest: plain.slice(root.prefix.length) };
  }
  throw new QuarryError(
    'path-outside-root',
    `The path ${JSON.stringify(uri)} leads out of the configured roots.`,
    'Name a file by its path relative to the project folder.',
  );
}

function isNotThere(thrown: unknown): boolean {
  const cause = thrown instanceof QuarryError ? thrown.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

function namesIn(folder: string): Promise<string[]> {
  // A root that cannot be listed is away, as an empty one is.
  return readdir(folder).catch(() => []);
}

/** A missing file may be deleted, or its whole drive may be away: then its document must stay in the index. */
function rootWentAway(uri: string): QuarryError {
  return new QuarryError(
    'file-unreadable',
    `Cannot read ${uri}: its root is gone, or empty.`,
    'Mount the drive of the root and index again.',
  );
}

/** The error for a file that is elsewhere by the time that it is open. */
export function movedMeanwhile(uri: string): QuarryError {
  return new QuarryError(
    'file-unreadable',
    `The file ${uri} was moved or replaced while it was opened.`,
    'Index again when the file no longer changes.',
  );
}
