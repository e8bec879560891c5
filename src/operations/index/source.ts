import { z } from 'zod';
import type { Project } from '../../calls/project.ts';
import { defineOperation } from '../operation.ts';

const agents = z
  .array(z.enum(['transcripts', 'claude', 'codex', 'gemini', 'copilot']))
  .min(1)
  .describe(
    'Whose sessions: `claude` (Claude Code), `codex`, `gemini`, `copilot` (Copilot CLI), or `transcripts` for all that are on this machine.',
  );

const sources = z.object({
  project: z.string(),
  sources: z.array(
    z.object({
      agent: z.string(),
      title: z.string(),
      everywhere: z.boolean().describe('Sessions of all folders; otherwise of this project alone.'),
      folder: z.string().describe('Where the agent keeps them.'),
      sessions: z.int().describe('Sessions that are read.'),
      bytes: z.int().describe('Size of their files, of which a small part is kept.'),
      since: z.string().describe('When it was named.'),
    }),
  ),
});

/** Shows what a project reads beside its files. */
export const sourceListOperation = defineOperation({
  effect: 'reads',
  // What agents were told is the user's own: nobody who asks from elsewhere sees or changes what is read of it.
  reach: 'machine',
  input: z.strictObject({}),
  output: sources,
  examples: [{ input: {}, explains: 'which conversations of agents this project reads' }],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(project) {
    return sourcesOf(project);
  },
});

/** Names transcripts of agents as a source of a project. */
export const sourceAddOperation = defineOperation({
  effect: 'writes',
  reach: 'machine',
  positionals: ['agents'],
  input: z.strictObject({
    agents,
    everywhere: z
      .boolean()
      .default(false)
      .describe('Sessions of all folders, not only those that were held in this project.'),
  }),
  output: sources,
  examples: [
    { input: { agents: ['transcripts'] }, explains: 'what was done in this project with any agent' },
    {
      input: { agents: ['claude'], everywhere: true },
      explains: 'every session of Claude Code on this machine',
    },
  ],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(project, input, { signal }) {
    const { nameTranscripts } = await import('../../sources/transcripts/named-transcripts.ts');
    await nameTranscripts(project, input.agents, { everywhere: input.everywhere, signal });
    return sourcesOf(project);
  },
});

/** Takes transcripts back, and out of the index. */
export const sourceRemoveOperation = defineOperation({
  effect: 'writes',
  reach: 'machine',
  positionals: ['agents'],
  input: z.strictObject({ agents }),
  output: sources.extend({
    removed: z.array(z.string()).describe('Agents whose sessions are no longer read.'),
    documents: z.int().describe('Sessions that left the index.'),
  }),
  examples: [{ input: { agents: ['transcripts'] }, explains: 'no conversation is read or kept any more' }],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(project, input, { signal }) {
    const { forgetTranscripts } = await import('../../sources/transcripts/named-transcripts.ts');
    const { agents: removed, documents } = await forgetTranscripts(project, input.agents, signal);
    return { ...(await sourcesOf(project)), removed, documents };
  },
});

async function sourcesOf(project: Project): Promise<z.output<typeof sources>> {
  const { transcriptsOf } = await import('../../sources/transcripts/named-transcripts.ts');
  return { project: project.folder, sources: await transcriptsOf(project) };
}
