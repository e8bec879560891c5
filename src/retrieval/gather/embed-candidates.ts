import type { Store, StoreMatch } from '../../contracts/store.ts';
import { embeddedText } from '../../core/chunk.ts';
import { cosine } from '../../core/cosine.ts';
import { embeddingKey } from '../../core/identity.ts';
import { chunkKey } from '../candidate.ts';
import type { DenseMatches } from './search-dense.ts';

/** Makes vectors of single texts, and keeps them for whoever needs them next. */
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
const mostEmbedded = 40;
/** Those that must have one for vectors to have their whole weight. */
const fewestEmbedded = 20;
/**
 * Of those compared, the nearest count as found by meaning: scores are stretched over the list, and that of a full index
 * has near chunks only.
 */
const mostFound = 20;
/** What a query gives for it while vectors are missing, and on a busy machine, where these are not enough for the fewest. */
const budgetMs = 400;
const mostMs = 1500;

/**
 * Compares the best text hits that have no vector yet with the query, as many as are ready in time, so that an index is
 * searched by meaning before its vectors are made. `covered` becomes the share of the first hits that have a vector,
 * where that is more than the share of the index.
 */
export async function embedCandidates(
  store: Store,
  open: OpenTextVectors | undefined,
  dense: DenseMatches,
  text: readonly StoreMatch[],
  signal?: AbortSignal,
): Promise<DenseMatches> {
  const { space, vector } = dense;
  if (dense.covered === 1 || !vector || !open || text.length === 0) return dense;
  const source = await open();
  if (source?.space !== space) return dense;
  const found = new Set(dense.matches.map((match) => chunkKey({ match })));
  const best = text.slice(0, mostEmbedded).map((match) => ({ match, text: embeddedText(match.chunk) }));
  const keys = best.map((candidate) => embeddingKey(candidate.text));
  const known = await store.keysWithVector(space, keys);
  const missing = best.filter(
    ({ match }, at) => !known.has(keys[at] ?? '') && !found.has(chunkKey({ match })),
  );
  const fewest = Math.min(fewestEmbedded, best.length);
  const enough = fewest - (best.length - missing.length);
  const made = await compareInTime(source, vector, { missing, enough }, signal);
  const unmade = missing.length - made.length;
  const covered = Math.min(1, (best.length - unmade) / fewest);
  const nearest = made.sort(nearestFirst).slice(0, mostFound);
  const matches = [...dense.matches, ...nearest].sort(nearestFirst);
  return { ...dense, matches, covered: Math.max(dense.covered, covered) };
}

interface Wanted {
  readonly missing: readonly { readonly match: StoreMatch; readonly text: string }[];
  /** With so many the time need not be exceeded. */
  readonly enough: number;
}

/** The texts with their cosines, the first ones first; what is not ready at the end of the time is left out. */
async function compareInTime(
  source: TextVectors,
  query: Float32Array,
  { missing, enough }: Wanted,
  signal: AbortSignal | undefined,
): Promise<StoreMatch[]> {
  const ended = new AbortController();
  const stop = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
  const made: StoreMatch[] = [];
  let isLate = false;
  const endIfEnough = () => {
    if (isLate && made.length >= enough) ended.abort();
  };
  const timers = [
    setTimeout(() => {
      isLate = true;
      endIfEnough();
    }, budgetMs),
    setTimeout(() => ended.abort(), mostMs),
  ];
  const waiting = [...missing];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next && !stop.aborted; next = waiting.shift()) {
      const vector = await source.vectorOf(next.text, stop);
      if (vector && !stop.aborted) made.push({ ...next.match, score: cosine(query, vector) });
      endIfEnough();
    }
  };
  try {
    const lanes = Array.from({ length: source.concurrency }, work);
    const stopped = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve()));
    // A model that fails here fails the run that makes all vectors too, and is reported there.
    await Promise.race([Promise.allSettled(lanes), stopped]);
    return [...made];
  } finally {
    for (const timer of timers) clearTimeout(timer);
    // Nobody listens any more: a signal that is never aborted would be kept, with all that its listeners hold.
    ended.abort();
  }
}

function nearestFirst(one: StoreMatch, other: StoreMatch): number {
  return other.score - one.score;
}
