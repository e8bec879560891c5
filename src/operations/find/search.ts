import { z } from 'zod';
import type { Project, SearchOptions, SearchOutcome } from '../../calls/project.ts';
import { digestSchema } from '../../core/digest.ts';
import type { QuarryError } from '../../core/errors.ts';
import { maxQueryLength, queryKinds, requireQuery, routes } from '../../core/query.ts';
import { neighboursSchema, searchInput, tokensSchema } from '../../core/search-options.ts';
import { looksLikeIdentifier } from '../../core/text/terms.ts';
import { defineOperation } from '../operation.ts';
import { filterFields } from './filter-input.ts';
import { hitOf, hitSchema, passageOf, passageSchema } from './hit-as-data.ts';
import { namesFor, namesSchema } from './names-near.ts';
import { answerUpdated, searchOptionsOf, stateFields, stateOf, updateField } from './retrieval.ts';

/** Questions that one call may hold. */
const maxQuestions = 20;
/** Characters of the texts of all questions: programs that run commands for a model cut output off at some 30,000. */
const sharedRoom = 15_000;
/** The share of what is left that one question may have, where others that follow could have as much each. */
const ofTheRest = 0.15;
/** Characters of the texts of one question. */
const roomOfOne = 6_000;

const answerSchema = z.object({
  query: z.string(),
  hits: z.array(hitSchema),
  passages: z
    .array(passageSchema)
    .optional()
    .describe('The hits as texts with their surroundings; with `window` or `max_tokens`.'),
  digest: digestSchema
    .optional()
    .describe('What is shown of the hits to people and agents; not with `full`, `window` or `max_tokens`.'),
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
});

/** The answer to one question as data for a surface. */
export type SearchAnswer = z.output<typeof answerSchema>;

/** Finds the chunks that answer a query, after bringing the index up to date. */
export const searchOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  takesSeveral: {},
  positionals: ['query'],
  furtherTexts: 'also',
  asData: { full: true },
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
    also: z
      .array(z.string().max(maxQueryLength))
      .max(maxQuestions - 1)
      .default([])
      .describe('Another question, answered in the same call; may be repeated.'),
    brief: z.boolean().default(false).describe('A line for each hit, and no text.'),
    full: z.boolean().default(false).describe('The text of every hit, weak ones too.'),
    known: z
      .array(z.string().max(64))
      .max(1000)
      .default([])
      .describe('The identity of a chunk whose text need not be shown again; may be repeated.'),
    explain: z.boolean().default(false).describe('Show how each stage ranked each hit.'),
    update: updateField,
  }),
  output: answerSchema.extend({
    further: z.array(answerSchema).optional().describe('The answers to the questions in `also`.'),
    names: namesSchema.optional(),
    ...stateFields,
  }),
  examples: [
    { input: { query: 'how are passwords hashed?' }, explains: 'ask in plain words' },
    { input: { query: 'putDocument', type: ['code'] }, explains: 'find a definition' },
    { input: { query: 'retry policy', in: ['docs'], top_k: 10 }, explains: 'look in one folder' },
    {
      input: { query: 'where are sessions made?', also: ['when do they expire?'], tests: false },
      explains: 'two questions at once, without tests',
    },
    { input: { query: 'throw new TypeError(', route: 'exact' }, explains: 'find a literal text' },
    { input: { query: 'how is a lock taken?', window: 1 }, explains: 'see the surroundings of each hit' },
    { input: { query: 'how is a lock taken?', max_tokens: 800 }, explains: 'limit the length of the answer' },
    { input: { query: 'timeout', explain: true }, explains: 'see why each hit has its rank' },
  ],
  events: async () => (await import('../../core/events.ts')).indexEventSchema,
  leavesWork: ({ pending, first_look }) => pending > 0 || first_look !== undefined,
  async *run(project, input, options) {
    const queries = [input.query, ...input.also];
    for (const query of queries) requireQuery(query);
    const choices = searchOptionsOf(input);
    const answers: z.output<typeof answerSchema>[] = [];
    const outcome = yield* answerUpdated(
      project,
      { update: input.update, question: input.query, ...choices },
      options,
      async (asIs) => {
        const outcomes: SearchOutcome[] = [];
        const here = new Set<string>();
        let room = sharedRoom;
        for (const [at, query] of queries.entries()) {
          const started = performance.now();
          const share = Math.max(room / (queries.length - at), ofTheRest * room);
          const asked = { ...choices, ...shownOf(input, here, Math.floor(share)), ...asIs };
          const found = await withNames(
            project,
            query,
            await withFacts(project, await project.search(query, asked)),
          );
          answers.push(answerOf(query, found, input, (performance.now() - started) / 1000));
          for (const chunk of found.digest?.lead?.chunks ?? []) here.add(chunk);
          room -= lengthOf(found.digest);
          outcomes.push(found);
        }
        const [first] = outcomes as [SearchOutcome, ...SearchOutcome[]];
        return { ...first, warnings: distinctWarnings(outcomes) };
      },
    );
    const [first, ...further] = answers as [SearchAnswer, ...SearchAnswer[]];
    const names = input.brief ? [] : await namesFor(project.graph, answers);
    return {
      ...first,
      ...(further.length > 0 && { further }),
      ...(names.length > 0 && { names }),
      ...stateOf(outcome),
    };
  },
});

type SearchInput = z.output<typeof searchOperation.input>;

/** What is asked for beside the hits: passages, or what is shown of them. */
function shownOf(
  input: SearchInput,
  here: ReadonlySet<string>,
  share: number,
): Pick<SearchOptions, 'window' | 'digest'> {
  const window = windowOf(input);
  if (window) return { window };
  if (input.full && !input.brief) return {};
  const room = Math.min(roomOfOne, share);
  return { digest: { isBrief: input.brief, known: input.known, here: [...here], room } };
}

/** Characters of what is shown of a question. */
function lengthOf(digest: SearchOutcome['digest']): number {
  const pieces = [digest?.lead, ...(digest?.places ?? [])].flatMap((place) => place?.pieces ?? []);
  return pieces.reduce((sum, { text }) => sum + text.length, 0);
}

/** The outcome with what the graph of the code says of a first hit that is shown. */
async function withFacts(project: Project, outcome: SearchOutcome): Promise<SearchOutcome> {
  const { digest, hits } = outcome;
  const symbol = hits[0]?.chunk.symbol;
  if (!digest?.lead || !symbol || hits[0]?.document.type !== 'code') return outcome;
  const name = `${digest.lead.path}#${[...symbol.scope, symbol.name].join('.')}`;
  // An answer does without it where the graph cannot be read; a question to the graph itself fails with the reason.
  const [facts = ''] = await project.graph.facts([name]).catch((): string[] => []);
  return facts === '' ? outcome : { ...outcome, digest: { ...digest, lead: { ...digest.lead, facts } } };
}

/** Characters of a name that somebody wrote wrong; a longer one is data. */
const nameLength = { min: 5, max: 64 };
/** Names of a question that are looked at. */
const maxNames = 2;

/** The outcome with names of the code that are written nearly like one of the query, where nothing answers it well. */
async function withNames(project: Project, query: string, outcome: SearchOutcome): Promise<SearchOutcome> {
  const { digest } = outcome;
  // Where a word stands somewhere it is none that was written wrong.
  if (!digest || digest.missing.length === 0) return outcome;
  const words = query.split(/[^\p{L}\p{N}_$]+/u).filter(Boolean);
  const meant = words.filter(
    (word) =>
      word.length >= nameLength.min &&
      word.length <= nameLength.max &&
      digest.missing.includes(word.toLowerCase()) &&
      (words.length === 1 || looksLikeIdentifier(word)),
  );
  const near = await Promise.all(
    // An answer does without them where the graph cannot be read.
    meant.slice(0, maxNames).map((name) => project.graph.nearTo(name).catch((): readonly string[] => [])),
  );
  return { ...outcome, digest: { ...digest, words: [...new Set([...near.flat(), ...digest.words])] } };
}

function answerOf(query: string, outcome: SearchOutcome, input: SearchInput, seconds: number): SearchAnswer {
  const text = !outcome.passages && !input.brief;
  return {
    query,
    hits: outcome.hits.map((hit) => hitOf(hit, { explain: input.explain, text })),
    ...(outcome.passages && { passages: outcome.passages.map(passageOf) }),
    ...(outcome.digest && { digest: isWhole(outcome) ? outcome.digest : { ...outcome.digest, missing: [] } }),
    ...(outcome.analysis && { analysis: analysisOf(outcome.analysis) }),
    seconds,
  };
}

/** What an index does not have says nothing of a folder that it does not hold yet. */
function isWhole({ warnings }: SearchOutcome): boolean {
  return !warnings.some(({ code }) => code === 'index-stale' || code === 'store-busy');
}

function distinctWarnings(outcomes: readonly SearchOutcome[]): QuarryError[] {
  const all = outcomes.flatMap(({ warnings }) => warnings);
  return [...new Map(all.map((warning) => [warning.message, warning])).values()];
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
