import { z } from 'zod';
import type { Project } from '../../calls/project.ts';
import { processEnvironment } from '../../platform/environment.ts';
import { defineOperation } from '../operation.ts';

const trust = z.object({
  project: z.string(),
  commands: z.array(z.string()).describe('Commands that the settings file of the project would run.'),
  settings: z
    .array(z.string())
    .describe('Settings of that file that lower protection, as `index.redact_secrets = false` does.'),
  makers: z.array(z.string()).describe('Fingerprints of those whose indexes are taken over here.'),
  trusted: z.boolean().describe('Whether you agreed to exactly these.'),
});

const makerField = z
  .string()
  .regex(/^[0-9a-f]{40}$/, 'write the 40 letters and digits that quarry export printed for its maker')
  .optional();

async function makersOfUser() {
  return (await import('../../user/maker-key.ts')).trustedMakers(processEnvironment);
}

/** Agrees that commands of a project's settings file are run, and takes over content that somebody else added. */
export const trustGiveOperation = defineOperation({
  effect: 'writes',
  // Only the user of this machine may allow a command to run here.
  reach: 'machine',
  needsNoSettings: 'note',
  input: z.strictObject({
    maker: makerField.describe(
      'Only this: take over indexes that were signed with the key of this fingerprint (`quarry export` tells it). Taken on its word are then: vectors, headings, what is said of a definition in code (name, signature) and of a message in a plain text of mails, key paths in data, notes on what was lost, and of PDFs, office files, mail and pictures all they say.',
    ),
  }),
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
    {
      input: { maker: '9f2c4b1e6a7d8035c1f4e2b9a6d7c8e3f0a1b2c4' },
      explains: 'take over indexes that a colleague or CI has made',
    },
  ],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(project, { maker }, { signal, fault }) {
    if (maker !== undefined) {
      await (await makersOfUser()).give(project.folder, maker, signal);
      return { ...(await trustIn(project)), adopted: [] };
    }
    // Nobody can agree to what cannot be read.
    if (fault) throw fault;
    const { commandsOf } = await import('../../settings/project-commands.ts');
    const { giveTrust } = await import('../../user/trust.ts');
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
  needsNoSettings: 'note',
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
  needsNoSettings: 'note',
  input: z.strictObject({
    maker: makerField.describe('Only from this maker of indexes; otherwise from all.'),
  }),
  output: trust.extend({ withdrawn: z.boolean().describe('Whether there was anything to withdraw.') }),
  examples: [{ input: {}, explains: 'this project runs no command any more' }],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(project, { maker }, { signal }) {
    const { withdrawTrust } = await import('../../user/trust.ts');
    const makers = await (await makersOfUser()).withdraw(project.folder, maker, signal);
    if (maker !== undefined) return { ...(await trustIn(project)), withdrawn: makers > 0 };
    const settings = await withdrawTrust(project.configFolder, project.folder, signal);
    const withdrawn = settings || makers > 0;
    return { ...(await trustIn({ ...project, untrusted: project.lowered })), withdrawn };
  },
});

/** What the project would run, and whether the user agreed to it as it is now. */
export async function trustIn(
  project: Pick<Project, 'folder' | 'settings' | 'origins' | 'configFolder' | 'lowered' | 'untrusted'>,
): Promise<z.output<typeof trust>> {
  const { commandsOf } = await import('../../settings/project-commands.ts');
  const { trustOf } = await import('../../user/trust.ts');
  const commands = commandsOf(project.settings, project.origins);
  const { isTrusted } = await trustOf(project.configFolder, project.folder, commands);
  const { lowered, untrusted } = project;
  return {
    project: project.folder,
    commands: [...commands],
    settings: [...lowered],
    makers: await (await makersOfUser()).of(project.folder),
    trusted: untrusted.length === 0 && (commands.length > 0 ? isTrusted : lowered.length > 0),
  };
}
