import { relevanceWord } from '../../../src/core/relevance.ts';
import type { SearchHit } from '../../../src/operations/find/hit-as-data.ts';
import type { Fold } from './threads.ts';

/** Hits that are shown however weak they are: the one that is sought may be the nearest of weak ones. */
const alwaysShown = 5;

/** How many hits at the end are weak, after those that are always shown; hits for a literal text have no likelihood. */
export function weakHits(hits: readonly SearchHit[], folds: readonly Fold[]): number {
  const isWeak = ({ relevance, occurrences }: SearchHit): boolean =>
    occurrences === undefined && relevanceWord(relevance) === 'weak';
  const last = hits.findLastIndex((hit) => !isWeak(hit));
  const end = Math.max(alwaysShown, last + 1);
  // Messages of a thread are below one switch, not some of them below another.
  const rest = hits.slice(end);
  const ofThread = rest.findIndex((hit) => !folds.some((fold) => fold.hits.includes(hit)));
  return ofThread < 0 ? 0 : rest.length - ofThread;
}
