import { z } from 'zod';
import type { Project } from '../project/project.ts';
import { defineOperation } from './operation.ts';

const output = z.object({
  removed: z.array(z.string()).describe('What was removed, by name in the state folder.'),
  bytes: z.int().describe('Bytes that were freed.'),
});

/** Removes what the index no longer needs. */
export const cleanOperation = defineOperation({
  effect: 'writes',
  reach: 'project',
  input: z.strictObject({}),
  output,
  examples: [{ input: {}, explains: 'former indexes and leftovers' }],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(project) {
    return clean(project, false);
  },
});

/** Removes the index itself, and content that was added without a file. */
export const cleanAllOperation = defineOperation({
  effect: 'destroys',
  reach: 'project',
  input: z.strictObject({}),
  output,
  examples: [{ input: {}, explains: 'everything Quarry keeps in this project' }],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(project) {
    return clean(project, true);
  },
});

async function clean(project: Project, all: boolean): Promise<z.output<typeof output>> {
  const { removed, bytes } = await project.clean({ all });
  return { removed: [...removed], bytes };
}
