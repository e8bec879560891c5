import type { Embedder } from '../../contracts/embedder.ts';
import type { SearchBounds, Store, StoreMatch } from '../../contracts/store.ts';
import { embeddedText } from '../../core/chunk.ts';
import { beginningOf } from '../../core/query.ts';
import { queryTerms } from '../../core/text/terms.ts';
import { cosine } from '../../core/vectors/cosine.ts';

/** Opens what says roughly what a text is about, at next to no cost. */
export type OpenRoughVectors = () => Promise<Embedder>;

/** Hits by words, and what they roughly have to do with a question. */
export interface RoughComparison {
  readonly space: string;
  readonly asked: Float32Array;
  /** Best by words first. */
  readonly hits: readonly StoreMatch[];
  /** The same with their likeness, in the same order. */
  readonly near: readonly StoreMatch[];
  /** Their vectors, in the same order. */
  readonly vectors: readonly Float32Array[];
}

/** Hits by words that are looked at; more are no better, and each takes a tenth of a millisecond. */
const looked = 200;
/** Characters of a chunk that are looked at: about what the model sees. */
const characters = 2000;

/** The best hits by words, as many as are worth comparing. */
export function hitsToCompare(store: Store, query: string, bounds: SearchBounds): Promise<StoreMatch[]> {
  return store.searchText(queryTerms(query), { ...bounds, limit: Math.max(looked, bounds.limit) });
}

/** Compares the best hits by words with a question, without any model. Rejects where the table cannot be read. */
export async function compareRoughly(
  store: Store,
  open: OpenRoughVectors,
  query: string,
  bounds: SearchBounds,
): Promise<RoughComparison> {
  const [embedder, hits] = await Promise.all([open(), hitsToCompare(store, query, bounds)]);
  const texts = hits.map(({ chunk }) => embeddedText(chunk).slice(0, characters));
  const [asked = new Float32Array(), ...vectors] = await embedder.embed([beginningOf(query), ...texts], {
    as: 'chunk',
  });
  const near = hits.map((match, at) => ({ ...match, score: cosine(asked, vectors[at] ?? []) }));
  return { space: embedder.fingerprint, asked, hits, near, vectors };
}
