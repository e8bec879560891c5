import { join } from 'node:path';
import { z } from 'zod';
import { openUserRecord, type UserRecord } from '../platform/user-record.ts';

const trustSchema = z.object({
  /** The folder of the project. */
  project: z.string(),
  /** Names what was trusted: another command needs another trust. */
  fingerprint: z.string(),
  /** Settings that lower protection, with their values, as they were agreed to. */
  settings: z.array(z.string()).optional(),
  givenAt: z.string(),
});
const fileSchema = z.object({ trusts: z.array(trustSchema) });
/** What a user has agreed to for one project. */
export type Trust = z.output<typeof trustSchema>;

/** Every agreement of the user. */
export function readTrusts(configFolder: string): Promise<readonly Trust[]> {
  return recordOfTrusts(configFolder).read();
}

/** The record of agreements, which is the user's own file. */
export function recordOfTrusts(configFolder: string): UserRecord<readonly Trust[]> {
  return openUserRecord(join(configFolder, trustsFileName), {
    name: 'The record of the projects you trust',
    remedy: 'Correct or delete the file; without it no project runs a command.',
    empty: [],
    parse: (text) => fileSchema.parse(JSON.parse(text)).trusts,
    write: (trusts) => `${JSON.stringify({ trusts }, null, 2)}\n`,
  });
}

/** Its name in the user's folder of settings. */
export const trustsFileName = 'trusts.json';
