import type { StoreMatch } from '../contracts/store.ts';
import type { Hit } from '../core/hit.ts';
import type { Occurrences } from './search-request.ts';
import { unitOf } from './thinning/by-document.ts';

/** How often a literal text or an expression was found. */
export interface CountedOccurrences {
  readonly all: Occurrences;
  /** The hits, the first of each document, or message of a mailbox, with how often that has it. */
  on(hits: readonly Hit[]): Hit[];
}

/** In a chunk no more of them are counted. */
const maxInChunk = 1000;

/** Counts what was found; `isWhole` says that nothing was left out of it. */
export function occurrencesIn(matches: readonly StoreMatch[], isWhole: boolean): CountedOccurrences {
  const counts = new Map<string, number>();
  for (const match of matches) {
    const unit = unitOf(match);
    counts.set(unit, (counts.get(unit) ?? 0) + match.score);
  }
  return {
    all: {
      total: matches.reduce((sum, { score }) => sum + score, 0),
      documents: new Set(matches.map(({ document }) => document.id)).size,
      isComplete: isWhole && matches.every(({ score }) => score < maxInChunk),
    },
    on(hits) {
      const left = new Map(counts);
      return hits.map((hit) => {
        const unit = unitOf(hit);
        const occurrences = left.get(unit);
        left.delete(unit);
        return occurrences === undefined ? hit : { ...hit, occurrences };
      });
    },
  };
}
