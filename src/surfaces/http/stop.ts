import { z } from 'zod';
import { stopResident } from '../../client/stop-resident.ts';
import { defineOperation } from '../../operations/operation.ts';

/** Ends the engine that keeps projects open for other commands. */
export const stopCommand = defineOperation({
  effect: 'writes',
  reach: 'machine',
  standsAlone: true,
  input: z.strictObject({}),
  output: z.object({
    stopped: z.boolean().describe('Whether one was running.'),
    forced: z.boolean().describe('Whether it did not answer, so that its process was ended.'),
  }),
  examples: [{ input: {}, explains: 'end the engine that works in the background' }],
  // biome-ignore lint/correctness/useYield: it emits nothing on its way.
  async *run() {
    return { ...(await stopResident()) };
  },
});
