import type { Hit } from '../core/hit.ts';
import type { FoundList } from './fuse.ts';
import type { Occurrences } from './search-request.ts';
import { unitOf } from './thinning/by-document.ts';

/** How often a literal text or an expression was found. */
export interface CountedOccurrences {
  readonly all: Occurrences;
  /** In the document, or message of a mailbox, of a hit. */
  of(hit: Hit): number;
}

/** Counts what was found, of which there may be more where a list is as long as it may be. */
export function occurrencesIn(lists: readonly FoundList[], limit: number): CountedOccurrences {
  const matches = lists.flatMap((list) => list.matches);
  const counts = new Map<string, number>();
  for (const match of matches) {
    const unit = unitOf(match);
    counts.set(unit, (counts.get(unit) ?? 0) + match.score);
  }
  return {
    all: {
      total: matches.reduce((sum, { score }) => sum + score, 0),
      documents: new Set(matches.map(({ document }) => document.id)).size,
      isComplete: lists.every((list) => list.matches.length < limit),
    },
    of: (hit) => counts.get(unitOf(hit)) ?? 0,
  };
}
