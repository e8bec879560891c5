import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { defectSchema } from './verify.ts';

/** Mends what `verify` finds, and reads again what cannot be mended in place. */
export const repairOperation = defineOperation({
  name: 'repair',
  summary: 'Mend the index, and read again what cannot be mended in place.',
  effect: 'writes',
  reach: 'project',
  input: z.strictObject({}),
  output: z.object({
    rebuilt: z.boolean().describe('Whether the index was beyond mending and was made anew from the files.'),
    mended: z.array(defectSchema),
    read_again: z.array(z.string()).describe('Documents that could not be trusted.'),
  }),
  examples: [{ input: {}, explains: 'after `quarry verify` has found something' }],
  events: async () => (await import('../core/events.ts')).indexEventSchema,
  async *run(project, _, { signal }) {
    const { rebuilt, mended, removed } = yield* project.repair(signal ? { signal } : {});
    return {
      rebuilt,
      mended: mended.map(({ kind, uri, detail }) => ({
        kind,
        detail,
        ...(uri !== undefined && { path: uri }),
      })),
      read_again: [...removed],
    };
  },
});
