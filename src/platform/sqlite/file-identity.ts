import { type BigIntStats, statSync } from 'node:fs';

/**
 * A name for the file at this path, unique while the file is open; undefined where there is no file, `unknown` where the
 * system does not give one. It is needed because SQLite continues with the file it has opened, wherever that was moved.
 */
export function fileIdentity(path: string): string | 'unknown' | undefined {
  let found: BigIntStats | undefined;
  try {
    found = statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // The system does not give one.
    return 'unknown';
  }
  return found?.isFile() ? `${found.dev}:${found.ino}` : undefined;
}
