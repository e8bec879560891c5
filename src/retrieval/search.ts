import type { Store, StoreMatch } from '../contracts/store.ts';
import type { QuarryError } from '../core/errors.ts';
import type { Filter } from '../core/filter.ts';
import type { Hit } from '../core/hit.ts';
import { type QuestionKind, type Route, requireQuestion } from '../core/question.ts';
import { queryTerms } from '../core/terms.ts';
import { calibrate } from './calibrate.ts';
import { diversify } from './diversity.ts';
import { type Candidate, type FoundList, type Fusion, fuse } from './fuse.ts';
import { findPaths, noMatches, type QuestionEmbedders, searchDense } from './gather.ts';
import { withoutNearDuplicates } from './near-duplicates.ts';
import { type Question, readQuestion } from './question.ts';
import { type OpenReranker, type RerankBounds, rerankWithin } from './rerank.ts';
import { rank, spread } from './rules/rank.ts';
import { denseShare, type OptionalStage } from './stages.ts';

/** What a search works with. */
export interface RetrievalParts extends QuestionEmbedders {
  readonly store: Store;
  readonly reranker?: OpenReranker;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** What is asked, and how much is wanted. */
export interface SearchRequest {
  readonly question: string;
  readonly route?: Route;
  readonly topK: number;
  /** Passages each searcher contributes before ranking. */
  readonly candidates: number;
  /** Most passages of one document. */
  readonly perDocument: number;
  /** Passages below this relevance are left out. */
  readonly threshold: number;
  /** Share of vector search in the fused score: 0 is text only, 1 is vectors only; what suits question and embedder where absent. */
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

/** How a question was understood. */
export interface QuestionReading {
  readonly kind: QuestionKind;
  readonly route: Route;
  /** Share of vector search in the fused score. */
  readonly denseShare: number;
}

/** Ranked passages, and whatever kept a part of the engine out of the answer. */
export interface SearchResult {
  readonly hits: readonly Hit[];
  readonly reading: QuestionReading;
  /** Whether all that was to be done was done in time: the same question would get the same answer. */
  readonly isComplete: boolean;
  /** Why the answer may be incomplete, with what to do about it. */
  readonly warnings: readonly QuarryError[];
}

/** Finds the passages that answer a question: searched, fused, ranked, with a calibrated relevance. */
export async function search(parts: RetrievalParts, request: SearchRequest): Promise<SearchResult> {
  requireQuestion(request.question);
  const question = readQuestion(request.question);
  const isOn = (stage: OptionalStage) => !request.off?.includes(stage);
  const warnings: QuarryError[] = [];
  const { lists, space, floor, share } = await gather(parts, question, request, warnings);

  let ranked: readonly Candidate[] = rank(
    question,
    fuse(lists, request.fusion),
    { rules: isOn('rules'), coherence: isOn('coherence'), noise: isOn('noise') },
    (parts.now ?? Date.now)(),
  );
  let isComplete = true;
  if (isOn('duplicates')) ranked = withoutNearDuplicates(ranked);
  if (isOn('spread')) ranked = spread(ranked, request.perDocument);
  if (isOn('rerank') && parts.reranker && request.rerank) {
    const { signal } = request;
    const reranked = await rerankWithin(parts.reranker, question.text, ranked, { ...request.rerank, signal });
    ranked = reranked.candidates;
    warnings.push(...reranked.warnings);
    isComplete = reranked.isComplete;
  }
  if (request.diversity) {
    ranked = diversify(ranked, { lambda: 1 - request.diversity, limit: request.topK });
  }
  const relevanceOf = calibrate(space);
  const hits = ranked
    .map((candidate) => toHit(candidate, relevanceOf(candidate, floor)))
    .filter((hit) => hit.relevance >= request.threshold)
    .slice(0, request.topK);
  const { route = 'hybrid' } = request;
  return { hits, warnings, isComplete, reading: { kind: question.kind, route, denseShare: share } };
}

/** What the searchers found. */
interface Gathered {
  readonly lists: readonly FoundList[];
  readonly space: string;
  /** The cosine to assume for a passage that vector search did not bring up. */
  readonly floor: number;
  /** Share of vector search. */
  readonly share: number;
}

async function gather(
  parts: RetrievalParts,
  question: Question,
  request: SearchRequest,
  warnings: QuarryError[],
): Promise<Gathered> {
  const { route = 'hybrid', filter, off = [] } = request;
  const bounds = { limit: request.candidates, ...(filter && { filter }) };
  if (route === 'exact' || route === 'regex') {
    const matches = await parts.store.searchPattern(patternOf(question.text, route), bounds);
    return { lists: [{ stage: route, matches, weight: 1 }], space: '', floor: 0, share: 0 };
  }
  const asked = { hybrid: request.denseWeight, dense: 1, text: 0 }[route];
  const context = { signal: request.signal, warnings };
  // The model works in a thread of its own: text search takes place meanwhile.
  const [dense, text] = await Promise.all([
    asked === 0 ? noMatches : searchDense(parts.store, parts, question.text, bounds, context),
    asked === 1 ? [] : parts.store.searchText(queryTerms(question.text), bounds),
  ]);
  const kind = off.includes('kinds') ? 'plain' : question.kind;
  const suited = dense.matches.length === 0 ? 0 : denseShare(kind, dense.suited);
  const share = asked ?? suited;
  const lists: FoundList[] = [
    { stage: 'dense', matches: dense.matches, weight: share },
    { stage: 'text', matches: text, weight: 1 - share },
  ];
  if (route === 'hybrid' && !off.includes('paths')) {
    lists.push({ stage: 'path', matches: await findPaths(parts.store, question.paths, filter), weight: 0 });
  }
  if (route === 'hybrid' && !off.includes('quotes')) {
    lists.push({ stage: 'quote', matches: await findQuotes(parts.store, question, bounds), weight: 0 });
  }
  const isAll = dense.matches.length < request.candidates;
  return { lists, share, space: dense.space, floor: isAll ? 0 : (dense.matches.at(-1)?.score ?? 0) };
}

/** Who asks in quotation marks for nothing but one text means the text between them. */
function patternOf(text: string, route: 'exact' | 'regex') {
  const [, , quoted] = /^(["'`])(.+)\1$/s.exec(text) ?? [];
  return { text: route === 'exact' ? (quoted ?? text) : text, isRegex: route === 'regex', ignoreCase: false };
}

async function findQuotes(
  store: Store,
  { quoted }: Question,
  bounds: { limit: number; filter?: Filter },
): Promise<StoreMatch[]> {
  const found = await Promise.all(
    quoted.map((text) => store.searchPattern({ text, isRegex: false, ignoreCase: false }, bounds)),
  );
  return found.flat();
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
