import type { Embedder } from '../../contracts/embedder.ts';
import type { SearchBounds, Store, StoreMatch } from '../../contracts/store.ts';
import { embeddedText } from '../../core/chunk.ts';
import { asQuarryError, leavesText } from '../../core/errors.ts';
import { beginningOf } from '../../core/query.ts';
import { queryTerms } from '../../core/text/terms.ts';
import { cosine } from '../../core/vectors/cosine.ts';
import { fuse } from '../fuse.ts';

/** Opens what says roughly what a text is about, at next to no cost. */
export type OpenRoughVectors = () => Promise<Embedder>;

/** Hits by words that are looked at; more are no better, and each takes a tenth of a millisecond. */
const looked = 200;
/** What meaning says counts for so much of it. */
const roughShare = 0.7;
/** Characters of a chunk that are looked at: about what the model sees. */
const characters = 2000;

/**
 * Hits by words in the order in which it is worth making their vectors: by their words and, roughly, by what they mean. In an
 * index of files that were chosen by the words of the question, the words alone tell little apart.
 */
export async function likelyHits(
  store: Store,
  open: OpenRoughVectors,
  query: string,
  bounds: SearchBounds,
): Promise<readonly StoreMatch[]> {
  const [hits, embedder] = await Promise.all([
    store.searchText(queryTerms(query), { ...bounds, limit: Math.max(looked, bounds.limit) }),
    open().catch(withoutIt),
  ]);
  if (!embedder || hits.length === 0) return hits;
  const texts = hits.map(({ chunk }) => embeddedText(chunk).slice(0, characters));
  const vectors = await embedder.embed([beginningOf(query), ...texts], { as: 'chunk' }).catch(withoutIt);
  const [asked, ...found] = vectors ?? [];
  if (!asked) return hits;
  const near = hits.map((match, at) => ({ ...match, score: cosine(asked, found[at] ?? []) }));
  return fuse([
    { stage: 'text', matches: hits, weight: 1 - roughShare },
    { stage: 'dense', matches: near, weight: roughShare },
  ]).map(({ match }) => match);
}

/** Words alone decide then. */
function withoutIt(thrown: unknown): undefined {
  if (!leavesText(asQuarryError(thrown))) throw thrown;
}
