import { createHash } from 'node:crypto';
import { rm, rmdir, stat } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { messageOf, QuarryError } from '../core/errors.ts';
import { containedPath } from '../platform/contained-path.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { readOwnFile } from '../platform/own-files.ts';
import { realPath } from '../platform/real-path.ts';
import { writeDurably } from '../platform/write-durably.ts';
import type { InstallScope } from './agents.ts';

/** Bytes of the largest file that is edited. */
const maxBytes = 2 ** 26;

/** A link of the user to a file elsewhere stays a link; one that came with a folder must not have that file written. */
export async function realFile(file: string, scope: InstallScope, folder: string): Promise<string> {
  // Not there yet: it is made where it is named.
  if (scope === 'user') return realPath(file).catch(() => file);
  return containedPath(folder, relative(folder, file).replaceAll('\\', '/'));
}

/** The text of a file; undefined where there is none. */
export function readText(file: string): string | undefined {
  try {
    const bytes = readOwnFile(file, { maxBytes, ofAnyone: true });
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    if (cause instanceof QuarryError) throw cause;
    if (cause instanceof TypeError)
      throw new QuarryError(
        'config-invalid',
        `${file} is not UTF-8; it was not changed.`,
        'Save it as UTF-8, then try again.',
        { cause },
      );
    throw new QuarryError(
      'file-unreadable',
      `${file} cannot be read: ${messageOf(cause)}.`,
      'Check its permissions.',
      { cause },
    );
  }
}

/** Writes a file with the permissions that it has; a new one, and the folders that it needs, for the user alone. */
export async function writeText(file: string, text: string): Promise<void> {
  try {
    await makeFolder(dirname(file));
    const mode = await stat(file).then(
      (found) => found.mode & 0o777,
      // It is new.
      () => 0o600,
    );
    if ((mode & 0o200) === 0)
      throw new QuarryError(
        'file-unreadable',
        `${file} is read-only; it was not changed.`,
        'Allow yourself to write it, then try again.',
      );
    await writeDurably(file, text, mode);
  } catch (cause) {
    if (cause instanceof QuarryError) throw cause;
    throw new QuarryError(
      'file-unreadable',
      `${file} cannot be written: ${messageOf(cause)}.`,
      'Check its permissions.',
      { cause },
    );
  }
}

/** The folders above a file that are not there yet, outermost first. */
export async function missingFolders(file: string): Promise<string[]> {
  const missing: string[] = [];
  for (let folder = dirname(file); !(await exists(folder)); folder = dirname(folder)) missing.unshift(folder);
  return missing;
}

/** Removes a file and those of the folders that are empty then. */
export async function removeFile(file: string, folders: readonly string[]): Promise<void> {
  await rm(file, { force: true });
  // A folder that something else stands in stays.
  for (const folder of [...folders].reverse()) await rmdir(folder).catch(() => undefined);
}

/** Whether something is there; what cannot be looked at counts as absent. */
export function exists(path: string): Promise<boolean> {
  // Whatever keeps it from being looked at.
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Names a text by its content. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
