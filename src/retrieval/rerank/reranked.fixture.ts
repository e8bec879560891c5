import type { QuarryError } from '../../core/errors.ts';
import type { Candidate } from '../candidate.ts';
import { blendScores } from './blend-scores.ts';
import { type OpenReranker, type RerankBounds, rerankWithin } from './rerank.ts';

/** The candidates with the scores that a reranker gave in time; the same list where it gave none. */
export async function rerankedCandidates(
  open: OpenReranker,
  query: string,
  candidates: readonly Candidate[],
  bounds: RerankBounds,
): Promise<{
  candidates: readonly Candidate[];
  warnings: readonly QuarryError[];
  isComplete: boolean;
}> {
  const { scored, ...rest } = await rerankWithin(open, query, candidates, bounds);
  return { candidates: scored ? blendScores(candidates, scored) : candidates, ...rest };
}
