import { z } from 'zod';
import { type ContextFormat, contextFormats } from '../../core/context.ts';
import { QuarryError } from '../../core/errors.ts';
import { maxQueryLength, requireQuery } from '../../core/query.ts';
import { neighboursSchema, searchFields, searchInput, tokensSchema } from '../../core/search-options.ts';
import { defineOperation } from '../operation.ts';
import { sourceOf, sourceSchema } from './context-source.ts';
import { filterFields } from './filter-input.ts';
import {
  answerUpdated,
  fenceField,
  searchOptionsOf,
  stateFields,
  stateOf,
  updateField,
} from './retrieval.ts';

/** Writes what answers a question as one block for a prompt. */
export const contextOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  takesSeveral: {},
  positionals: ['query'],
  shortFlags: { top_k: 'k' },
  input: z.strictObject({
    query: z
      .string()
      .max(maxQueryLength)
      .optional()
      .describe('A question or a task in plain words, or an identifier.'),
    subject: z.string().optional().describe('Subject of a message that has arrived, instead of a query.'),
    body: z.string().optional().describe('Its body; the first 200 characters count.'),
    for: z
      .enum(['prompt', 'memory'])
      .default('prompt')
      .describe(
        'What the block is for: a prompt, or the working memory of an agent: then the format is memory, with 5 texts of a relevance of at least 0.3, unless you say otherwise.',
      ),
    format: z
      .enum(contextFormats)
      .optional()
      .describe(
        'How the block is written: `[RETRIEVED CONTEXT]` with a line for each file (context, the default), `<working_memory>` (memory), numbered sources with question and instructions (sources), or markdown.',
      ),
    top_k: searchFields.top_k.optional().describe('Texts to retrieve (search.top_k).'),
    ...filterFields,
    threshold: searchFields.threshold.optional().describe('Minimum relevance of a text (context.threshold).'),
    max_tokens: tokensSchema.optional().describe('Tokens of the whole block (context.max_tokens).'),
    window: neighboursSchema
      .optional()
      .describe('Chunks before and after each hit; by default 1 for sources and markdown, otherwise 0.'),
    manual: z
      .array(z.string().min(1))
      .default([])
      .describe('A file of the project to show whole and first; may be repeated.'),
    route: searchInput.route,
    fence: fenceField,
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
    {
      input: { query: 'how fast do I have to reply to clients?', for: 'memory' },
      explains: 'what an agent should have in mind for a task',
    },
    {
      input: { for: 'memory', subject: 'Invoice 214', body: 'The second reminder has come.' },
      explains: 'or when a message arrives',
    },
    {
      input: { query: 'how do I log errors?', format: 'markdown', manual: ['docs/standards.md'] },
      explains: 'a file of your choice first',
    },
  ],
  events: async () => (await import('../../core/events.ts')).indexEventSchema,
  leavesWork: ({ pending, first_look }) => pending > 0 || first_look !== undefined,
  async *run(project, input, options) {
    const query = await queryOf(input);
    requireQuery(query);
    const { format, ...preset } = await presetOf(input);
    const choices = { ...preset, ...searchOptionsOf(input) };
    const outcome = yield* answerUpdated(
      project,
      { update: input.update, question: query, ...choices },
      options,
      (asIs) =>
        project.context(query, {
          ...choices,
          format,
          manual: input.manual,
          fence: input.fence,
          ...(input.max_tokens !== undefined && { maxTokens: input.max_tokens }),
          ...(input.window !== undefined && { neighbours: input.window }),
          ...asIs,
        }),
    );
    const { text, tokens, left, sources } = outcome;
    return {
      query,
      format,
      text,
      tokens,
      left,
      sources: sources.map(sourceOf),
      ...stateOf(outcome),
    };
  },
});

/** What holds where the input does not say it. */
async function presetOf({ for: use, format }: Asked & { readonly for: 'prompt' | 'memory' }): Promise<{
  readonly format: ContextFormat;
  readonly topK?: number;
  readonly threshold?: number;
}> {
  if (use === 'prompt') return { format: format ?? 'context' };
  const { searchOptions } = await import('../../memory/working-memory.ts');
  return { ...searchOptions({}), format: format ?? 'memory' };
}

/** The query, or what a message that has arrived asks. */
export async function queryOf({ query, subject = '', body = '' }: Asked): Promise<string> {
  const { arrivalQuery } = await import('../../memory/arrival-query.ts');
  const isOne = query === undefined || subject + body === '';
  if (isOne) return query ?? arrivalQuery(subject, body);
  throw new QuarryError(
    'usage-invalid',
    'A query and a message cannot be given together.',
    'Give a query, or --subject and --body of a message.',
  );
}

interface Asked {
  readonly query?: string | undefined;
  readonly subject?: string | undefined;
  readonly body?: string | undefined;
  readonly format?: ContextFormat | undefined;
}
