import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../../core/identity.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import { hasOwnFolder, readOwnFile } from '../../../platform/own-files.ts';
import { writeDurably } from '../../../platform/write-durably.ts';
import type { FoldedSession } from './folding.ts';

/** A session as far as it was read. */
export interface KeptSession {
  readonly session: FoldedSession;
  /** Which file it was: one that was written again beside it and renamed is another. */
  readonly inode: number;
  /** Bytes of its file that were read. */
  readonly offset: number;
  /** What these bytes begin and end with, hashed: a file that was written again is read again. */
  readonly ends: string;
}

/** Raised when sessions are folded in another way. */
const version = 3;
const maxBytes = 64 * 2 ** 20;

/** Sessions as they were folded, without secrets, so that of a file which has grown only the end is read. It may be lost at any time. */
export interface SessionCache {
  read(path: string): KeptSession | undefined;
  write(path: string, kept: KeptSession): Promise<void>;
}

/** The cache in a folder of the user. */
export function openSessionCache(folder: string): SessionCache {
  const fileOf = (path: string) => join(folder, `${sha256(path).slice(0, 32)}.json`);
  return {
    read(path) {
      try {
        const bytes = hasOwnFolder(folder) ? readOwnFile(fileOf(path), { maxBytes }) : undefined;
        const said = bytes && JSON.parse(bytes.toString('utf8'));
        return said?.version === version && Array.isArray(said.session?.turns) ? said : undefined;
      } catch {
        // Whatever stands there is read again.
        return undefined;
      }
    },
    async write(path, kept) {
      try {
        await makeFolder(folder, 0o700);
        await writeDurably(fileOf(path), JSON.stringify({ version, ...kept }), 0o600);
      } catch {
        // Without it the file is read whole the next time.
      }
    },
  };
}

/** Removes everything that is kept of sessions. */
export async function clearSessionCache(folder: string): Promise<void> {
  // A folder that is not there holds nothing to remove.
  const names = await readdir(folder).catch(() => []);
  for (const name of names)
    if (/^[0-9a-f]{32}\.json(?:\.[0-9a-f-]{36}\.tmp)?$/.test(name))
      await rm(join(folder, name), { force: true });
}
