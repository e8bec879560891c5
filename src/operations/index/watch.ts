import { z } from 'zod';
import { countWatch } from '../../core/watch-totals.ts';
import { defineOperation } from '../operation.ts';
import { disabledField, disabledIn } from './disabled.ts';

const number = z.int().min(0);

/** Keeps the index up to date while files change. */
export const watchOperation = defineOperation({
  effect: 'writes',
  repeatable: true,
  reach: 'project',
  input: z.strictObject({}),
  output: z.object({
    ...disabledField,
    passes: number.describe('How often the index was brought up to date.'),
    indexed: number.describe('Documents indexed in all passes.'),
    deleted: number.describe('Documents deleted in all passes.'),
    failed_passes: number.describe('Passes that failed and were retried.'),
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
    const count = countWatch();
    for await (const event of project.watch({ signal, isAlone: true })) {
      count.hear(event);
      yield event;
    }
    return { ...disabledIn(project), ...count.totals() };
  },
});
