import { z } from 'zod';
import { momentOf } from '../../core/text/moment.ts';
import { defineOperation } from '../operation.ts';

const row = z.object({
  surface: z.enum(['mcp', 'shell', 'terminal']).describe('Who was answered.'),
  operation: z.string(),
  calls: z.int(),
  tokens_given: z.int().describe('About how many tokens the answers had: a quarter of their characters.'),
  tokens_named: z
    .int()
    .describe(
      'About how many tokens the files have that were named, each counted up to 25,000: what reading them whole would have cost.',
    ),
});

/** Says what answers have cost, and what reading the files would have. */
export const receiptOperation = defineOperation({
  effect: 'writes',
  reach: 'machine',
  standsAlone: true,
  input: z.strictObject({
    since: z.string().optional().describe('Only answers since then: a date (2026-01-31) or an age (7d, 2w).'),
    count: z
      .boolean()
      .optional()
      .describe(
        'Begin to count, or with `--no-count` stop and forget what was counted; it is on by default.',
      ),
  }),
  output: z.object({
    counting: z.boolean(),
    since: z.string().optional().describe('The first day that was counted.'),
    rows: z.array(row),
  }),
  examples: [
    { input: {}, explains: 'what answers have cost so far, and what reading the files would have' },
    { input: { since: '7d' }, explains: 'in the last week' },
    { input: { count: false }, explains: 'stop counting, and forget' },
  ],
  async *run(_, { since, count }) {
    const { isCounting, readReceipts, setCounting } = await import('../../user/receipts/read-receipts.ts');
    if (count !== undefined) await setCounting(count);
    const from = since === undefined ? '' : new Date(momentOf('since', since)).toISOString().slice(0, 10);
    const lines = readReceipts(from);
    const [first] = lines.map(({ day }) => day).sort();
    return {
      counting: isCounting(),
      ...(first !== undefined && { since: first }),
      rows: lines.map(({ surface, operation, calls, given, named }) => ({
        surface,
        operation,
        calls,
        tokens_given: Math.round(given / charactersPerToken),
        tokens_named: Math.round(named / charactersPerToken),
      })),
    };
  },
});

/** As a rule of thumb for English and code. */
const charactersPerToken = 4;
