import type { StoreMatch } from '../../contracts/store.ts';
import { resemblance, wordSet } from './text-sketch.ts';

/** How strongly a list is varied. */
export interface DiversityOptions {
  /** Weight of the score against being different from better hits: 1 changes nothing, 0 ignores the score. */
  readonly lambda: number;
  /** How many ranks are chosen this way; the rest keeps its order. */
  readonly limit: number;
}

/**
 * Lowers hits that repeat the words of better ones (maximal marginal relevance over sets of words); scores stay.
 * Not for every search: chunks about one thing share words. On four collections nDCG@10 moved by -.003 to +.002 at
 * a lambda of 0.8, and by -.006 to +.000 at 0.6.
 */
export function diversify<Candidate extends { readonly match: StoreMatch; readonly score: number }>(
  candidates: readonly Candidate[],
  { lambda, limit }: DiversityOptions,
): Candidate[] {
  if (lambda >= 1 || candidates.length < 3) return [...candidates];
  const scale = relativeTo(candidates.map(({ score }) => score));
  const waiting = candidates.map((candidate) => ({
    candidate,
    words: wordSet(candidate.match.chunk.text),
    likeness: 0,
  }));
  const chosen: Candidate[] = [];
  while (waiting.length > 0 && chosen.length < limit) {
    const values = waiting.map(
      ({ candidate, likeness }) => lambda * scale(candidate.score) - (1 - lambda) * likeness,
    );
    // The first of equal ones, so ties keep the order of the ranking.
    const [next] = waiting.splice(values.indexOf(Math.max(...values)), 1);
    if (!next) break;
    chosen.push(next.candidate);
    for (const other of waiting)
      other.likeness = Math.max(other.likeness, resemblance(next.words, other.words));
  }
  return [...chosen, ...waiting.map(({ candidate }) => candidate)];
}

/** Scores as a share of the way from the lowest to the highest. */
function relativeTo(scores: readonly number[]): (score: number) => number {
  const lowest = Math.min(...scores);
  const range = Math.max(...scores) - lowest;
  return (score) => (range > 0 ? (score - lowest) / range : 1);
}
