import { z } from 'zod';
import type { Project } from '../../calls/project.ts';
import { defineOperation } from '../operation.ts';

const output = z.object({
  removed: z.array(z.string()).describe('What was removed, by name in the state folder.'),
  bytes: z.int().describe('Bytes that were freed.'),
  kept: z.int().describe('Documents of added content, which stay until they are removed by name.'),
  left: z
    .array(z.string())
    .optional()
    .describe('What stays in the state folder because Quarry did not make it.'),
});

/** Removes what the index no longer needs. */
export const cleanOperation = defineOperation({
  effect: 'writes',
  repeatable: true,
  reach: 'project',
  input: z.strictObject({}),
  output,
  examples: [{ input: {}, explains: 'previous indexes and leftovers' }],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(project) {
    return clean(project, false);
  },
});

/** Removes the index itself; added content stays. */
export const cleanAllOperation = defineOperation({
  effect: 'destroys',
  reach: 'project',
  input: z.strictObject({}),
  output,
  examples: [{ input: {}, explains: 'everything that can be made again' }],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(project) {
    return clean(project, true);
  },
});

async function clean(project: Project, all: boolean): Promise<z.output<typeof output>> {
  const { removed, bytes, kept, left } = await project.clean({ all });
  return { removed: [...removed], bytes, kept, ...(left && { left: [...left] }) };
}
