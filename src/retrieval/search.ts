import type { Store } from '../contracts/store.ts';
import type { QuarryError } from '../core/errors.ts';
import type { Filter } from '../core/filter.ts';
import type { Hit } from '../core/hit.ts';
import type { Fusion, OptionalStage } from '../core/query.ts';
import { type QueryKind, type Route, requireQuery } from '../core/query.ts';
import { queryTerms } from '../core/terms.ts';
import { type AnalysedQuery, analyseQuery } from './analyse-query.ts';
import { relevanceOf } from './calibration/calibrate.ts';
import { denseShare } from './dense-share.ts';
import { diversify } from './diversity.ts';
import { type Candidate, type FoundList, fuse } from './fuse.ts';
import { findPaths, findQuotes, noMatches, type QueryEmbedders, searchDense } from './gather.ts';
import { withoutNearDuplicates } from './near-duplicates.ts';
import { lookUp } from './path-mention.ts';
import { type OpenReranker, type RerankBounds, rerankWithin } from './rerank.ts';
import { rank, spread } from './rules/rank.ts';
import { withNotes } from './with-notes.ts';

/** What a search works with. */
export interface RetrievalParts extends QueryEmbedders {
  readonly store: Store;
  readonly reranker?: OpenReranker;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** What is asked, and how much is wanted. */
export interface SearchRequest {
  readonly query: string;
  readonly route?: Route;
  readonly topK: number;
  /** Passages each searcher contributes before ranking. */
  readonly candidates: number;
  /** Most passages of one document. */
  readonly perDocument: number;
  /** Passages below this relevance are left out. */
  readonly threshold: number;
  /** Share of vector search in the fused score: 0 is text only, 1 is vectors only; what suits query and embedder where absent. */
  readonly denseWeight?: number;
  readonly fusion?: Fusion;
  /** How much hits that repeat the words of better ones are put lower, 0 to 1. */
  readonly diversity?: number;
  /** Steps to leave out. */
  readonly off?: readonly OptionalStage[];
  readonly rerank?: Pick<RerankBounds, 'budgetMs' | 'candidates' | 'weight'>;
  readonly filter?: Filter;
  readonly signal?: AbortSignal;
}

/** How a query was understood. */
export interface QueryAnalysis {
  readonly kind: QueryKind;
  readonly route: Route;
  /** Share of vector search in the fused score. */
  readonly denseShare: number;
}

/** Ranked passages, and whatever kept a part of the engine out of the answer. */
export interface SearchResult {
  readonly hits: readonly Hit[];
  readonly analysis: QueryAnalysis;
  /** Whether all that was to be done was done in time: the same query would get the same answer. */
  readonly isComplete: boolean;
  /** Why the answer may be incomplete, with what to do about it. */
  readonly warnings: readonly QuarryError[];
}

/** Finds the passages that answer a query: searched, fused, ranked, with a calibrated relevance. */
export async function search(parts: RetrievalParts, request: SearchRequest): Promise<SearchResult> {
  requireQuery(request.query);
  const asked = analyseQuery(request.query);
  const isOn = (stage: OptionalStage) => !request.off?.includes(stage);
  const warnings: QuarryError[] = [];
  const { query, lists, space, share } = await gather(parts, asked, request, warnings);

  let ranked: readonly Candidate[] = rank(
    query,
    fuse(lists, request.fusion),
    { rules: isOn('rules'), coherence: isOn('coherence'), noise: isOn('noise') },
    (parts.now ?? Date.now)(),
  );
  let isComplete = true;
  if (isOn('duplicates')) ranked = withoutNearDuplicates(ranked);
  if (isOn('spread')) {
    const note = `behind others, as its file has ${request.perDocument} places before it`;
    ranked = withNotes(ranked, spread(ranked, request.perDocument), 'spread', note);
  }
  if (isOn('rerank') && parts.reranker && request.rerank) {
    const { signal } = request;
    const reranked = await rerankWithin(parts.reranker, query.text, ranked, { ...request.rerank, signal });
    ranked = reranked.candidates;
    warnings.push(...reranked.warnings);
    isComplete = reranked.isComplete;
  }
  if (request.diversity) {
    const varied = diversify(ranked, { lambda: 1 - request.diversity, limit: request.topK });
    ranked = withNotes(ranked, varied, 'diversity', 'behind others that repeat less');
  }
  const relevances = relevanceOf(query, ranked, space);
  const hits = ranked
    .map((candidate, place) => toHit(candidate, relevances[place] ?? 0))
    .filter((hit) => hit.relevance >= request.threshold)
    .slice(0, request.topK);
  const { route = 'hybrid' } = request;
  return { hits, warnings, isComplete, analysis: { kind: query.kind, route, denseShare: share } };
}

/** What the searchers found. */
interface Gathered {
  /** With the files that it names, where they were looked up. */
  readonly query: AnalysedQuery;
  readonly lists: readonly FoundList[];
  readonly space: string;
  /** Share of vector search. */
  readonly share: number;
}

async function gather(
  parts: RetrievalParts,
  query: AnalysedQuery,
  request: SearchRequest,
  warnings: QuarryError[],
): Promise<Gathered> {
  const { route = 'hybrid', filter, off = [] } = request;
  const bounds = { limit: request.candidates, ...(filter && { filter }) };
  if (route === 'exact' || route === 'regex') {
    const matches = await parts.store.searchPattern(patternOf(request.query, route), bounds);
    return { query, lists: [{ stage: route, matches, weight: 1 }], space: '', share: 0 };
  }
  const asked = { hybrid: request.denseWeight, dense: 1, text: 0 }[route];
  const context = { signal: request.signal, warnings };
  // The model works in a thread of its own: text search takes place meanwhile.
  const [dense, text] = await Promise.all([
    asked === 0 ? noMatches : searchDense(parts.store, parts, query.text, bounds, context),
    asked === 1 ? [] : parts.store.searchText(queryTerms(query.text), bounds),
  ]);
  const kind = off.includes('kinds') ? 'plain' : query.kind;
  const suited = dense.matches.length === 0 ? 0 : denseShare(kind, dense.suited);
  const share = asked ?? suited;
  const lists: FoundList[] = [
    { stage: 'dense', matches: dense.matches, weight: share },
    { stage: 'text', matches: text, weight: 1 - share },
  ];
  let { paths } = query;
  if (route === 'hybrid' && !off.includes('paths') && paths.length > 0) {
    paths = lookUp(paths, await parts.store.paths());
    lists.push({ stage: 'path', matches: await findPaths(parts.store, paths, filter), weight: 0 });
  }
  if (route === 'hybrid' && !off.includes('quotes')) {
    lists.push({
      stage: 'quote',
      matches: await findQuotes(parts.store, query.quoted, bounds),
      weight: 0,
    });
  }
  return { query: { ...query, paths }, lists, share, space: dense.space };
}

/** Who asks in quotation marks for nothing but one text means the text between them; an expression is taken as it is. */
function patternOf(written: string, route: 'exact' | 'regex') {
  if (route === 'regex') return { text: written, isRegex: true, ignoreCase: false };
  const text = written.trim();
  const [, mark = '', quoted = ''] = /^(["'`])(.+)\1$/s.exec(text) ?? [];
  const isOneText = quoted !== '' && !quoted.includes(mark);
  return { text: isOneText ? quoted : text, isRegex: false, ignoreCase: false };
}

function toHit({ match, score, trace, alsoAt }: Candidate, relevance: number): Hit {
  return {
    chunk: match.chunk,
    document: match.document,
    relevance,
    score,
    trace,
    ...(alsoAt && { alsoAt }),
  };
}
