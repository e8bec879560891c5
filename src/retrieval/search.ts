import type { Hit } from '../core/hit.ts';
import { type OptionalStage, requireQuery } from '../core/query.ts';
import { nonIncreasing, type RelevanceScale, relevanceScale } from './calibration/relevance-scale.ts';
import { type Candidate, chunkKey } from './candidate.ts';
import { withFocus } from './focus.ts';
import { type Gathered, gather, patternOf } from './gather/gather.ts';
import { occurrencesIn } from './occurrences.ts';
import { type AnalysedQuery, analyseQuery } from './query/analyse-query.ts';
import { type RankedCandidates, rankCandidates } from './rank-candidates.ts';
import type { RerankerScores } from './rerank/blend-scores.ts';
import { type Reranked, rerankWithin } from './rerank/rerank.ts';
import type { RuleNotes } from './rules/rank.ts';
import type { RetrievalParts, SearchRequest, SearchResult } from './search-request.ts';
import { byDocument, chunksOf } from './thinning/by-document.ts';
import { withoutNearDuplicates } from './thinning/near-duplicates.ts';
import { spread } from './thinning/spread.ts';

/** Chunks with a literal text or an expression that are looked at, so that one long log does not hide the rest. */
const maxHolders = 1000;

/**
 * Finds the chunks that answer a query. Each station leaves what it did in the trace of a hit. The score and relevance of
 * a chunk come from what the whole index has for the query: filters and `topK` decide only what is shown of it.
 */
export async function search(parts: RetrievalParts, request: SearchRequest): Promise<SearchResult> {
  requireQuery(request.query);
  const asked = analyseQuery(request.query);
  const isAsItStands = isLiteral(request);
  const depth = {
    ...request,
    candidates: Math.max(isAsItStands ? maxHolders : request.candidates, request.topK),
  };
  const found = await gather(request.filter ? withoutOnDemand(parts) : parts, asked, depth);
  const whole = await gatherWhole(parts, asked, request, found);
  const { query, space, share } = whole;
  const now = (parts.now ?? Date.now)();
  const lists = { admitted: found.lists, whole: whole.lists };
  const known: RuleNotes = new WeakMap();
  const order = (scored?: RerankerScores): Ordered => {
    const bounds = isAsItStands ? depth : request;
    const ranked = rankCandidates(query, lists, bounds, rankSteps(request), now, scored, known);
    const distinct = isOn('duplicates', request) ? withoutNearDuplicates(ranked.admitted) : ranked.admitted;
    const mixed = isOn('spread', request) ? spread(distinct, request.perDocument) : distinct;
    return { ...ranked, distinct, mixed };
  };
  const first = order();
  const relevance = relevanceIn(query, first, space, request);
  const isInReach =
    (await request.isInReach?.(levelsOf(first.mixed, relevance).slice(0, request.topK))) ?? true;
  const reranked = isInReach ? await rerank(parts, whole, first.mixed, request) : unranked;
  const { distinct, mixed } = reranked.scored ? order(reranked.scored) : first;
  const isReordered = reranked.scored !== undefined;
  const isGrouped = request.byDocument === true && isOn('spread', request);
  const max = isGrouped ? mixed.length : request.topK;
  const shown = { threshold: request.threshold, max, isReordered };
  const ranked = inOrder(mixed, distinct, relevance, shown);
  const matches = found.lists.flatMap((list) => list.matches);
  const isWhole = parts.store.searchPattern !== undefined && matches.length < depth.candidates;
  const pattern =
    request.route === 'exact' || request.route === 'regex'
      ? patternOf(request.query, request.route)
      : undefined;
  const counts = pattern && occurrencesIn(matches, pattern, isWhole);
  const listed = isGrouped ? byDocument(ranked, request) : ranked;
  const literal = pattern?.isRegex === false ? pattern.text : undefined;
  const hits = withFocus(counts ? counts.on(listed) : listed, query, literal);
  return {
    hits,
    chunks: isGrouped ? chunksOf(hits, ranked) : hits,
    analysis: {
      kind: query.kind,
      route: request.route ?? 'hybrid',
      denseShare: share,
      ...(counts && { occurrences: counts.all }),
    },
    isComplete: reranked.isComplete,
    warnings: [...found.warnings, ...reranked.warnings],
  };
}

/** Candidates in their order. */
interface Ordered extends RankedCandidates {
  /** What the filter admits, each text once. */
  readonly distinct: readonly Candidate[];
  /** The same, spread over documents. */
  readonly mixed: readonly Candidate[];
}

/** Relevance does not depend on what a reranker says, which has no scale that could be compared between queries. */
function relevanceIn(
  query: AnalysedQuery,
  { best, admitted, distinct }: Ordered,
  space: string,
  request: SearchRequest,
): RelevanceScale {
  const isSame = admitted === best && isOn('duplicates', request);
  const listed = { best, distinct: isSame ? distinct : withoutNearDuplicates(best) };
  const relevance = relevanceScale(query, listed, space);
  const before = new Map(admitted.map((candidate) => [chunkKey(candidate), candidate]));
  return (candidate) => relevance(before.get(chunkKey(candidate)) ?? candidate);
}

/** Nothing was reranked that could be: the same query may get a better answer. */
const unranked: Reranked = { warnings: [], isComplete: false };

/** What the best chunk of each document may count at most, whatever its order comes to. */
function levelsOf(candidates: readonly Candidate[], relevance: RelevanceScale): number[] {
  const best = new Map<string, number>();
  for (const candidate of candidates) {
    const { level, atLeast } = relevance(candidate);
    const { id } = candidate.match.document;
    best.set(id, Math.max(level, atLeast, best.get(id) ?? 0));
  }
  return [...best.values()].sort((one, other) => other - one);
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
 * The hits to show: the first of the chosen ones, in the given order. Where a reranker has decided on another
 * order than that of the scores, chunks that it puts in the wrong order for their relevance share it.
 */
function inOrder(
  chosen: readonly Candidate[],
  order: readonly Candidate[],
  relevance: RelevanceScale,
  {
    threshold,
    max,
    isReordered,
  }: { readonly threshold: number; readonly max: number; readonly isReordered: boolean },
): Hit[] {
  const own = order.map(relevance);
  const levels = isReordered ? nonIncreasing(own) : own.map(({ level }) => level);
  const places = new Map(order.map((candidate, place) => [candidate, place]));
  const placeOf = (candidate: Candidate) => places.get(candidate) ?? 0;
  return chosen
    .map((candidate) => ({ candidate, level: levels[placeOf(candidate)] ?? 0 }))
    .filter(({ level }) => level >= threshold)
    .slice(0, max)
    .sort((one, other) => placeOf(one.candidate) - placeOf(other.candidate))
    .map(({ candidate, level }) => hitOf(candidate, level));
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
  { query, space }: Gathered,
  candidates: readonly Candidate[],
  request: SearchRequest,
): Promise<Reranked> {
  const isNone = !reranker || !request.rerank || (request.rerank.onlyWithVectors && space === '');
  if (isNone || !isOn('rerank', request)) return { warnings: [], isComplete: true };
  return rerankWithin(reranker, query.text, candidates, { ...request.rerank, signal: request.signal });
}

function hitOf({ match, score, trace, alsoAt }: Candidate, relevance: number): Hit {
  const { chunk, document } = match;
  return { chunk, document, relevance, score, trace, ...(alsoAt && { alsoAt }) };
}
