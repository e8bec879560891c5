import { type Candidate, chunkKey } from '../candidate.ts';
import type { AnalysedQuery } from '../query/analyse-query.ts';
import { spread } from '../thinning/spread.ts';
import { relevanceOf } from './calibrate.ts';
import { plainEvidence } from './plain-evidence.ts';

/** The curves were fitted on lists that were spread like this. */
const fittedPerDocument = 3;

/** How relevant a candidate is. */
export interface Relevance {
  /** By its place among the best of the whole index. */
  readonly level: number;
  /** What no order lowers it below; see `plainEvidence`. */
  readonly atLeast: number;
}

/** The relevance of each candidate. */
export type RelevanceScale = (candidate: Candidate) => Relevance;

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
  const { atLeast, atMost } = plainEvidence(query, listed);
  const said = relevanceOf(query, listed, space);
  const own = new Map(
    listed.map((candidate, place) => {
      const level = Math.min(atMost[place] ?? 1, said[place] ?? 0);
      return [chunkKey(candidate), { level, atLeast: atLeast[place] ?? 0 }] as const;
    }),
  );
  const inOrder = best.filter((candidate) => own.has(chunkKey(candidate)));
  const levels = nonIncreasing(inOrder.map((candidate) => own.get(chunkKey(candidate)) ?? none));
  inOrder.forEach((candidate, place) => {
    const known = own.get(chunkKey(candidate)) ?? none;
    own.set(chunkKey(candidate), { ...known, level: levels[place] ?? 0 });
  });
  const last = { level: levels.at(-1) ?? 0, atLeast: 0 };
  let relevance: Relevance = last;
  // A copy is as relevant as what follows it.
  for (const candidate of best.toReversed()) {
    relevance = own.get(chunkKey(candidate)) ?? { ...relevance, atLeast: 0 };
    own.set(chunkKey(candidate), relevance);
  }
  return (candidate) => {
    const known = own.get(chunkKey(candidate));
    if (known !== undefined) return known;
    const below = best.find(({ score }) => score < candidate.score);
    return { level: ((below && own.get(chunkKey(below))) ?? last).level, atLeast: 0 };
  };
}

const none: Relevance = { level: 0, atLeast: 0 };

/** The list that curves are fitted on and read by: each text once, and spread over documents. */
export function listedForCurves(distinct: readonly Candidate[]): Candidate[] {
  return spread(distinct, fittedPerDocument);
}

/**
 * The nearest values that never rise: neighbours in the wrong order share their mean. What is plainly relevant keeps that,
 * and all that stands above it has as much.
 */
export function nonIncreasing(all: readonly Relevance[]): number[] {
  const blocks: { mean: number; count: number }[] = [];
  for (const { level } of all) {
    let block = { mean: level, count: 1 };
    for (let before = blocks.at(-1); before && before.mean < block.mean; before = blocks.at(-1)) {
      blocks.pop();
      const count = before.count + block.count;
      block = { mean: (before.mean * before.count + block.mean * block.count) / count, count };
    }
    blocks.push(block);
  }
  const levels = blocks.flatMap(({ mean, count }) => new Array<number>(count).fill(mean));
  let min = 0;
  for (let place = levels.length - 1; place >= 0; place -= 1) {
    min = Math.max(min, all[place]?.atLeast ?? 0, levels[place] ?? 0);
    levels[place] = min;
  }
  return levels;
}
