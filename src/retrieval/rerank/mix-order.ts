import type { Candidate } from '../candidate.ts';

/**
 * Reorders the scored candidates among themselves, by a mix of the given scores and their own, each scaled to 0..1 within
 * the scored ones. Nothing else moves: a rank keeps its score, a candidate without a score keeps its rank, and a higher
 * score never lowers a candidate. Each scored one gets a trace entry of the stage `rerank`.
 */
export function mixOrder(
  candidates: readonly Candidate[],
  scores: ReadonlyMap<number, number>,
  weight: number,
): Candidate[] {
  const places = [...scores.keys()].sort((a, b) => a - b);
  const given = places.map((place) => scores.get(place) ?? 0);
  const own = stretched(places.map((place) => candidates[place]?.score ?? 0));
  const closer = stretched(given);
  const mixed = places.map((_, at) => weight * (closer[at] ?? 0) + (1 - weight) * (own[at] ?? 0));
  const ranks = ranksOf(given);
  const reordered = [...candidates];
  orderOf(mixed).forEach((from, to) => {
    const moved = candidates[places[from] ?? -1];
    const place = places[to] ?? -1;
    const score = candidates[place]?.score;
    if (!moved || score === undefined) return;
    const entry = { stage: 'rerank', rank: ranks[from] ?? 0, score: given[from] ?? 0 };
    reordered[place] = { ...moved, score, trace: [...moved.trace, entry] };
  });
  return reordered;
}

/** Places by falling value; equals keep their order. */
function orderOf(values: readonly number[]): number[] {
  return values.map((_, index) => index).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
}

/** The rank of each value, counted from 1. */
function ranksOf(values: readonly number[]): number[] {
  const ranks = new Array<number>(values.length);
  orderOf(values).forEach((index, place) => {
    ranks[index] = place + 1;
  });
  return ranks;
}

/** Values from 0 (the lowest) to 1 (the highest); equals are all 0. */
function stretched(values: readonly number[]): number[] {
  // A quarter, because the difference of two extreme values may exceed the largest number.
  const lowest = Math.min(...values) / 4;
  const range = Math.max(...values) / 4 - lowest;
  return values.map((value) => (range > 0 ? (value / 4 - lowest) / range : 0));
}
