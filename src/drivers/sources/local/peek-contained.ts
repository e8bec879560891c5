import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside } from '../../../platform/contained-path.ts';
import { locate, movedMeanwhile } from './read-contained.ts';
import type { ResolvedRoot } from './roots.ts';

// As in `read-regular-file.ts`: no pipe is waited for, and no link is followed.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * The first bytes of the regular file that a uri names in one of the roots, none from outside; throws for anything else. It
 * makes the checks of `readContained` in one go, for files that a walk has just found.
 */
export function peekContained(roots: readonly ResolvedRoot[], uri: string, maxBytes: number): Uint8Array {
  const { root, rest } = locate(roots, uri);
  const path = join(root.folder, rest);
  // Before it is opened: a folder of its path may be a link by now.
  if (!isInside(root.folder, realpathSync.native(dirname(path)))) throw movedMeanwhile(uri);
  const file = openSync(path, flags);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || !isSame(file, stats, path, root.folder)) throw movedMeanwhile(uri);
    const buffer = Buffer.allocUnsafe(Math.min(maxBytes, stats.size));
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(file);
  }
}

/** Whether what is open lies inside the root: Linux says where it is; elsewhere its path must name it still. */
function isSame(
  file: number,
  stats: { readonly dev: number; readonly ino: number },
  path: string,
  root: string,
): boolean {
  if (process.platform === 'linux') {
    try {
      return isInside(root, readlinkSync(`/proc/self/fd/${file}`));
    } catch {
      // Without /proc it is looked at once more.
    }
  }
  const named = lstatSync(path);
  return named.dev === stats.dev && named.ino === stats.ino && isInside(root, realpathSync.native(path));
}
