import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, QuarryError } from '../../core/errors.ts';
import { isKeptFileName, keptFileName, keptFolderName } from '../../core/kept-content.ts';
import { syncFolder, writeDurably } from '../../platform/write-durably.ts';
import { ensureIgnoredFolder } from '../state-folder.ts';

/** Milliseconds after which a file that was never finished is that of a process that was killed. */
const longestWriting = 3_600_000;

/** Where the added content of a project is kept, or would be. */
export function keptFolderOf(project: string): string {
  return join(project, keptFolderName);
}

/** The names of the files of added content; none where nothing was ever added. */
export async function keptFiles(project: string): Promise<string[]> {
  const folder = keptFolderOf(project);
  const names = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return [];
    throw unreadable(folder, cause);
  });
  return names.filter(isKeptFileName).sort();
}

/** Keeps content in one step, in place of what was kept under its uri; when this returns it survives a power cut. */
export async function keep(project: string, uri: string, content: Uint8Array): Promise<void> {
  const folder = keptFolderOf(project);
  const path = join(folder, keptFileName(uri));
  try {
    await ensureIgnoredFolder(folder);
    await syncFolder(dirname(folder));
    await writeDurably(path, content);
  } catch (cause) {
    throw new QuarryError(
      'content-unwritable',
      `${uri} was not added: it cannot be kept in ${path}: ${messageOf(cause)}`,
      'Free space on that disk, or make the project folder writable, and add it again.',
      { cause },
    );
  }
}

/** Whether content is kept under a uri. */
export async function isKept(project: string, uri: string): Promise<boolean> {
  return stat(join(keptFolderOf(project), keptFileName(uri))).then(
    () => true,
    () => false,
  );
}

/** Removes what is kept of a uri for good; whether there was something. */
export async function discard(project: string, uri: string): Promise<boolean> {
  const folder = keptFolderOf(project);
  try {
    await rm(join(folder, keptFileName(uri)));
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return false;
    throw new QuarryError(
      'content-unwritable',
      `${uri} cannot be removed from ${folder}: ${messageOf(cause)}`,
      'Make the folder writable, and remove it again.',
      { cause },
    );
  }
  await syncFolder(folder);
  return true;
}

/** Removes what killed processes have begun to write. */
export async function removeUnfinished(project: string): Promise<void> {
  const folder = keptFolderOf(project);
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const age = name.endsWith('.tmp')
      ? Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0)
      : 0;
    if (age > longestWriting) await rm(path, { force: true }).catch(() => {});
  }
}

/** The error for added content that cannot be read. */
export function unreadable(path: string, cause: unknown): QuarryError {
  return new QuarryError(
    'file-unreadable',
    `The added content in ${path} cannot be read: ${messageOf(cause)}.`,
    'Make it readable.',
    { cause },
  );
}
