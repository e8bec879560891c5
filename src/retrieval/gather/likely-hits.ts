import type { SearchBounds, Store, StoreMatch } from '../../contracts/store.ts';
import { asQuarryError, leavesText } from '../../core/errors.ts';
import { fuse } from '../fuse.ts';
import { compareRoughly, hitsToCompare, type OpenRoughVectors } from './compare-roughly.ts';

/** What meaning says counts for so much of it. */
const roughShare = 0.7;

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
  const compared = await compareRoughly(store, open, query, bounds).catch(withoutIt);
  if (!compared) return hitsToCompare(store, query, bounds);
  return fuse([
    { stage: 'text', matches: compared.hits, weight: 1 - roughShare },
    { stage: 'dense', matches: compared.near, weight: roughShare },
  ]).map(({ match }) => match);
}

/** Words alone decide then. */
function withoutIt(thrown: unknown): undefined {
  if (!leavesText(asQuarryError(thrown))) throw thrown;
}
