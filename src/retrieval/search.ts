import type { Hit } from '../core/hit.ts';
import { type OptionalStage, requireQuery } from '../core/query.ts';
import { relevanceOf } from './calibration/calibrate.ts';
import { type Candidate, noteFallen } from './candidate.ts';
import { fuse } from './fuse.ts';
import { gather } from './gather/gather.ts';
import { analyseQuery } from './query/analyse-query.ts';
import { type Reranked, rerankWithin } from './rerank/rerank.ts';
import { rank } from './rules/rank.ts';
import type { RetrievalParts, SearchRequest, SearchResult } from './search-request.ts';
import { diversify } from './thinning/diversity.ts';
import { withoutNearDuplicates } from './thinning/near-duplicates.ts';
import { spread } from './thinning/spread.ts';

/** Finds the chunks that answer a query. Each station leaves what it did in the trace of a hit. */
export async function search(parts: RetrievalParts, request: SearchRequest): Promise<SearchResult> {
  requireQuery(request.query);
  const asked = analyseQuery(request.query);
  const { query, lists, space, share, warnings } = await gather(parts, asked, request);
  const fused = fuse(lists, request.fusion);
  const ranked = rank(query, fused, rankSteps(request), (parts.now ?? Date.now)());
  const distinct = isOn('duplicates', request) ? withoutNearDuplicates(ranked) : ranked;
  const mixed = isOn('spread', request) ? spreadDocuments(distinct, request) : distinct;
  const reranked = await rerank(parts, query.text, mixed, request);
  const varied = request.diversity ? vary(reranked.candidates, request) : reranked.candidates;
  const relevances = relevanceOf(query, varied, space);
  const hits = varied
    .map((candidate, place) => hitOf(candidate, relevances[place] ?? 0))
    .filter((hit) => hit.relevance >= request.threshold)
    .slice(0, request.topK);
  return {
    hits,
    analysis: { kind: query.kind, route: request.route ?? 'hybrid', denseShare: share },
    isComplete: reranked.isComplete,
    warnings: [...warnings, ...reranked.warnings],
  };
}

function isOn(stage: OptionalStage, { off = [] }: SearchRequest): boolean {
  return !off.includes(stage);
}

function rankSteps(request: SearchRequest) {
  return {
    rules: isOn('rules', request),
    coherence: isOn('coherence', request),
    noise: isOn('noise', request),
  };
}

function spreadDocuments(candidates: readonly Candidate[], { perDocument }: SearchRequest): Candidate[] {
  const note = `behind others, as its file has ${perDocument} places before it`;
  return noteFallen(candidates, spread(candidates, perDocument), 'spread', note);
}

async function rerank(
  { reranker }: RetrievalParts,
  query: string,
  candidates: readonly Candidate[],
  request: SearchRequest,
): Promise<Reranked> {
  if (!reranker || !request.rerank || !isOn('rerank', request))
    return { candidates, warnings: [], isComplete: true };
  return rerankWithin(reranker, query, candidates, { ...request.rerank, signal: request.signal });
}

function vary(candidates: readonly Candidate[], { diversity = 0, topK }: SearchRequest): Candidate[] {
  const varied = diversify(candidates, { lambda: 1 - diversity, limit: topK });
  return noteFallen(candidates, varied, 'diversity', 'behind others that repeat less');
}

function hitOf({ match, score, trace, alsoAt }: Candidate, relevance: number): Hit {
  const { chunk, document } = match;
  return { chunk, document, relevance, score, trace, ...(alsoAt && { alsoAt }) };
}
