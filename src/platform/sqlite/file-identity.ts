import { type BigIntStats, statSync } from 'node:fs';

/**
 * A name for the file at this path that no other file has as long as it is open; undefined where there is none, `unknown`
 * where the system does not say. SQLite continues with the file it has opened, wherever that was moved.
 */
export function fileIdentity(path: string): string | 'unknown' | undefined {
  let found: BigIntStats | undefined;
  try {
    found = statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return 'unknown';
  }
  return found?.isFile() ? `${found.dev}:${found.ino}` : undefined;
}
