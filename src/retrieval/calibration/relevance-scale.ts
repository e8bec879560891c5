import { type Candidate, chunkKey } from '../candidate.ts';
import type { AnalysedQuery } from '../query/analyse-query.ts';
import { spread } from '../thinning/spread.ts';
import { relevanceOf } from './calibrate.ts';

/** The curves were fitted on lists that were spread like this. */
const fittedPerDocument = 3;

/** The relevance of a candidate by its place among the best of the whole index. */
export type RelevanceScale = (candidate: Candidate) => number;

/** The best chunks of the whole index, in the order of their scores. */
export interface BestCandidates {
  readonly best: readonly Candidate[];
  /** The same with each text once. */
  readonly distinct: readonly Candidate[];
}

/**
 * Relevance for one query in one index. What is said of a chunk comes from the best chunks of the whole index alone, in
 * the order of their scores: filters and the number of hits wanted do not change it, and it never rises down the list. A
 * chunk that is not among the best is as relevant as the next of them below its score, or as the last.
 */
export function relevanceScale(
  query: AnalysedQuery,
  { best, distinct }: BestCandidates,
  space: string,
): RelevanceScale {
  const listed = listedForCurves(distinct);
  const said = relevanceOf(query, listed, space);
  const own = new Map(listed.map((candidate, place) => [chunkKey(candidate), said[place] ?? 0]));
  const inOrder = best.filter((candidate) => own.has(chunkKey(candidate)));
  const levels = nonIncreasing(inOrder.map((candidate) => own.get(chunkKey(candidate)) ?? 0));
  inOrder.forEach((candidate, place) => {
    own.set(chunkKey(candidate), levels[place] ?? 0);
  });
  const last = levels.at(-1) ?? 0;
  let level = last;
  // A copy is as relevant as what follows it.
  for (const candidate of best.toReversed()) {
    level = own.get(chunkKey(candidate)) ?? level;
    own.set(chunkKey(candidate), level);
  }
  return (candidate) => {
    const known = own.get(chunkKey(candidate));
    if (known !== undefined) return known;
    const below = best.find(({ score }) => score < candidate.score);
    return (below && own.get(chunkKey(below))) ?? last;
  };
}

/** The list that curves are fitted on and read by: each text once, and spread over documents. */
export function listedForCurves(distinct: readonly Candidate[]): Candidate[] {
  return spread(distinct, fittedPerDocument);
}

/** The nearest values that never rise: neighbours in the wrong order share their mean, so that the sum stays the same. */
export function nonIncreasing(values: readonly number[]): number[] {
  const blocks: { mean: number; count: number }[] = [];
  for (const value of values) {
    let block = { mean: value, count: 1 };
    for (let before = blocks.at(-1); before && before.mean < block.mean; before = blocks.at(-1)) {
      blocks.pop();
      const count = before.count + block.count;
      block = { mean: (before.mean * before.count + block.mean * block.count) / count, count };
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ mean, count }) => new Array<number>(count).fill(mean));
}
