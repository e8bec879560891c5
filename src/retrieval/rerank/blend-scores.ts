import { byScore, type Candidate, chunkKey } from '../candidate.ts';

/** What a reranker says of some of the candidates. */
export interface RerankerScores {
  /** By the key of the chunk; only their order and distances mean something. */
  readonly scores: ReadonlyMap<string, number>;
  /** The same, with those of further candidates, which decide only what stands for a document. */
  readonly further?: ReadonlyMap<string, number>;
  /** Their share in the new scores, from 0 to 1. */
  readonly weight: number;
}

/** Candidates that the search finds equally good are told apart by this much. */
const minRange = 0.02;

/**
 * Moves the score of every candidate that the reranker has scored towards what it says, on the scale that the scores of
 * these candidates have; all others keep theirs. So what was not looked at in time is neither raised nor lowered, and a
 * higher score of the reranker never lowers a candidate. Each scored one gets a trace entry of the stage `rerank`.
 */
export function blendScores(
  candidates: readonly Candidate[],
  { scores, weight }: RerankerScores,
): Candidate[] {
  const scored = candidates.flatMap((candidate) => {
    const given = scores.get(chunkKey(candidate));
    return given === undefined ? [] : [{ candidate, given }];
  });
  if (scored.length === 0) return [...candidates];
  const own = scored.map(({ candidate }) => candidate.score);
  const highest = Math.max(...own);
  const lowest = Math.min(...own, highest - minRange);
  const shares = sharesOf(scored.map(({ given }) => given));
  const ranks = new Map(
    scored
      .toSorted((one, other) => other.given - one.given)
      .map(({ candidate }, place) => [candidate, place + 1]),
  );
  const blended = new Map(
    scored.map(({ candidate, given }, place) => {
      const share = shares[place];
      // Who gives all the same score has said nothing.
      const said = share === undefined ? candidate.score : lowest + (highest - lowest) * share;
      const score = weight * said + (1 - weight) * candidate.score;
      const entry = { stage: 'rerank', rank: ranks.get(candidate) ?? 0, score: given };
      return [candidate, { ...candidate, score, trace: [...candidate.trace, entry] }] as const;
    }),
  );
  return candidates.map((candidate) => blended.get(candidate) ?? candidate).sort(byScore);
}

/** Where each value lies between the lowest and the highest, from 0 to 1; none where all are equal. */
function sharesOf(values: readonly number[]): number[] {
  // A quarter, because the difference of two extreme values may exceed the largest number.
  const lowest = Math.min(...values) / 4;
  const width = Math.max(...values) / 4 - lowest;
  return width > 0 ? values.map((value) => (value / 4 - lowest) / width) : [];
}
