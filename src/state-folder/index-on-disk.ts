import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasOwnFolder } from '../platform/own-files.ts';
import { currentIndex } from './index-folders.ts';
import { stateFolderOf } from './state-folder.ts';

/** An index as its files are, which nobody has opened. */
export interface IndexOnDisk {
  readonly bytes: number;
  /** When one of its files was written last. */
  readonly writtenAt: Date;
}

/** Files that are counted at most: a folder that somebody else has filled is not walked to its end. */
const maxFiles = 10_000;

/** Size and age of the index that would answer; undefined where there is none in the folder of the project, or it cannot be read. */
export async function indexOnDisk(project: string): Promise<IndexOnDisk | undefined> {
  try {
    const state = stateFolderOf(project);
    if (!hasOwnFolder(state)) return undefined;
    const folder = join(state, await currentIndex(state));
    return hasOwnFolder(folder) ? await measured(folder) : undefined;
  } catch {
    // Who opens it is told why.
    return undefined;
  }
}

async function measured(folder: string): Promise<IndexOnDisk | undefined> {
  let bytes = 0;
  let written = 0;
  let count = 0;
  for await (const entry of await opendir(folder, { recursive: true })) {
    count += 1;
    if (count > maxFiles) break;
    if (!entry.isFile()) continue;
    const { size, mtimeMs } = await lstat(join(entry.parentPath, entry.name));
    bytes += size;
    // What readers share with each other is written by reading.
    if (!entry.name.endsWith('-shm')) written = Math.max(written, mtimeMs);
  }
  return written === 0 ? undefined : { bytes, writtenAt: new Date(written) };
}
