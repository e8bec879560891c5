import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { corpusInput, corpusOutput } from './corpus.ts';
import { statusOperation } from './status.ts';

const { disabled, documents, chunks, pending, types, synced_at, changes, incomparable } =
  statusOperation.output.shape;

const output = z.object({
  disabled,
  documents,
  chunks,
  pending,
  types,
  synced_at,
  changes,
  incomparable,
  ...corpusOutput,
});

/** The part of the status that says what a corpus is made of, how fresh it is, and what changed last. */
export const overviewOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  input: z.strictObject(corpusInput('default: 10')),
  output,
  examples: [
    { input: {}, explains: 'what the corpus is made of, how fresh it is, what changed last' },
    { input: { summarise: true }, explains: 'also what it is about, with sources' },
    { input: { recent: 50, topics: 0 }, explains: 'the fifty documents that changed last' },
  ],
  events: async () => (await import('../../core/events.ts')).answerEventSchema,
  async *run(project, { recent = 10, topics = 10, summarise }, options) {
    const asked = statusOperation.input.parse({ recent, topics, summarise });
    return output.parse(yield* statusOperation.run(project, asked, options));
  },
});
