import { QuarryError } from '../../../../core/errors.ts';
import { fileIdentity } from '../../../../platform/sqlite/file-identity.ts';

/** The identity of the file at this path; undefined where there is none, or none that is known. */
export function knownIdentity(path: string): string | undefined {
  const found = fileIdentity(path);
  return found === 'unknown' ? undefined : found;
}

/** Whether the file with this identity is at this path. A file whose identity is not known counts as still there. */
export function isFileAt(path: string, identity: string | undefined): boolean {
  return identity === undefined || [identity, 'unknown'].includes(fileIdentity(path) ?? '');
}

/** The error for a change of a file that no longer stands in its place: it would be lost with that file. */
export function fileGone(path: string): QuarryError {
  return new QuarryError(
    'store-unusable',
    `The index ${path} was removed while it was open.`,
    'Run the same command again; it uses the index that is there now, or makes one.',
  );
}
