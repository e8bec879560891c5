import type { StoreMatch } from '../contracts/store.ts';
import type { StageTrace } from '../core/hit.ts';

/** A candidate on its way through the stages. */
export interface Candidate {
  readonly match: StoreMatch;
  readonly score: number;
  /** Cosine from vector search, where it found the chunk. */
  readonly cosine?: number;
  readonly trace: readonly StageTrace[];
}

/**
 * Unites both lists by their scores, each stretched to 0..1 within its own list; a chunk that one list lacks gets
 * nothing from it. Scores keep more than ranks do: on mixed collections this beats reciprocal rank.
 */
export function fuse(
  dense: readonly StoreMatch[],
  text: readonly StoreMatch[],
  denseWeight: number,
): Candidate[] {
  const united = new Map<
    string,
    { match: StoreMatch; score: number; cosine?: number; trace: StageTrace[] }
  >();
  const add = (stage: 'dense' | 'text', matches: readonly StoreMatch[], weight: number): void => {
    const stretched = stretch(matches.map((match) => match.score));
    matches.forEach((match, index) => {
      const key = `${match.chunk.documentId} ${match.chunk.id}`;
      const entry = united.get(key) ?? { match, score: 0, trace: [] };
      entry.score += weight * (stretched[index] ?? 0);
      if (stage === 'dense') entry.cosine = match.score;
      entry.trace.push({ stage, rank: index + 1, score: match.score });
      united.set(key, entry);
    });
  };
  add('dense', dense, denseWeight);
  add('text', text, 1 - denseWeight);
  return [...united.values()].sort(byScore);
}

/** Best first; equal scores keep a stable, repeatable order by path and position. */
export function byScore(a: Candidate, b: Candidate): number {
  return (
    b.score - a.score ||
    compare(a.match.document.uri, b.match.document.uri) ||
    a.match.chunk.ordinal - b.match.chunk.ordinal
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Scores from 0 (the list's worst) to 1 (its best); a list of equals is all ones. */
function stretch(scores: readonly number[]): number[] {
  const lowest = Math.min(...scores);
  const range = Math.max(...scores) - lowest;
  // The worst of a list is still a find: it keeps a little, so that it stands above what was not found at all.
  return scores.map((score) => (range > 0 ? 0.02 + 0.98 * ((score - lowest) / range) : 1));
}
