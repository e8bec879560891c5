import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { defectSchema } from './verify.ts';

/** Repairs what `verify` finds, and reads again the documents that cannot be repaired in place. */
export const repairOperation = defineOperation({
  effect: 'writes',
  reach: 'project',
  input: z.strictObject({}),
  output: z.object({
    rebuilt: z.boolean().describe('Whether the index could not be repaired and was rebuilt from the files.'),
    mended: z.array(defectSchema),
    read_again: z.array(z.string()).describe('Documents whose stored content was damaged.'),
  }),
  examples: [{ input: {}, explains: 'after `quarry verify` has found something' }],
  events: async () => (await import('../core/events.ts')).indexEventSchema,
  async *run(project, _, { signal }) {
    const { rebuilt, repaired, removed } = yield* project.repair(signal ? { signal } : {});
    return {
      rebuilt,
      mended: repaired.map(({ kind, uri, detail }) => ({
        kind,
        detail,
        ...(uri !== undefined && { path: uri }),
      })),
      read_again: [...removed],
    };
  },
});
