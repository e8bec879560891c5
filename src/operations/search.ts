import { z } from 'zod';
import { QuarryError } from '../core/errors.ts';
import type { IndexEvent, IndexSummary } from '../core/events.ts';
import type { Filter } from '../core/filter.ts';
import type { Hit } from '../core/hit.ts';
import { requireQuestion } from '../core/question.ts';
import type { Project } from '../project/project.ts';
import { bringUpToDate, problemOf, problemSchema, summarySchema } from './index-project.ts';
import { defineOperation, type RunOptions } from './operation.ts';

const hitSchema = z.object({
  path: z.string(),
  lines: z.tuple([z.int(), z.int()]).describe('First and last line, counted from 1.'),
  section: z.string().describe('Heading path or scope.'),
  title: z.string(),
  type: z.string(),
  relevance: z.number().min(0).max(1).describe('Likelihood that the passage is relevant.'),
  text: z.string(),
  symbol: z.object({ name: z.string(), kind: z.string(), signature: z.string() }).optional(),
  chunk: z.string().describe('Identity of the passage.'),
  score: z.number().describe('Ranking score; only its order has a meaning.'),
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
    .describe('How each stage saw the passage; with `explain`.'),
});

/** One passage as it leaves the process. */
export type SearchHit = z.output<typeof hitSchema>;

/** Finds passages for a question, after bringing the index up to date. */
export const searchOperation = defineOperation({
  name: 'search',
  summary: 'Find the passages that answer a question.',
  positionals: ['question'],
  input: z.strictObject({
    question: z.string().describe('A question in plain words, or an identifier.'),
    top_k: z.int().min(1).max(1000).optional().describe('Passages to return (search.top_k).'),
    type: z.array(z.string()).default([]).describe('Only documents of this type; may be repeated.'),
    path: z
      .array(z.string())
      .default([])
      .describe('Only paths that match this glob (`!` excludes); may be repeated.'),
    language: z.array(z.string()).default([]).describe('Only code in this language; may be repeated.'),
    kind: z
      .array(z.string())
      .default([])
      .describe('Only symbols of this kind (function, class, …); may be repeated.'),
    since: z.string().optional().describe('Only content changed since this date (2026-01-31).'),
    until: z.string().optional().describe('Only content changed before this date.'),
    threshold: z.number().min(0).max(1).optional().describe('Least relevance to return (search.threshold).'),
    dense_weight: z.number().min(0).max(1).optional().describe('0 is text search only, 1 is vectors only.'),
    embedder: z
      .string()
      .min(1)
      .optional()
      .describe('Ask this embedder of [embedders] instead of the one in use.'),
    explain: z.boolean().default(false).describe('Show how each stage ranked each passage.'),
    update: z.boolean().optional().describe('Bring the index up to date first (index.on_search).'),
  }),
  output: z.object({
    question: z.string(),
    hits: z.array(hitSchema),
    warnings: z.array(problemSchema),
    pending: z.int().describe('Chunks that vector search does not cover yet.'),
    seconds: z.number().describe('Time of the search itself, without indexing.'),
    indexed: summarySchema.optional().describe('What bringing the index up to date did.'),
  }),
  examples: [
    { command: 'search "how are passwords hashed?"', explains: 'ask in plain words' },
    { command: 'search putDocument --type code', explains: 'find a definition' },
    { command: 'search "retry policy" --path "docs/**" --top-k 10', explains: 'look in one folder' },
    { command: 'search "timeout" --explain', explains: 'see why each passage is where it is' },
  ],
  async *run(project, input, options) {
    requireQuestion(input.question);
    const filter = filterOf(input);
    const update = input.update ?? project.settings.index.on_search;
    const late: QuarryError[] = [];
    const summary = update ? yield* updateIfFree(project, options, late) : undefined;
    const started = performance.now();
    const outcome = await project.search(input.question, {
      ...(input.top_k !== undefined && { topK: input.top_k }),
      ...(input.threshold !== undefined && { threshold: input.threshold }),
      ...(input.dense_weight !== undefined && { denseWeight: input.dense_weight }),
      ...(input.embedder !== undefined && { embedder: input.embedder }),
      ...(filter && { filter }),
      ...options,
    });
    return {
      question: input.question,
      hits: outcome.hits.map((hit) => hitOf(hit, input.explain)),
      warnings: distinct([...late, ...outcome.warnings]).map(problemOf),
      pending: outcome.pending,
      seconds: (performance.now() - started) / 1000,
      ...(summary && { indexed: summary }),
    };
  },
});

/**
 * Brings the index up to date: all of the text, and vectors for as long as a person waits; the rest stays pending. While
 * another process is writing, a search answers from what is there.
 */
async function* updateIfFree(
  project: Project,
  options: RunOptions,
  warnings: QuarryError[],
): AsyncGenerator<IndexEvent, IndexSummary | undefined> {
  const patience = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, patience.signal]) : patience.signal;
  let timer: NodeJS.Timeout | undefined;
  try {
    const work = bringUpToDate(project, { signal, wait: false });
    let step = await work.next();
    for (; !step.done; step = await work.next()) {
      if (step.value.type === 'model-loading')
        timer ??= setTimeout(() => patience.abort(), project.settings.index.search_seconds * 1000);
      if (step.value.type === 'vectors-failed') warnings.push(step.value.error);
      else yield step.value;
    }
    return step.value;
  } catch (thrown) {
    if (!(thrown instanceof QuarryError)) throw thrown;
    const isOutOfPatience = thrown.code === 'interrupted' && options.signal?.aborted !== true;
    if (thrown.code === 'store-busy' || (thrown.code.startsWith('store-') && (await hasIndex(project))))
      warnings.push(thrown);
    else if (!isOutOfPatience) throw thrown;
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether there is an index to answer from, whatever keeps it from being brought up to date. */
async function hasIndex(project: Project): Promise<boolean> {
  return project.status({ compare: false }).then(
    ({ empty }) => !empty,
    () => false,
  );
}

/** What keeps the vectors from being made often keeps the question from being embedded too: it is told once. */
function distinct(warnings: readonly QuarryError[]): QuarryError[] {
  return [...new Map(warnings.map((warning) => [warning.message, warning])).values()];
}

function filterOf(input: z.output<typeof searchOperation.input>): Filter | undefined {
  const filter: Filter = {
    ...(input.type.length > 0 && { types: input.type }),
    ...(input.path.length > 0 && { paths: input.path }),
    ...(input.language.length > 0 && { languages: input.language }),
    ...(input.kind.length > 0 && { symbolKinds: input.kind }),
    ...(input.since !== undefined && { since: momentOf('since', input.since) }),
    ...(input.until !== undefined && { until: momentOf('until', input.until) }),
  };
  return Object.keys(filter).length > 0 ? filter : undefined;
}

function momentOf(field: string, written: string): number {
  const moment = Date.parse(written);
  if (!Number.isNaN(moment)) return moment;
  throw new QuarryError(
    'filter-invalid',
    `"${written}" is not a date for ${field}.`,
    'Write it as 2026-01-31 or 2026-01-31T12:00:00Z.',
  );
}

function hitOf(hit: Hit, explain: boolean): SearchHit {
  const { chunk, document } = hit;
  return {
    path: document.uri,
    lines: [chunk.span.firstLine, chunk.span.lastLine],
    section: chunk.section,
    title: document.title,
    type: document.type,
    relevance: hit.relevance,
    text: chunk.text,
    ...(chunk.symbol && {
      symbol: { name: chunk.symbol.name, kind: chunk.symbol.kind, signature: chunk.symbol.signature },
    }),
    chunk: chunk.id,
    score: hit.score,
    ...(explain && { trace: hit.trace.map((entry) => ({ ...entry })) }),
  };
}
