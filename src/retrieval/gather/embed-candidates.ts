import type { Store, StoreMatch } from '../../contracts/store.ts';
import { embeddedText } from '../../core/chunk.ts';
import { asQuarryError, leavesText } from '../../core/errors.ts';
import { embeddingKey } from '../../core/identity.ts';
import { cosine } from '../../core/vectors/cosine.ts';
import { chunkKey } from '../candidate.ts';
import type { DenseMatches } from './search-dense.ts';

/** Makes vectors of single texts, and keeps them for the next that needs them. */
export interface TextVectors {
  readonly space: string;
  /** How many are made at a time. */
  readonly concurrency: number;
  /** Undefined where the model refuses the text. */
  vectorOf(text: string, signal: AbortSignal): Promise<Float32Array | undefined>;
}

/** Opens what makes vectors; undefined where a query may not wait for them, as with a server. */
export type OpenTextVectors = () => Promise<TextVectors | undefined>;

/** How many of the best text hits get a vector: with these an index without any is nearly as good as a full one. */
const maxEmbedded = 40;
/** Those that must have one for vectors to have their whole weight. */
const minEmbedded = 20;
/**
 * Of those compared, the nearest count as found by meaning: scores are stretched over the list, and that of a full index
 * has near chunks only.
 */
const maxFound = 20;
/**
 * What a query gives for it while vectors are missing; and, from when its own vector is there, on a busy machine, where
 * these are not enough for the fewest.
 */
const budgetMs = 400;
const maxMilliseconds = 1500;

/** The best text hits of a query, compared with it before the index has their vectors. */
export interface ComparedCandidates {
  /** Begins to make their vectors: the model of chunks need not wait for that of queries. Further calls do nothing. */
  begin(space: string): void;
  /**
   * What vector search found, with as many of the text hits as are ready in time. `covered` becomes the share of the first
   * hits that have a vector, where that is more than the share of the index.
   */
  complete(found: Promise<DenseMatches> | DenseMatches): Promise<DenseMatches>;
}

/**
 * Prepares the comparison of text hits that have no vector yet, so that an index is searched by meaning before it has any.
 * `likely` says which hits get one first; it is asked only where vectors are missing.
 */
export function compareCandidates(
  store: Store,
  open: OpenTextVectors | undefined,
  likely: () => Promise<readonly StoreMatch[]>,
  signal?: AbortSignal,
): ComparedCandidates {
  const ended = new AbortController();
  const stop = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
  let making: Promise<Making | undefined> | undefined;
  return {
    begin(space) {
      making ??= open && makeVectors(store, open, space, likely, stop);
      // Where nobody completes it, nobody waits for it.
      making?.catch(() => undefined);
    },
    async complete(found) {
      try {
        const dense = await found;
        const { space, vector } = dense;
        if (dense.covered === 1 || !vector) return dense;
        const made = await making;
        return made?.space === space ? await withCandidates(dense, vector, made, stop) : dense;
      } finally {
        // Nobody listens any more: a signal that is never aborted would be kept, with all that its listeners hold.
        ended.abort();
      }
    },
  };
}

/** Vectors that are being made. */
interface Making {
  readonly space: string;
  /** The text hits that may get one. */
  readonly best: number;
  /** Those of them that had none. */
  readonly missing: number;
  readonly made: readonly { readonly match: StoreMatch; readonly vector: Float32Array }[];
  /** Resolves when the budget is spent and the fewest have their vectors, or when no more can be made. */
  readonly enough: Promise<void>;
}

/** Begins to make the missing vectors of the best text hits, the first ones first, until `stop`. */
async function makeVectors(
  store: Store,
  open: OpenTextVectors,
  space: string,
  likely: () => Promise<readonly StoreMatch[]>,
  stop: AbortSignal,
): Promise<Making | undefined> {
  const source = await open().catch((thrown) => {
    const error = asQuarryError(thrown);
    // The caller gets the reason, and what there is as an answer.
    if (leavesText(error)) return undefined;
    throw error;
  });
  if (source?.space !== space) return undefined;
  const hits = await likely();
  if (hits.length === 0) return undefined;
  const best = hits.slice(0, maxEmbedded).map((match) => ({ match, text: embeddedText(match.chunk) }));
  const keys = best.map((candidate) => embeddingKey(candidate.text));
  const known = await store.keysWithVector(space, keys);
  if (stop.aborted) return undefined;
  const missing = best.filter((_, at) => !known.has(keys[at] ?? ''));
  const min = Math.min(minEmbedded, best.length) - (best.length - missing.length);
  const made: { readonly match: StoreMatch; readonly vector: Float32Array }[] = [];
  const enough = Promise.withResolvers<void>();
  let isLate = false;
  const endIfEnough = () => {
    if (isLate && made.length >= min) enough.resolve();
  };
  const timer = setTimeout(() => {
    isLate = true;
    endIfEnough();
  }, budgetMs);
  const waiting = [...missing];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next && !stop.aborted; next = waiting.shift()) {
      const vector = await source.vectorOf(next.text, stop);
      if (vector && !stop.aborted) made.push({ match: next.match, vector });
      endIfEnough();
    }
  };
  // One more for each that is made at a time: otherwise the run that makes all vectors would have every second turn.
  const lanes = Array.from({ length: 2 * source.concurrency }, work);
  // A model that fails here fails that run too, and is reported there.
  void Promise.allSettled(lanes).then(() => enough.resolve());
  stop.addEventListener('abort', () => clearTimeout(timer), { once: true });
  return { space, best: best.length, missing: missing.length, made, enough: enough.promise };
}

/** Waits until enough is made, and puts it beside what vector search found. */
async function withCandidates(
  dense: DenseMatches,
  query: Float32Array,
  { best, missing, made, enough }: Making,
  stop: AbortSignal,
): Promise<DenseMatches> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxMilliseconds);
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([enough, late]).finally(() => clearTimeout(timer));
  const found = new Set(dense.matches.map((match) => chunkKey({ match })));
  const nearest = made
    .filter(({ match }) => !found.has(chunkKey({ match })))
    .map(({ match, vector }) => ({ ...match, score: cosine(query, vector) }))
    .sort(nearestFirst)
    .slice(0, maxFound);
  const unmade = missing - made.length;
  const covered = Math.min(1, (best - unmade) / Math.min(minEmbedded, best));
  const matches = [...dense.matches, ...nearest].sort(nearestFirst);
  return { ...dense, matches, covered: Math.max(dense.covered, covered) };
}

function nearestFirst(one: StoreMatch, other: StoreMatch): number {
  return other.score - one.score;
}
