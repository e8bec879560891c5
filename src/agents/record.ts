import { join } from 'node:path';
import { z } from 'zod';
import { processEnvironment, userDataFolder } from '../platform/environment.ts';
import { openUserRecord, type UserRecord } from '../platform/user-record.ts';
import { parts } from './pieces.ts';

const entrySchema = z.object({
  file: z.string(),
  part: z.enum(parts),
  /** Those that it was set up for: several may share a file. */
  agents: z.array(z.string()),
  /** The copy of the file as it was, in the folder of copies; absent where there was no file. */
  before: z.string().optional(),
  /** SHA-256 of the file as it was left. */
  after: z.string(),
  /** Folders that were made for it, outermost first. */
  folders: z.array(z.string()),
});

/** What was set up in one file, so that it can be taken out exactly. */
export type InstalledFile = z.output<typeof entrySchema>;

const fileSchema = z.object({ files: z.array(entrySchema) });

/** Where it is kept what was set up, with copies of the files as they were. */
export function installsFolder(): string {
  return join(userDataFolder(processEnvironment), 'agents');
}

/** The record of what was set up, which is the user's own file. */
export function recordOfInstalls(folder = installsFolder()): UserRecord<readonly InstalledFile[]> {
  return openUserRecord(join(folder, 'installed.json'), {
    name: 'The record of the agents that are set up',
    remedy: 'Correct or delete the file; without it, what is ours is taken out by its marks.',
    empty: [],
    parse: (text) => fileSchema.parse(JSON.parse(text)).files,
    write: (files) => `${JSON.stringify({ files }, null, 2)}\n`,
  });
}
