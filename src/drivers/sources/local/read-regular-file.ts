import { constants, type FileHandle, open } from 'node:fs/promises';
import { QuarryError } from '../../../core/errors.ts';
import { machineFailure } from '../../../core/failures/machine-failure.ts';
import { describeFailure } from './describe-failure.ts';

/** How a regular file is opened. */
export interface ReadLimits {
  /** More than this is refused, even where the file grows while it is read. */
  readonly maxBytes: number;
  /** Whether the last part of the path may be a symbolic link. */
  readonly followLink: boolean;
}

// Without O_NONBLOCK opening a pipe waits forever for a writer. Windows has neither the flag nor the problem.
const noHang = constants.O_NONBLOCK ?? 0;
const noLink = constants.O_NOFOLLOW ?? 0;

/**
 * The bytes of a regular file; rejects with `file-unreadable` for anything else and never hangs on a pipe or device.
 * `verify` sees the open file before a byte is read and may reject.
 */
export async function readRegularFile(
  path: string,
  limits: ReadLimits,
  verify: (handle: FileHandle) => Promise<void> = async () => {},
): Promise<Buffer> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, constants.O_RDONLY | noHang | (limits.followLink ? 0 : noLink));
    await verify(handle);
    const { size } = await regularFile(handle, path);
    return await readUpTo(handle, path, size, limits.maxBytes);
  } catch (thrown) {
    if (thrown instanceof QuarryError) throw thrown;
    throw (
      machineFailure(thrown) ??
      unreadable(path, describeFailure(thrown), 'Check that the file exists and may be read.', thrown)
    );
  } finally {
    await handle?.close();
  }
}

async function regularFile(handle: FileHandle, path: string): Promise<{ size: number }> {
  const stats = await handle.stat();
  if (stats.isFile()) return stats;
  throw unreadable(path, 'it is not a regular file', 'Name a regular file.');
}

async function readUpTo(handle: FileHandle, path: string, size: number, maxBytes: number): Promise<Buffer> {
  const tooLarge = () =>
    unreadable(
      path,
      `it is larger than the limit of ${maxBytes} bytes`,
      'Raise the limit on the size of files, or leave this file out.',
    );
  if (size > maxBytes) throw tooLarge();
  // One byte more than expected shows that the file has grown.
  let buffer = Buffer.allocUnsafe(size + 1);
  let filled = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
    filled += bytesRead;
    // At its size a file that gives no more has ended; elsewhere only one that gives nothing has.
    if (bytesRead === 0 || filled === size) return buffer.subarray(0, filled);
    if (filled > maxBytes) throw tooLarge();
    if (filled === buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(maxBytes + 1, buffer.length * 2 + 4096));
      buffer.copy(larger, 0, 0, filled);
      buffer = larger;
    }
  }
}

function unreadable(path: string, why: string, remedy: string, cause?: unknown): QuarryError {
  return new QuarryError('file-unreadable', `Cannot read ${path}: ${why}.`, remedy, { cause });
}
