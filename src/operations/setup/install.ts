import { resolve } from 'node:path';
import { z } from 'zod';
import { agents } from '../../agents/agents.ts';
import type { Installed } from '../../agents/install.ts';
import { parts } from '../../agents/pieces.ts';
import { defineOperation } from '../operation.ts';

const names = agents.map(({ name }) => name) as [string, ...string[]];
/** What is set up unless something else is asked for. */
const defaultParts = parts.filter((part) => part !== 'hook');

const scopes = z.enum(['user', 'project']);
const folder = z.string().default('.').describe('The project.');
const dryRun = z.boolean().default(false).describe('Change nothing; show what would be written.');

const output = z.object({
  results: z.array(
    z.object({
      agent: z.string(),
      part: z.enum(parts),
      file: z.string(),
      change: z
        .enum(['added', 'changed', 'unchanged', 'removed', 'absent', 'shared', 'kept', 'failed'])
        .describe(
          '`shared`: another agent still needs it. `kept`: it was changed by somebody else. `failed`: it was left as it is; `error` says why.',
        ),
      error: z.string().optional(),
      text: z.string().optional().describe('What would be written; with `dry_run`.'),
    }),
  ),
  dry_run: z.boolean(),
});

const shared = {
  effect: 'writes',
  reach: 'machine',
  standsAlone: true,
  output,
  exitCode: ({ results }: z.output<typeof output>) =>
    results.some(({ change }) => change === 'failed') ? 1 : 0,
} as const;

/** Sets up editors and agents, so that they search with Quarry. */
export const installOperation = defineOperation({
  ...shared,
  positionals: ['agents'],
  input: z.strictObject({
    agents: z
      .array(z.enum(names))
      .default([])
      .describe(`Programs to set up (${names.join(', ')}); without any, all that are found here.`),
    scope: scopes
      .default('user')
      .describe('For you in every project, or in files of this project that others get too.'),
    parts: z
      .array(z.enum(parts))
      .default(defaultParts)
      .describe(
        'What to set up: the MCP server, a few lines of instruction, the skill, a sub-agent that searches, and a reminder when a conversation begins (hook, only where it is named).',
      ),
    folder,
    dry_run: dryRun,
  }),
  examples: [
    { input: {}, explains: 'set up every editor and agent that is found' },
    { input: { agents: ['cursor', 'claude-code'] }, explains: 'only these' },
    { input: { agents: ['vscode'], scope: 'project' }, explains: 'for everyone who opens this project' },
    { input: { agents: ['claude-code'], parts: ['mcp'] }, explains: 'the MCP server alone' },
    { input: { dry_run: true }, explains: 'see what would be written' },
  ],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(_, input) {
    const { installIn, placeOf } = await import('../../agents/choose.ts');
    const { agents: wanted, scope, dry_run } = input;
    const place = placeOf(resolve(input.folder));
    const results = await installIn({ wanted, parts: input.parts, scope, place, dryRun: dry_run });
    return { results: results.map(asOutput), dry_run };
  },
});

/** Takes out what was set up. */
export const uninstallOperation = defineOperation({
  ...shared,
  positionals: ['agents'],
  input: z.strictObject({
    agents: z
      .array(z.enum(names))
      .default([])
      .describe('Programs to leave as they were; without any, all that were set up.'),
    scope: scopes
      .optional()
      .describe('Only what is yours in every project, or only what is in files of this project.'),
    folder,
    dry_run: dryRun,
  }),
  examples: [
    { input: {}, explains: 'leave every file as it was' },
    { input: { agents: ['cursor'] }, explains: 'only this one' },
    { input: { dry_run: true }, explains: 'see which files would change' },
  ],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(_, input) {
    const { placeOf, uninstallFrom } = await import('../../agents/choose.ts');
    const { agents: wanted, scope, dry_run } = input;
    const place = placeOf(resolve(input.folder));
    const results = await uninstallFrom({ wanted, scope, place, dryRun: dry_run });
    return { results: results.map(asOutput), dry_run };
  },
});

/** `quarry mcp install` of the version before: the MCP server alone. */
export const mcpInstallOperation = defineOperation({
  ...shared,
  positionals: ['clients'],
  input: z.strictObject({
    clients: z.array(z.enum(names)).default([]).describe('Programs to set up.'),
    scope: scopes.default('user').describe('For you, or in a file of this project.'),
    folder,
    remove: z.boolean().default(false).describe('Take the settings out again.'),
    dry_run: dryRun,
  }),
  examples: [{ input: {}, explains: 'set up every editor and agent that is found' }],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(_, { clients: wanted, scope, remove, ...input }) {
    const { installIn, placeOf, uninstallFrom } = await import('../../agents/choose.ts');
    const choice = { wanted, scope, place: placeOf(resolve(input.folder)), dryRun: input.dry_run };
    const results = remove
      ? await uninstallFrom(choice)
      : await installIn({ ...choice, parts: ['mcp' as const] });
    return { results: results.map(asOutput), dry_run: input.dry_run };
  },
});

function asOutput({ ...result }: Installed) {
  return result;
}
