import type { StoreMatch, TextPattern } from '../contracts/store.ts';
import type { Hit } from '../core/hit.ts';
import { countMatchesWithin } from '../platform/match-within.ts';
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

/** Milliseconds that an expression may take in what chunks share. */
const sharedTime = 100;

/** Counts what was found of a pattern; `isWhole` says that nothing was left out of it. */
export function occurrencesIn(
  matches: readonly StoreMatch[],
  pattern: TextPattern,
  isWhole: boolean,
): CountedOccurrences {
  const { own, isComplete } = withoutShared(matches, pattern);
  const counts = new Map<string, number>();
  for (const [place, match] of matches.entries()) {
    const unit = unitOf(match);
    counts.set(unit, (counts.get(unit) ?? 0) + (own[place] ?? 0));
  }
  return {
    all: {
      total: own.reduce((sum, count) => sum + count, 0),
      documents: new Set(matches.map(({ document }) => document.id)).size,
      isComplete: isWhole && isComplete && matches.every(({ score }) => score < maxInChunk),
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

/** How often each chunk has the pattern, less what it shares with the one before: chunks of equal size overlap. */
function withoutShared(matches: readonly StoreMatch[], { text, isRegex }: TextPattern) {
  const own = matches.map(({ score }) => score);
  const shared: { readonly place: number; readonly text: string }[] = [];
  const places = Map.groupBy(matches.keys(), (place) => matches[place]?.document.id);
  for (const inDocument of places.values()) {
    const inOrder = inDocument
      .flatMap((place) => {
        const chunk = matches[place]?.chunk;
        return chunk ? [{ place, chunk }] : [];
      })
      .sort((one, other) => one.chunk.span.start - other.chunk.span.start);
    for (const [at, { place, chunk }] of inOrder.entries()) {
      const before = inOrder[at - 1]?.chunk;
      const length = before ? before.span.end - chunk.span.start : 0;
      if (length > 0) shared.push({ place, text: chunk.text.slice(0, length) });
    }
  }
  if (shared.length === 0) return { own, isComplete: true };
  const expression = isRegex ? new RegExp(text, 'gmu') : new RegExp(literalSource(text), 'gu');
  const bounds = { milliseconds: sharedTime, max: maxInChunk };
  const counted = countMatchesWithin(
    expression,
    shared.map((one) => one.text),
    bounds,
  );
  for (const [at, count] of counted.entries()) {
    const place = shared[at]?.place ?? 0;
    own[place] = Math.max(0, (own[place] ?? 0) - count);
  }
  return { own, isComplete: counted.length === shared.length };
}

function literalSource(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
