import { z } from 'zod';
import type { Hit } from '../../core/hit.ts';
import type { Passage } from '../../core/passage.ts';
import { maxQueryLength, queryKinds, requireQuery, routes } from '../../core/query.ts';
import { neighboursSchema, searchInput, tokensSchema } from '../../core/search-options.ts';
import type { SearchOptions, SearchOutcome } from '../../project/project.ts';
import { defineOperation } from '../operation.ts';
import { filterFields } from './filter-input.ts';
import { answerUpdated, searchOptionsOf, stateFields, stateOf, updateField } from './retrieval.ts';
import { whereabouts, whereaboutsOf } from './whereabouts.ts';

const chunkFields = {
  ...whereabouts,
  section: z.string().describe('Heading path or scope.'),
  relevance: z.number().min(0).max(1).describe('Likelihood that the chunk is relevant.'),
  text: z.string().optional().describe('Absent where the result has `passages`: they hold the texts.'),
  symbol: z.object({ name: z.string(), kind: z.string(), signature: z.string() }).optional(),
  focus: z
    .tuple([z.int(), z.int()])
    .optional()
    .describe(
      'First and last line of the file, within `lines`, that say most of what is asked; absent where the chunk is short or has none of the words.',
    ),
  chunk: z.string().describe('Identity of the chunk.'),
  score: z.number().describe('Ranking score; only its order has a meaning.'),
  also_at: z
    .array(z.object({ path: z.string(), ...whereabouts }))
    .optional()
    .describe('Other places with the same text.'),
  trace: z
    .array(
      z.object({
        stage: z.string(),
        rank: z.int().optional(),
        score: z.number(),
        note: z.string().optional(),
      }),
    )
    .optional()
    .describe('Rank and score of the hit at each stage; with `explain`.'),
};

const hitSchema = z.object({
  path: z.string(),
  title: z.string(),
  type: z.string(),
  ...chunkFields,
  occurrences: z
    .int()
    .optional()
    .describe('How often the document has the literal text or the expression; with `route` exact or regex.'),
  more: z
    .array(z.object(chunkFields))
    .optional()
    .describe('Further chunks of the same document, best first; with `by_document`.'),
});

/** A text with its place, as a search shows it. */
export const passageSchema = z.object({
  path: z.string(),
  ...whereabouts,
  section: z.string().describe('Heading path or scope.'),
  context: z
    .string()
    .describe('Signatures of the enclosing definitions, one per line; not part of the text.'),
  relevance: z.number().min(0).max(1).describe('Relevance of its most relevant hit.'),
  text: z.string(),
  tokens: z.int(),
  is_cut: z.boolean().describe('Whether the end of the text is left out because it was too long.'),
  hits: z.array(z.string()).describe('Identities of the hits in it, best first.'),
});

/** A hit as data for a surface. */
export type SearchHit = z.output<typeof hitSchema>;

/** A chunk of a hit as data for a surface. */
export type SearchChunk = NonNullable<SearchHit['more']>[number];

/** A passage as data for a surface. */
export type SearchPassage = z.output<typeof passageSchema>;

/** Finds the chunks that answer a query, after bringing the index up to date. */
export const searchOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  positionals: ['query'],
  shortFlags: { top_k: 'k' },
  input: z.strictObject({
    query: z.string().max(maxQueryLength).describe('A question in plain words, or an identifier.'),
    ...searchInput,
    ...filterFields,
    window: neighboursSchema
      .default(0)
      .describe(
        'Show each hit with this many chunks before and after it, as one text without repetition. Definitions that were cut apart are shown whole.',
      ),
    max_tokens: tokensSchema
      .optional()
      .describe(
        'Maximum tokens of all texts together; hits that do not fit are left out (default: 4096 with `window`, otherwise no limit).',
      ),
    explain: z.boolean().default(false).describe('Show how each stage ranked each hit.'),
    update: updateField,
  }),
  output: z.object({
    query: z.string(),
    hits: z.array(hitSchema),
    passages: z
      .array(passageSchema)
      .optional()
      .describe('The hits as texts with their surroundings; with `window` or `max_tokens`.'),
    analysis: z
      .object({
        kind: z.enum(queryKinds).describe('What the query looks like.'),
        route: z.enum(routes),
        dense_share: z.number().describe('Share of vector search in the fused score.'),
        occurrences: z
          .object({
            total: z.int(),
            documents: z.int(),
            is_complete: z
              .boolean()
              .describe('Whether these are all; no more than a thousand chunks are looked at.'),
          })
          .optional()
          .describe('How often the literal text or the expression was found; with `route` exact or regex.'),
      })
      .optional()
      .describe('How the query was understood.'),
    seconds: z.number().describe('Time of the search itself, without indexing.'),
    ...stateFields,
  }),
  examples: [
    { input: { query: 'how are passwords hashed?' }, explains: 'ask in plain words' },
    { input: { query: 'putDocument', type: ['code'] }, explains: 'find a definition' },
    { input: { query: 'retry policy', path: ['docs/**'], top_k: 10 }, explains: 'look in one folder' },
    { input: { query: 'throw new TypeError(', route: 'exact' }, explains: 'find a literal text' },
    { input: { query: 'how is a lock taken?', window: 1 }, explains: 'see the surroundings of each hit' },
    { input: { query: 'how is a lock taken?', max_tokens: 800 }, explains: 'limit the length of the answer' },
    { input: { query: 'timeout', explain: true }, explains: 'see why each hit has its rank' },
  ],
  events: async () => (await import('../../core/events.ts')).indexEventSchema,
  leavesWork: ({ pending, first_look }) => pending > 0 || first_look !== undefined,
  async *run(project, input, options) {
    requireQuery(input.query);
    const choices = searchOptionsOf(input);
    const window = windowOf(input);
    let seconds = 0;
    const outcome = yield* answerUpdated(
      project,
      { update: input.update, question: input.query, ...choices },
      options,
      async (asIs) => {
        const started = performance.now();
        const found = await project.search(input.query, { ...choices, ...(window && { window }), ...asIs });
        seconds = (performance.now() - started) / 1000;
        return found;
      },
    );
    return {
      query: input.query,
      hits: outcome.hits.map((hit) => hitOf(hit, { explain: input.explain, text: !window })),
      ...(outcome.passages && { passages: outcome.passages.map(passageOf) }),
      ...(outcome.analysis && { analysis: analysisOf(outcome.analysis) }),
      seconds,
      ...stateOf(outcome),
    };
  },
});

/** What is shown of each chunk. */
interface Shown {
  readonly explain: boolean;
  readonly text: boolean;
}

function hitOf(hit: Hit, shown: Shown): SearchHit {
  const { uri, title, type } = hit.document;
  return {
    path: uri,
    title,
    type,
    ...chunkOf(hit, shown),
    ...(hit.occurrences !== undefined && { occurrences: hit.occurrences }),
    ...(hit.more && { more: hit.more.map((further) => chunkOf(further, shown)) }),
  };
}

function chunkOf(
  { chunk, document, relevance, score, alsoAt, trace, focus }: Hit,
  shown: Shown,
): SearchChunk {
  return {
    ...whereaboutsOf(document.uri, chunk.place),
    section: chunk.section,
    relevance,
    ...(shown.text && { text: chunk.text }),
    ...(chunk.symbol && {
      symbol: { name: chunk.symbol.name, kind: chunk.symbol.kind, signature: chunk.symbol.signature },
    }),
    ...(focus && { focus: [...focus] as [number, number] }),
    chunk: chunk.id,
    score,
    ...(alsoAt && {
      also_at: alsoAt.map(({ uri, place }) => ({ path: uri, ...whereaboutsOf(uri, place) })),
    }),
    ...(shown.explain && { trace: trace.map((entry) => ({ ...entry })) }),
  };
}

/** The window and the token limit of the input; a limit alone means hits without neighbours. */
function windowOf(input: { window: number; max_tokens?: number | undefined }): SearchOptions['window'] {
  if (input.window === 0 && input.max_tokens === undefined) return undefined;
  return {
    neighbours: input.window,
    ...(input.max_tokens !== undefined && { totalTokens: input.max_tokens }),
    // Without a window one hit may use the whole limit.
    ...(input.window === 0 && input.max_tokens !== undefined && { passageTokens: input.max_tokens }),
  };
}

function analysisOf({ kind, route, denseShare, occurrences }: NonNullable<SearchOutcome['analysis']>) {
  return {
    kind,
    route,
    dense_share: denseShare,
    ...(occurrences && {
      occurrences: {
        total: occurrences.total,
        documents: occurrences.documents,
        is_complete: occurrences.isComplete,
      },
    }),
  };
}

function passageOf(passage: Passage): SearchPassage {
  return {
    path: passage.document.uri,
    ...whereaboutsOf(passage.document.uri, passage.place),
    section: passage.section,
    context: passage.context,
    relevance: passage.relevance,
    text: passage.text,
    tokens: passage.tokens,
    is_cut: passage.isCut,
    hits: passage.hits.map(({ chunk }) => chunk.id),
  };
}
