import { z } from 'zod';
import { defineOperation } from '../../operations/operation.ts';

/** Answers an editor or agent over its standard streams, until it leaves. */
export const mcpCommand = defineOperation({
  effect: 'writes',
  reach: 'machine',
  standsAlone: true,
  positionals: ['folders'],
  input: z.strictObject({
    folders: z
      .array(z.string().min(1))
      .default([])
      .describe(
        'Project folders to offer; without any, those that the client has open, else the current one.',
      ),
    server: z
      .string()
      .optional()
      .describe('Ask this server instead of an engine on this machine; QUARRY_TOKEN holds its token.'),
  }),
  output: z.object({}),
  examples: [
    { input: {}, explains: 'serve the current folder; editors start this themselves' },
    { input: { folders: ['~/projects/api', '~/projects/web'] }, explains: 'offer two projects' },
    { input: { server: 'https://search.example.com' }, explains: 'search the projects of a team server' },
  ],
  async *run(_, input) {
    const { serveOverStdio } = await import('./stdio.ts');
    serveOverStdio(async () => input);
    return {};
  },
});
