import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { disabledField, disabledIn } from './disabled.ts';

const count = z.int().min(0);

/** Keeps the index up to date while files change. */
export const watchOperation = defineOperation({
  effect: 'writes',
  repeatable: true,
  reach: 'project',
  input: z.strictObject({}),
  output: z.object({
    ...disabledField,
    passes: count.describe('How often the index was brought up to date.'),
    indexed: count.describe('Documents indexed in all passes.'),
    deleted: count.describe('Documents deleted in all passes.'),
    failed_passes: count.describe('Passes that failed and were retried.'),
  }),
  examples: [
    { input: {}, explains: 'index each change as it happens; Ctrl-C stops' },
    {
      input: {},
      settings: { 'watch.interval_seconds': 60 },
      explains: 'also scan everything each minute, for a network drive that reports no changes',
    },
  ],
  events: async () => (await import('../../core/events.ts')).watchEventSchema,
  streams: true,
  async *run(project, _, { signal }) {
    const totals: WatchTotals = { passes: 0, indexed: 0, deleted: 0, failed_passes: 0 };
    for await (const event of project.watch({ signal, isAlone: true })) {
      if (event.type === 'pass-start') totals.passes += 1;
      if (event.type === 'pass-failed') totals.failed_passes += 1;
      if (event.type === 'document-indexed') totals.indexed += 1;
      if (event.type === 'document-deleted') totals.deleted += 1;
      yield event;
    }
    return { ...disabledIn(project), ...totals };
  },
});

interface WatchTotals {
  passes: number;
  indexed: number;
  deleted: number;
  failed_passes: number;
}
