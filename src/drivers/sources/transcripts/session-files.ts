import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TranscriptAgent } from './agents.ts';

/** A file with a session, as it was found. */
export interface SessionFile {
  readonly path: string;
  /** Its path below the folder of transcripts. */
  readonly below: string;
  readonly size: number;
  readonly modifiedAt: number;
  readonly changedAt: number;
}

/** Files of one agent at most. */
const maxFiles = 200_000;

/** The files of an agent, by name, and what kept the last folder below from being listed. */
export interface FoundSessions {
  readonly files: readonly SessionFile[];
  readonly unread?: { readonly path: string; readonly cause: unknown };
}

/** The files of an agent; links are not followed. Rejects where the folder itself cannot be listed. */
export async function sessionFiles(folder: string, agent: TranscriptAgent): Promise<FoundSessions> {
  const found: SessionFile[] = [];
  let unread: FoundSessions['unread'];
  const enter = async (
    path: string,
    below: string,
    depth: number,
    entries: readonly Dirent[],
  ): Promise<void> => {
    const hasChats = entries.some((entry) => entry.name === 'chats');
    for (const { name, entry } of sorted(entries)) {
      if (found.length >= maxFiles) return;
      const [inner, way] = [join(path, name), below === '' ? name : `${below}/${name}`];
      if (entry.isDirectory() && depth > 0 && (agent.within?.test(way) ?? true))
        await entriesOf(inner).then(
          (list) => enter(inner, way, depth - 1, list),
          (cause: unknown) => {
            unread = { path: inner, cause };
          },
        );
      // Questions alone are read only where nothing has the answers too.
      else if (entry.isFile() && agent.files.test(way) && !(name === 'logs.json' && hasChats)) {
        // One that is gone since the folder was listed is no session any more.
        const stats = await lstat(inner).catch(() => undefined);
        if (stats?.isFile())
          found.push({
            path: inner,
            below: way,
            size: stats.size,
            modifiedAt: stats.mtimeMs,
            changedAt: stats.ctimeMs,
          });
      }
    }
  };
  await enter(folder, '', agent.depth, await entriesOf(folder));
  return { files: found, ...(unread && { unread }) };
}

function entriesOf(path: string): Promise<Dirent[]> {
  return readdir(path, { withFileTypes: true });
}

function sorted(entries: readonly Dirent[]): { name: string; entry: Dirent }[] {
  return entries.map((entry) => ({ name: entry.name, entry })).sort((a, b) => (a.name < b.name ? -1 : 1));
}
