import type { StoreMatch } from '../contracts/store.ts';
import type { StageTrace } from '../core/hit.ts';
import { byScore, type Candidate, chunkKey } from './candidate.ts';

/** What one searcher found, best first. */
export interface FoundList {
  /** `dense`, `text`, `exact`, `path`. */
  readonly stage: string;
  readonly matches: readonly StoreMatch[];
  /** Weight of the list in the fused score; 0 where the list only adds candidates. */
  readonly weight: number;
}

/**
 * Combines lists by their scores, each scaled to 0..1 within its own list; a chunk that a list lacks gets
 * nothing from it. Scores keep more than ranks do: fusion by reciprocal rank loses on conversations, functions and
 * abstracts, and wins on one set of documentation only.
 */
export function fuse(lists: readonly FoundList[]): Candidate[] {
  const united = new Map<string, Mutable<Candidate> & { readonly trace: StageTrace[] }>();
  for (const { stage, matches, weight } of lists) {
    const parts = stretch(matches.map((match) => match.score));
    matches.forEach((match, index) => {
      const key = chunkKey({ match });
      const entry = united.get(key) ?? { match, score: 0, trace: [] };
      entry.score += weight * (parts[index] ?? 0);
      if (stage === 'dense') entry.cosine = match.score;
      entry.trace.push({ stage, rank: index + 1, score: match.score });
      united.set(key, entry);
    });
  }
  return [...united.values()].sort(byScore).map((candidate, index) => ({
    ...candidate,
    trace: [...candidate.trace, { stage: 'fuse', rank: index + 1, score: candidate.score }],
  }));
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** Scores from 0 (the list's worst) to 1 (its best); a list of equals is all ones. */
function stretch(scores: readonly number[]): number[] {
  const lowest = scores.reduce((min, score) => Math.min(min, score), Number.POSITIVE_INFINITY);
  const range = scores.reduce((max, score) => Math.max(max, score), Number.NEGATIVE_INFINITY) - lowest;
  // The last of a list keeps a little, so that it ranks above chunks that were not found.
  return scores.map((score) => (range > 0 ? 0.02 + 0.98 * ((score - lowest) / range) : 1));
}
