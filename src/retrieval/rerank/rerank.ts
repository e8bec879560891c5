import type { ChunkScore, Reranker } from '../../contracts/reranker.ts';
import { embeddedText } from '../../core/chunk.ts';
import { asQuarryError, interrupted, QuarryError } from '../../core/errors.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { type Candidate, chunkKey } from '../candidate.ts';
import type { RerankerScores } from './blend-scores.ts';

/** Opens the reranker, the same one each time; undefined where the project has none. */
export type OpenReranker = () => Promise<Reranker | undefined>;

/** Limits of a reranking. */
export interface RerankBounds {
  /** Milliseconds after which the answer is given with what has been scored. */
  readonly budgetMs: number;
  /** How many of the best chunks to score. */
  readonly candidates: number;
  /** Whether nobody has named the reranker: that its first call scored nothing, while its model loads, is then no news. */
  readonly isByItself?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock;
}

/** What the reranker said in time, and why that may be nothing. */
export interface Reranked {
  /** Absent where it said nothing. */
  readonly scored?: RerankerScores;
  readonly warnings: readonly QuarryError[];
  /** Whether all chunks were scored; if not, the same query may get a better answer later. */
  readonly isComplete: boolean;
}

/** Milliseconds for which a reranker that failed is not asked again. */
const minPause = 60_000;
const maxPause = 600_000;
/** Calls in a row without a single score after which a reranker counts as failing: the first may load a model. */
const maxEmptyCalls = 3;

/** What is remembered of a reranker between calls: when it may be called again. */
interface Health {
  pausedUntil: number;
  emptyCalls: number;
}

const healths = new WeakMap<OpenReranker, Health>();

/**
 * Has the first candidates scored and answers within the budget, whatever the reranker does: opening, loading and scoring
 * all count. A failure gives a warning; the reranker is then not called for a while.
 */
export async function rerankWithin(
  open: OpenReranker,
  query: string,
  candidates: readonly Candidate[],
  bounds: RerankBounds,
): Promise<Reranked> {
  const { signal, clock = systemClock } = bounds;
  if (signal?.aborted) throw interrupted(signal.reason);
  const pool = candidates.slice(0, bounds.candidates);
  const all = [...pool, ...besideIn(candidates, pool)];
  const chunks = all.map(({ match }) => embeddedText(match.chunk));
  const health = healthOf(open);
  if (pool.length < 2 || !(bounds.budgetMs > 0)) return { warnings: [], isComplete: true };
  if (clock.now() < health.pausedUntil) return { warnings: [], isComplete: false };

  const scoring = await scoreWithin(open, query, chunks, { ...bounds, candidates: pool.length, clock });
  if (scoring === undefined) return { warnings: [], isComplete: true };
  if (scoring instanceof QuarryError) {
    pause(health, clock, scoring);
    return { warnings: [scoring], isComplete: false };
  }
  if (scoring.scores.size === 0 && scoring.hasEnded) return { warnings: [], isComplete: false };
  if (scoring.scores.size === 0) {
    const error = nothingScored(pool.length, bounds.budgetMs);
    health.emptyCalls += 1;
    if (health.emptyCalls >= maxEmptyCalls) pause(health, clock, error);
    const isNews = !bounds.isByItself || health.emptyCalls > 1;
    return { warnings: isNews ? [error] : [], isComplete: false };
  }
  health.emptyCalls = 0;
  const byKey = (those: readonly Candidate[]) =>
    new Map(
      those.flatMap((candidate, place) => {
        const score = scoring.scores.get(place);
        return score === undefined ? [] : [[chunkKey(candidate), score] as const];
      }),
    );
  const { weight, looksFurther } = scoring;
  const scored = { scores: byKey(pool), ...(looksFurther && { further: byKey(all) }), weight };
  return { scored, warnings: [], isComplete: scoring.scores.size === scoring.asked };
}

/** Further candidates that are looked at, the best ones first. */
const maxFurther = 40;

/** The further candidates of the documents that may be shown. */
function besideIn(candidates: readonly Candidate[], pool: readonly Candidate[]): Candidate[] {
  const documents = new Set(pool.map(({ match }) => match.document.id));
  return candidates
    .slice(pool.length)
    .filter(({ match }) => documents.has(match.document.id))
    .slice(0, maxFurther);
}

/** What was scored in time, by place. */
interface Scoring {
  readonly scores: ReadonlyMap<number, number>;
  /** How many chunks it was asked about. */
  readonly asked: number;
  /** Whether it was asked about further chunks than the best ones. */
  readonly looksFurther: boolean;
  /** The share that suits the reranker. */
  readonly weight: number;
  /** Whether it has said all that it can say now. */
  readonly hasEnded: boolean;
}

/** Scores until the budget is used up; undefined without a reranker, an error where it failed. */
async function scoreWithin(
  open: OpenReranker,
  query: string,
  chunks: readonly string[],
  { budgetMs, candidates: first, signal, clock }: RerankBounds & { readonly clock: Clock },
): Promise<Scoring | QuarryError | undefined> {
  const scores = new Map<number, number>();
  const ended = new AbortController();
  const started = clock.now();
  let weight = 0;
  let asked = first;
  let looksFurther = false;
  const scoring = async (): Promise<boolean> => {
    const reranker = await open();
    if (!reranker || ended.signal.aborted) return reranker !== undefined;
    weight = reranker.weight;
    looksFurther = reranker.looksFurther ?? false;
    if (looksFurther) asked = chunks.length;
    const options = { budgetMs: budgetMs - (clock.now() - started), signal: ended.signal };
    for await (const batch of reranker.score(query, chunks.slice(0, asked), options)) {
      // Late scores are ignored: the caller already has its answer.
      if (ended.signal.aborted) break;
      take(batch, asked, scores);
    }
    return true;
  };
  const timer = new AbortController();
  const stop = signal ? AbortSignal.any([signal, timer.signal]) : timer.signal;
  try {
    const work = scoring().catch(asQuarryError);
    const outcome = await Promise.race([work, clock.wait(budgetMs, stop).then(() => 'late' as const)]);
    if (signal?.aborted) throw interrupted(signal.reason);
    if (outcome instanceof QuarryError) return outcome;
    return outcome ? { scores, asked, looksFurther, weight, hasEnded: outcome !== 'late' } : undefined;
  } finally {
    ended.abort();
    timer.abort();
  }
}

/** Keeps the scores of a batch; an invalid answer fails the whole reranking. */
function take(batch: readonly ChunkScore[], chunks: number, scores: Map<number, number>): void {
  for (const { index, score } of batch) {
    if (!Number.isInteger(index) || index < 0 || index >= chunks) {
      throw senseless(`it scores chunk ${index} of ${chunks}`);
    }
    if (scores.has(index)) throw senseless(`it scores chunk ${index} twice`);
    if (!Number.isFinite(score)) throw senseless(`the score of chunk ${index} is ${score}`);
    scores.set(index, score);
  }
}

function healthOf(open: OpenReranker): Health {
  const health = healths.get(open) ?? { pausedUntil: Number.NEGATIVE_INFINITY, emptyCalls: 0 };
  healths.set(open, health);
  return health;
}

function pause(health: Health, clock: Clock, { retryAfter = 0 }: QuarryError): void {
  health.emptyCalls = 0;
  health.pausedUntil = clock.now() + Math.min(Math.max(minPause, retryAfter), maxPause);
}

function nothingScored(chunks: number, budgetMs: number): QuarryError {
  return new QuarryError(
    'model-failed',
    `The reranker scored none of ${chunks} chunks within ${budgetMs} ms; they keep the order of the search.`,
    'Raise reranker.budget_ms; the first query of a process also waits for the model to load.',
  );
}

function senseless(what: string): QuarryError {
  return new QuarryError(
    'model-failed',
    `The reranker's answer makes no sense: ${what}; the chunks keep the order of the search.`,
    'Check that reranker.model and reranker.url lead to a reranker.',
  );
}
