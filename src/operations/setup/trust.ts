import { z } from 'zod';
import type { Project } from '../../project/project.ts';
import { defineOperation } from '../operation.ts';

const trust = z.object({
  project: z.string(),
  commands: z.array(z.string()).describe('Commands that the settings file of the project would run.'),
  settings: z
    .array(z.string())
    .describe('Settings of that file that lower protection, as `index.redact_secrets = false` does.'),
  trusted: z.boolean().describe('Whether you agreed to exactly these.'),
});

/** Agrees that commands of a project's settings file are run, and takes over content that somebody else added. */
export const trustGiveOperation = defineOperation({
  effect: 'writes',
  // Whoever may allow a command to run here is the user of this machine alone.
  reach: 'machine',
  input: z.strictObject({}),
  output: trust.extend({
    adopted: z
      .array(z.string())
      .describe('Added content that came with the folder, and is used from now on.'),
  }),
  examples: [
    {
      input: {},
      explains: 'run the commands of this project, until they change, and use the content added to it',
    },
  ],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(project, _, { signal }) {
    const { commandsOf, giveTrust } = await import('../../project/trust.ts');
    const commands = commandsOf(project.settings, project.origins);
    const { lowered } = project;
    if (commands.length + lowered.length > 0)
      await giveTrust(project.configFolder, project.folder, commands, lowered, signal);
    const adopted = await project.adopt(signal ? { signal } : {});
    return { ...(await trustIn({ ...project, untrusted: [] })), adopted };
  },
});

/** Shows what a project would run. */
export const trustShowOperation = defineOperation({
  effect: 'reads',
  reach: 'machine',
  input: z.strictObject({}),
  output: trust,
  examples: [{ input: {}, explains: 'what this project would run, and whether it may' }],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(project) {
    return trustIn(project);
  },
});

/** Withdraws the agreement. */
export const trustWithdrawOperation = defineOperation({
  effect: 'writes',
  reach: 'machine',
  input: z.strictObject({}),
  output: trust.extend({ withdrawn: z.boolean().describe('Whether there was anything to withdraw.') }),
  examples: [{ input: {}, explains: 'this project runs no command any more' }],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(project, _, { signal }) {
    const { withdrawTrust } = await import('../../project/trust.ts');
    const withdrawn = await withdrawTrust(project.configFolder, project.folder, signal);
    return { ...(await trustIn({ ...project, untrusted: project.lowered })), withdrawn };
  },
});

/** What the project would run, and whether the user agreed to it as it is now. */
export async function trustIn(
  project: Pick<Project, 'folder' | 'settings' | 'origins' | 'configFolder' | 'lowered' | 'untrusted'>,
): Promise<z.output<typeof trust>> {
  const { commandsOf, trustOf } = await import('../../project/trust.ts');
  const commands = commandsOf(project.settings, project.origins);
  const { isTrusted } = await trustOf(project.configFolder, project.folder, commands);
  const { lowered, untrusted } = project;
  return {
    project: project.folder,
    commands: [...commands],
    settings: [...lowered],
    trusted: untrusted.length === 0 && (commands.length > 0 ? isTrusted : lowered.length > 0),
  };
}
