import type { QuarryError } from '../../core/errors.ts';
import type { QueryKind } from '../../core/query.ts';
import { queryTerms } from '../../core/text/terms.ts';
import { holdingsOf } from '../../index/holdings.ts';
import type { FoundList } from '../fuse.ts';
import { type AnalysedQuery, mayBeName } from '../query/analyse-query.ts';
import { lookUp } from '../query/path-mention.ts';
import type { RetrievalParts, SearchRequest } from '../search-request.ts';
import { compareCandidates } from './embed-candidates.ts';
import { findDefined, findDefinitions } from './find-definitions.ts';
import { findPaths, findPattern, findQuotes } from './find-named.ts';
import { likelyHits } from './likely-hits.ts';
import { noMatches, searchDense } from './search-dense.ts';
import { searchRoughly } from './search-roughly.ts';

/** What the searchers found. */
export interface Gathered {
  /** With the files that it names, where they were looked up. */
  readonly query: AnalysedQuery;
  readonly lists: readonly FoundList[];
  /** The space that vector search asked; empty where it found nothing. */
  readonly space: string;
  /** Share of vector search in the fused score. */
  readonly share: number;
  /** Why vector or pattern search is incomplete. */
  readonly warnings: readonly QuarryError[];
}

/** Asks every searcher that the route names, and looks up the files and quotes that the query names. */
export async function gather(
  parts: RetrievalParts,
  query: AnalysedQuery,
  request: SearchRequest,
): Promise<Gathered> {
  const { route = 'hybrid', off = [] } = request;
  const filter = request.among ? { ...request.among, ...request.filter } : request.filter;
  const { store } = parts;
  const bounds = { limit: request.candidates, ...(filter && { filter }) };
  const warnings: QuarryError[] = [];
  if (route === 'exact' || route === 'regex') {
    const matches = await findPattern(store, patternOf(request.query, route), bounds, warnings);
    return { query, lists: [{ stage: route, matches, weight: 1 }], space: '', share: 0, warnings };
  }
  const asked = { hybrid: request.denseWeight, dense: 1, text: 0 }[route];
  const { chunkVectors } = parts;
  // A caller that names its share of vectors gets it, however few there are.
  const isEnough = (covered: number) => asked !== undefined || covered >= enoughCovered;
  const minCovered = isEnough(0) || chunkVectors ? 0 : enoughCovered;
  const { signal } = request;
  // The models work in threads of their own, so all of it runs side by side.
  const searched = asked === 1 ? [] : store.searchText(queryTerms(query.text), bounds);
  const { roughVectors } = parts;
  const likely = async () =>
    roughVectors && asked !== 1 ? likelyHits(store, roughVectors, query.text, bounds) : searched;
  const candidates = compareCandidates(store, chunkVectors, likely, signal);
  const { state } = parts;
  const context = { signal, warnings, minCovered, onMissing: candidates.begin, state };
  const rough =
    parts.isRough && roughVectors && asked !== 0
      ? await searchRoughly(store, roughVectors, query.text, bounds, warnings)
      : undefined;
  const unasked = asked === 0 || parts.isRough;
  const nearest = unasked ? noMatches : searchDense(store, parts, query.text, bounds, context);
  const [completed, text] = await Promise.all([rough?.dense ?? candidates.complete(nearest), searched]);
  const dense = isEnough(completed.covered) ? completed : noMatches;
  const kind = off.includes('kinds') ? 'plain' : query.kind;
  const share = asked ?? (dense.matches.length === 0 ? 0 : dense.covered * denseShare(kind, dense.suited));
  const lists: FoundList[] = [
    { stage: 'dense', matches: dense.matches, weight: rough ? share / 2 : share },
    { stage: 'text', matches: text, weight: 1 - share },
    ...(rough ? [{ stage: 'document', matches: rough.documents, weight: share / 2 }] : []),
  ];
  let { paths, defined } = query;
  if (route === 'hybrid' && !off.includes('paths') && paths.length > 0) {
    paths = lookUp(paths, (await holdingsOf(store, state)).paths);
    // A file that is there is meant by its name: `store.ts` is no `ts` of a `store`.
    if (paths.some(({ uris }) => uris?.size)) defined = '';
    lists.push({ stage: 'path', matches: await findPaths(store, paths, filter), weight: 0 });
  }
  if (route === 'hybrid' && !off.includes('rules') && mayBeName(query.kind)) {
    const matches = await findDefinitions(store, query.names, [...text, ...dense.matches], filter);
    lists.push({ stage: 'definition', matches, weight: 0 });
  }
  if (route === 'hybrid' && !off.includes('rules') && defined !== '') {
    const matches = await findDefined(
      store,
      defined,
      lists.flatMap((list) => list.matches),
      filter,
    );
    lists.push({ stage: 'definition', matches, weight: 0 });
  }
  if (route === 'hybrid' && !off.includes('quotes')) {
    const matches = await findQuotes(store, query.quoted, bounds, warnings);
    lists.push({ stage: 'quote', matches, weight: 0 });
  }
  return { query: { ...query, paths, defined }, lists, share, space: dense.space, warnings };
}

/** While fewer of the chunks have a vector, text search answers alone; from there on vectors count by their number. */
const enoughCovered = 0.5;

/**
 * Share of vector search in the fused score by the kind of the query, for an embedder that is worth as much as text
 * search. Names are found by their letters: on queries about people in conversations 0.4 beats 0.5 by .017 nDCG, and
 * identifiers in repositories do best from 0.2 to 0.3, alone and within a sentence. For plain queries no value is better on all kinds of
 * text: functions want more, prose and repositories less.
 */
const denseShares: Readonly<Record<QueryKind, number>> = {
  symbol: 0.3,
  word: 0.3,
  path: 0.3,
  code: 0.3,
  error: 0.4,
  named: 0.4,
  plain: 0.5,
};

/** The share that suits a query and an embedder; `suited` is what the embedder asks for with plain queries. */
export function denseShare(kind: QueryKind, suited: number = denseShares.plain): number {
  return Math.min(1, (denseShares[kind] * suited) / denseShares.plain);
}

/** A query that is one text in quotation marks means the text between them; a regular expression is used unchanged. */
export function patternOf(written: string, route: 'exact' | 'regex') {
  if (route === 'regex') return { text: written, isRegex: true, ignoreCase: false };
  const text = written.trim();
  const [, mark = '', quoted = ''] = /^(["'`])(.+)\1$/s.exec(text) ?? [];
  const isOneText = quoted !== '' && !quoted.includes(mark);
  return { text: isOneText ? quoted : text, isRegex: false, ignoreCase: false };
}
