import { z } from 'zod';
import { contextFormats } from '../../core/context.ts';
import { maxQueryLength, requireQuery, routes, usesVectors } from '../../core/query.ts';
import { neighboursSchema, shareSchema, tokensSchema, topKSchema } from '../../core/search-limits.ts';
import { defineOperation } from '../operation.ts';
import { sourceOf, sourceSchema } from './context-source.ts';
import { filterFields } from './filter-input.ts';
import { boundsOf, stateFields, stateOf, updateField } from './retrieval.ts';

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
    top_k: topKSchema.optional().describe('Texts to retrieve (search.top_k).'),
    ...filterFields,
    threshold: shareSchema.optional().describe('Least relevance of a text (context.threshold).'),
    max_tokens: tokensSchema.optional().describe('Tokens of the whole block (context.max_tokens).'),
    window: neighboursSchema
      .optional()
      .describe('Chunks before and after each hit; by default 1 for sources and markdown, otherwise 0.'),
    manual: z
      .array(z.string().min(1))
      .default([])
      .describe('A file of the project to show whole and first; may be repeated.'),
    route: z.enum(routes).optional().describe('How to search, as in `search`.'),
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
  async *run(project, input, { signal, vectorsLater }) {
    requireQuery(input.query);
    const vectors = usesVectors(input) && !vectorsLater;
    const fresh = yield* project.freshen({ update: input.update, vectors, signal });
    const block = await project.context(input.query, {
      update: false,
      format: input.format,
      manual: input.manual,
      fence: input.fence,
      ...boundsOf(input),
      ...(input.window !== undefined && { neighbours: input.window }),
      ...(input.route !== undefined && { route: input.route }),
      signal,
    });
    const { withFreshness } = await import('../../project/freshen-project.ts');
    const outcome = withFreshness(block, fresh);
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
