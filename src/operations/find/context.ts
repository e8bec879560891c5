import { z } from 'zod';
import { contextFormats } from '../../core/context.ts';
import { maxQueryLength, requireQuery } from '../../core/query.ts';
import { neighboursSchema, searchFields, searchInput, tokensSchema } from '../../core/search-options.ts';
import { defineOperation } from '../operation.ts';
import { sourceOf, sourceSchema } from './context-source.ts';
import { filterFields } from './filter-input.ts';
import { answerUpdated, searchOptionsOf, stateFields, stateOf, updateField } from './retrieval.ts';

/** Writes what answers a question as one block for a prompt. */
export const contextOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  positionals: ['query'],
  shortFlags: { top_k: 'k' },
  input: z.strictObject({
    query: z.string().max(maxQueryLength).describe('A question in plain words, or an identifier.'),
    format: z
      .enum(contextFormats)
      .default('context')
      .describe(
        'How the block is written: `[RETRIEVED CONTEXT]` with a line for each file (context), `<working_memory>` (memory), numbered sources with question and instructions (sources), or markdown.',
      ),
    top_k: searchFields.top_k.optional().describe('Texts to retrieve (search.top_k).'),
    ...filterFields,
    threshold: searchFields.threshold.optional().describe('Least relevance of a text (context.threshold).'),
    max_tokens: tokensSchema.optional().describe('Tokens of the whole block (context.max_tokens).'),
    window: neighboursSchema
      .optional()
      .describe('Chunks before and after each hit; by default 1 for sources and markdown, otherwise 0.'),
    manual: z
      .array(z.string().min(1))
      .default([])
      .describe('A file of the project to show whole and first; may be repeated.'),
    route: searchInput.route,
    fence: z
      .boolean()
      .default(true)
      .describe('Put the texts between two lines that no document can know, labelled as data.'),
    update: updateField,
  }),
  output: z.object({
    query: z.string(),
    format: z.enum(contextFormats),
    text: z.string().describe('The block; empty where nothing passes the threshold.'),
    tokens: z.int(),
    left: z.int().describe('Texts that did not fit.'),
    sources: z.array(sourceSchema).describe('What the block shows, in its order.'),
    ...stateFields,
  }),
  examples: [
    { input: { query: 'how are passwords hashed?' }, explains: 'a block to put before a prompt' },
    { input: { query: 'reply timing', format: 'memory', type: ['note'] }, explains: 'working memory' },
    {
      input: { query: 'how do I log errors?', format: 'markdown', manual: ['docs/standards.md'] },
      explains: 'a file of your choice first',
    },
  ],
  events: async () => (await import('../../core/events.ts')).indexEventSchema,
  leavesWork: ({ pending }) => pending > 0,
  async *run(project, input, options) {
    requireQuery(input.query);
    const choices = searchOptionsOf(input);
    const outcome = yield* answerUpdated(project, { update: input.update, ...choices }, options, (asIs) =>
      project.context(input.query, {
        ...choices,
        format: input.format,
        manual: input.manual,
        fence: input.fence,
        ...(input.max_tokens !== undefined && { maxTokens: input.max_tokens }),
        ...(input.window !== undefined && { neighbours: input.window }),
        ...asIs,
      }),
    );
    const { text, tokens, left, sources } = outcome;
    return {
      query: input.query,
      format: input.format,
      text,
      tokens,
      left,
      sources: sources.map(sourceOf),
      ...stateOf(outcome),
    };
  },
});
