import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, QuarryError } from '../core/errors.ts';
import { isInside } from '../platform/contained-path.ts';
import { readOwnFile } from '../platform/own-files.ts';
import { realPath } from '../platform/real-path.ts';
import { configFileName } from './config-file-name.ts';

/** The text of a project's settings file; undefined where there is none. */
export async function readSettingsFile(folder: string): Promise<string | undefined> {
  const path = await settingsFile(folder);
  try {
    return readOwnFile(path, { ofAnyone: true })?.toString();
  } catch (cause) {
    if (cause instanceof QuarryError) throw cause;
    throw new QuarryError(
      'file-unreadable',
      `${path} cannot be read: ${messageOf(cause)}`,
      'Make the file readable.',
      { cause },
    );
  }
}

/** Where the settings of a project are, or would be. The file may be a link to another one in the project, and to no other. */
export async function settingsFile(folder: string): Promise<string> {
  const path = join(folder, configFileName);
  // Not there yet, or reading it says why it cannot be read.
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isSymbolicLink()) return path;
  // A link to nowhere may lead anywhere later: it is refused below.
  const target = await realPath(path).catch(() => undefined);
  if (target !== undefined && isInside(await realPath(folder), target)) return target;
  throw new QuarryError(
    'path-unsafe',
    `${path} is a symbolic link that leads out of the project folder, or nowhere. It was not read.`,
    `Remove ${path}, or put a file in its place.`,
  );
}
