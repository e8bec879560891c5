import { QuarryError } from '../../../../core/errors.ts';
import { fileIdentity } from '../../../../platform/sqlite/file-identity.ts';

/** What is at the path where a file was opened: that file still, another one, or none. */
export type FileState = 'same' | 'other' | 'none';

/** The identity of the file at this path; undefined where there is none, or none that is known. */
export function knownIdentity(path: string): string | undefined {
  const found = fileIdentity(path);
  return found === 'unknown' ? undefined : found;
}

/**
 * What is at the path of a file with this identity now: SQLite itself continues with the file it has opened, wherever
 * that was moved. A file whose identity is not known counts as still there.
 */
export function fileStateAt(path: string, identity: string | undefined): FileState {
  if (identity === undefined) return 'same';
  const found = fileIdentity(path);
  if (found === undefined) return 'none';
  return found === 'unknown' || found === identity ? 'same' : 'other';
}

/** The error for a change of a file that no longer stands in its place: it would be lost with that file. */
export function fileGone(path: string): QuarryError {
  return new QuarryError(
    'store-unusable',
    `The index ${path} was taken away while it was open.`,
    'Run the same command again: it takes the index that stands there now, or makes one.',
  );
}
