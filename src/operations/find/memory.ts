import { z } from 'zod';
import { requireQuery } from '../../core/query.ts';
import { shareSchema, topKSchema } from '../../core/search-options.ts';
import { defineOperation } from '../operation.ts';
import { queryOf } from './context.ts';
import { filterFields } from './filter-input.ts';
import { answerUpdated, fenceField, stateFields, stateOf, updateField } from './retrieval.ts';

/** Shows the passages nearest to a task or a message as a block for a prompt. */
export const memoryOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  positionals: ['text'],
  shortFlags: { n_results: 'n' },
  input: z.strictObject({
    text: z.string().optional().describe('A task or a question in plain words.'),
    subject: z.string().optional().describe('Subject of a message that has arrived, instead of a text.'),
    body: z.string().optional().describe('Its body; the first 200 characters count.'),
    n_results: topKSchema.default(5).describe('Passages at most.'),
    type: filterFields.type,
    min_relevance: shareSchema.default(0.3).describe('Minimum relevance of a passage.'),
    fence: fenceField,
    update: updateField,
  }),
  output: z.object({
    query: z.string().describe('What memory was asked.'),
    block: z.string().describe('The passages as `<working_memory>`; empty where none passes.'),
    chunks: z.array(
      z.object({
        text: z.string(),
        path: z.string(),
        section: z.string().describe('Heading path, or the subject of a message.'),
        doc_type: z.string(),
        relevance: z.number().min(0).max(1),
      }),
    ),
    ...stateFields,
  }),
  examples: [
    { input: { text: 'how fast do I have to reply to clients?' }, explains: 'before a task' },
    {
      input: { subject: 'Invoice 214', body: 'Dear Wren, the second reminder has come, although …' },
      explains: 'when a message arrives',
    },
    { input: { text: 'boiler', type: ['note', 'email'], n_results: 3 }, explains: 'some types only' },
  ],
  events: async () => (await import('../../core/events.ts')).indexEventSchema,
  leavesWork: ({ pending }) => pending > 0,
  async *run(project, input, options) {
    const query = await queryOf({ ...input, query: input.text });
    requireQuery(query);
    const { chunkOfSource, searchOptions } = await import('../../memory/working-memory.ts');
    const asked = { nResults: input.n_results, docTypes: input.type, minRelevance: input.min_relevance };
    const outcome = yield* answerUpdated(project, input, options, (asIs) =>
      project.context(query, { ...searchOptions(asked), format: 'memory', fence: input.fence, ...asIs }),
    );
    const { text, sources } = outcome;
    return {
      query,
      block: text,
      chunks: sources.map(chunkOfSource).map(({ docType, ...chunk }) => ({ ...chunk, doc_type: docType })),
      ...stateOf(outcome),
    };
  },
});
