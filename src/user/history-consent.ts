import { join } from 'node:path';
import { z } from 'zod';
import { openUserRecord, type UserRecord } from '../platform/user-record.ts';

const fileSchema = z.object({
  folders: z.array(z.object({ project: z.string(), givenAt: z.string() })),
});
type Given = z.output<typeof fileSchema>['folders'][number];

/** Whether the user has agreed that git reads the commits of a folder. */
export async function isHistoryAllowed(configFolder: string, project: string): Promise<boolean> {
  return (await recordIn(configFolder).read()).some((given) => given.project === project);
}

/** Agrees to it, or takes it back; returns whether that changed anything. */
export async function allowHistory(
  configFolder: string,
  project: string,
  isAllowed: boolean,
  signal?: AbortSignal,
): Promise<boolean> {
  if ((await isHistoryAllowed(configFolder, project)) === isAllowed) return false;
  const given = { project, givenAt: new Date().toISOString() };
  await recordIn(configFolder).change((all) => {
    const others = all.filter((each) => each.project !== project);
    return isAllowed ? [...others, given] : others;
  }, signal);
  return true;
}

function recordIn(configFolder: string): UserRecord<readonly Given[]> {
  return openUserRecord(join(configFolder, 'histories.json'), {
    name: 'The record of the folders whose commits may be read',
    remedy: 'Correct or delete the file; without it no commit is read.',
    empty: [],
    parse: (text) => fileSchema.parse(JSON.parse(text)).folders,
    write: (folders) => `${JSON.stringify({ folders }, null, 2)}\n`,
  });
}
