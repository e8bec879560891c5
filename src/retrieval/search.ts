import type { Hit } from '../core/hit.ts';
import { type OptionalStage, requireQuery } from '../core/query.ts';
import { nonIncreasing, type RelevanceScale, relevanceScale } from './calibration/relevance-scale.ts';
import { type Candidate, noteFallen } from './candidate.ts';
import { type Gathered, gather } from './gather/gather.ts';
import { type AnalysedQuery, analyseQuery } from './query/analyse-query.ts';
import { rankCandidates } from './rank-candidates.ts';
import { type Reranked, rerankWithin } from './rerank/rerank.ts';
import type { RetrievalParts, SearchRequest, SearchResult } from './search-request.ts';
import { diversify } from './thinning/diversity.ts';
import { withoutNearDuplicates } from './thinning/near-duplicates.ts';
import { spread } from './thinning/spread.ts';

/**
 * Finds the chunks that answer a query. Each station leaves what it did in the trace of a hit. The score and relevance of
 * a chunk come from what the whole index has for the query: filters and `topK` decide only what is shown of it.
 */
export async function search(parts: RetrievalParts, request: SearchRequest): Promise<SearchResult> {
  requireQuery(request.query);
  const asked = analyseQuery(request.query);
  const depth = { ...request, candidates: Math.max(request.candidates, request.topK) };
  const found = await gather(request.filter ? withoutOnDemand(parts) : parts, asked, depth);
  const whole = await gatherWhole(parts, asked, request, found);
  const { query, space, share } = whole;
  const now = (parts.now ?? Date.now)();
  const lists = { admitted: found.lists, whole: whole.lists };
  const { best, admitted } = rankCandidates(
    query,
    lists,
    isLiteral(request) ? depth : request,
    rankSteps(request),
    now,
  );
  const distinctBest = withoutNearDuplicates(best);
  const withoutCopies = () => (admitted === best ? distinctBest : withoutNearDuplicates(admitted));
  const distinct = isOn('duplicates', request) ? withoutCopies() : admitted;
  const mixed = isOn('spread', request) ? spread(distinct, request.perDocument) : distinct;
  const reranked = await rerank(parts, query.text, mixed, request);
  const varied = request.diversity ? vary(reranked.candidates, request) : reranked.candidates;
  const relevance = relevanceScale(query, { best, distinct: distinctBest }, space);
  const hits = inOrder(varied, varied === mixed ? distinct : undefined, relevance, request);
  return {
    hits,
    analysis: { kind: query.kind, route: request.route ?? 'hybrid', denseShare: share },
    isComplete: reranked.isComplete,
    warnings: [...found.warnings, ...reranked.warnings],
  };
}

/** Scores come from the search without the filter: vectors on demand are made there, and the time for them is given once. */
function withoutOnDemand({ chunkVectors: _, ...parts }: RetrievalParts): RetrievalParts {
  return parts;
}

/** What the searchers find without the filter; a search for literal text needs no comparison. */
async function gatherWhole(
  parts: RetrievalParts,
  asked: AnalysedQuery,
  { filter, ...request }: SearchRequest,
  found: Gathered,
): Promise<Gathered> {
  return filter === undefined || isLiteral(request) ? found : gather(parts, asked, request);
}

/**
 * The hits to show: the first of the chosen ones, in the order of their scores. Where a reranker or diversity has decided
 * on another order, chunks that it puts in the wrong order for their relevance share it.
 */
function inOrder(
  chosen: readonly Candidate[],
  byScore: readonly Candidate[] | undefined,
  relevance: RelevanceScale,
  { threshold, topK }: SearchRequest,
): Hit[] {
  const own = chosen.map(relevance);
  const levels = byScore ? own : nonIncreasing(own);
  const shown = chosen
    .map((candidate, place) => ({ candidate, level: levels[place] ?? 0 }))
    .filter(({ level }) => level >= threshold)
    .slice(0, topK);
  if (byScore) {
    const places = new Map(byScore.map((candidate, place) => [candidate, place]));
    const placeOf = (candidate: Candidate) => places.get(candidate) ?? 0;
    shown.sort((one, other) => placeOf(one.candidate) - placeOf(other.candidate));
  }
  return shown.map(({ candidate, level }) => hitOf(candidate, level));
}

function isLiteral({ route }: Pick<SearchRequest, 'route'>): boolean {
  return route === 'exact' || route === 'regex';
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
