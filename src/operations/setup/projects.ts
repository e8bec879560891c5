import { z } from 'zod';
import { QuarryError } from '../../core/errors.ts';
import { beginningOf } from '../../core/text/shortened.ts';
import { processEnvironment } from '../../platform/environment.ts';
import { defineOperation } from '../operation.ts';

const listed = z.object({
  name: z.string().describe('Stands before the paths of its documents, as `search --all` shows them.'),
  folder: z.string(),
  missing: z.boolean().describe('Whether the folder is not there now.'),
});

/** Lists the projects that have a name. */
export const projectsListOperation = defineOperation({
  effect: 'reads',
  // A folder of this machine is its own user's business.
  reach: 'machine',
  standsAlone: true,
  input: z.strictObject({}),
  output: z.object({ projects: z.array(listed) }),
  examples: [{ input: {}, explains: 'which projects search --all asks' }],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run() {
    return { projects: await listOf() };
  },
});

/** Gives folders names, by which they are asked together. */
export const projectsAddOperation = defineOperation({
  effect: 'writes',
  reach: 'machine',
  standsAlone: true,
  positionals: ['folders'],
  input: z.strictObject({
    folders: z.array(z.string().min(1)).min(1).max(200).describe('A folder; several at once.'),
    name: z
      .string()
      .optional()
      .describe('Its name: 2 to 64 letters, digits, ".", "_" or "-"; by default that of the folder.'),
  }),
  output: z.object({ projects: z.array(listed), added: z.array(z.string()) }),
  examples: [
    { input: { folders: ['../api', '../web'] }, explains: 'search --all asks both from now on' },
    { input: { folders: ['.'], name: 'docs' }, explains: 'this folder, under a name of your choice' },
  ],
  async *run(_, { folders, name }) {
    const { entryOfFolder } = await import('../../user/project-entry.ts');
    const { requireFolder } = await import('../../state-folder/state-folder.ts');
    const { citableName, isCitable } = await import('../../core/project-names.ts');
    const { distinctNames } = await import('../../client/distinct-names.ts');
    const { projectNameOf } = await import('../../client/server-address.ts');
    if (name !== undefined && folders.length > 1)
      throw new QuarryError('usage-invalid', 'A name belongs to one folder.', 'Name each folder by itself.');
    if (name !== undefined && !isCitable(name))
      throw new QuarryError(
        'usage-invalid',
        `"${beginningOf(name, 80)}" cannot stand before a path.`,
        'Write 2 to 64 letters, digits, ".", "_" or "-", and none of virtual, http, https, file and mailto.',
      );
    const file = await registry();
    const added: string[] = [];
    for (const folder of folders) {
      await requireFolder(folder, 'Name a folder that exists: quarry projects add FOLDER');
      const entry = entryOfFolder(folder);
      const known = await file.read();
      if (known.some((other) => other.folder === entry.folder)) continue;
      const own = distinctNames([...known.map((other) => other.folder), entry.folder], {
        given: new Map(known.map((other) => [other.folder, other.id])),
        nameOf: (end) => citableName(projectNameOf(end.replaceAll(/[\\/]/g, '-'))),
        otherwise: () => entry.id,
      }).get(entry.folder);
      const id = name ?? own ?? entry.id;
      await file.add({ ...entry, id, isRegistered: true });
      added.push(id);
    }
    return { projects: await listOf(), added };
  },
});

/** Forgets names; folders and indexes stay. */
export const projectsRemoveOperation = defineOperation({
  effect: 'writes',
  reach: 'machine',
  standsAlone: true,
  positionals: ['names'],
  input: z.strictObject({ names: z.array(z.string().min(1)).min(1).describe('A name, as listed.') }),
  output: z.object({ projects: z.array(listed), removed: z.array(z.string()) }),
  examples: [
    { input: { names: ['web'] }, explains: 'search --all no longer asks it; its folder and index stay' },
  ],
  async *run(_, { names }) {
    const file = await registry();
    const known = (await file.read()).map(({ id }) => id);
    const unknown = names.find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw new QuarryError(
        'project-not-found',
        `There is no project "${beginningOf(unknown, 80)}".`,
        known.length > 0 ? `There are: ${known.join(', ')}.` : 'Add one: quarry projects add FOLDER',
      );
    for (const name of names) await file.remove(name);
    return { projects: await listOf(), removed: names };
  },
});

async function registry() {
  const { openUserProjects } = await import('../../user/projects-file.ts');
  return openUserProjects(processEnvironment);
}

async function listOf(): Promise<z.output<typeof listed>[]> {
  const { existsSync } = await import('node:fs');
  const entries = await (await registry()).read();
  return entries.map(({ id, folder }) => ({ name: id, folder, missing: !existsSync(folder) }));
}
