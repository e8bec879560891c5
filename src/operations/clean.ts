import { z } from 'zod';
import { defineOperation } from './operation.ts';

/** Removes what the index no longer needs, or all of it. */
export const cleanOperation = defineOperation({
  name: 'clean',
  summary: 'Remove what the index no longer needs, or the whole index.',
  input: z.strictObject({
    all: z
      .boolean()
      .default(false)
      .describe('Remove the index itself; content that was added without a file goes with it.'),
  }),
  output: z.object({
    removed: z.array(z.string()).describe('What was removed, by name in the state folder.'),
    bytes: z.int().describe('Bytes that are free again.'),
  }),
  examples: [
    { input: {}, explains: 'former indexes and files that were set aside' },
    { input: { all: true }, explains: 'everything Quarry keeps in this project' },
  ],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to tell on the way.
  async *run(project, { all }) {
    const { removed, bytes } = await project.clean({ all });
    return { removed: [...removed], bytes };
  },
});
