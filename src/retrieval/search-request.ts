import type { IndexState, Store } from '../contracts/store.ts';
import type { QuarryError } from '../core/errors.ts';
import type { Filter } from '../core/filter.ts';
import type { Hit } from '../core/hit.ts';
import type { OptionalStage, QueryKind, Route } from '../core/query.ts';
import type { SearchChoices } from '../core/search-options.ts';
import type { OpenRoughVectors } from './gather/compare-roughly.ts';
import type { OpenTextVectors } from './gather/embed-candidates.ts';
import type { QueryEmbedders } from './gather/search-dense.ts';
import type { OpenReranker, RerankBounds } from './rerank/rerank.ts';

/** What a search works with. */
export interface RetrievalParts extends QueryEmbedders {
  readonly store: Store;
  /** The index as it stands, where the caller knows it. */
  readonly state?: IndexState;
  /** Makes vectors of the best text hits while the index has not all of its own. */
  readonly chunkVectors?: OpenTextVectors;
  /** Helps to choose for which of them it makes vectors. */
  readonly roughVectors?: OpenRoughVectors;
  /** Whether nothing but `roughVectors` compares what is meant: nobody waits for a model then. */
  readonly isRough?: boolean;
  readonly reranker?: OpenReranker;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** What is asked, and how much is wanted. */
export interface SearchRequest extends Omit<SearchChoices, 'embedder'> {
  readonly query: string;
  readonly topK: number;
  /** Chunks of the whole index that each searcher contributes; scores and relevance come from them. */
  readonly candidates: number;
  /** Most chunks of one document that are shown while there are others. */
  readonly perDocument: number;
  readonly threshold: number;
  /** Steps to leave out. */
  readonly off?: readonly OptionalStage[];
  readonly rerank?: Pick<RerankBounds, 'budgetMs' | 'candidates' | 'isByItself'> & {
    /** Whether there is nothing to rerank where vector search had no part in the answer. */
    readonly onlyWithVectors?: boolean;
  };
  /**
   * Asked once how relevant the best chunk of each document may be, best first, and before a reranker is: whether any of them
   * may be shown. Where none may, the order among them matters to nobody.
   */
  readonly isInReach?: (levels: readonly number[]) => Promise<boolean>;
  readonly filter?: Filter;
  /** What takes part at all, whatever the filter: scores and relevance come from this alone. */
  readonly among?: Filter;
  readonly signal?: AbortSignal;
}

/** How a query was understood. */
export interface QueryAnalysis {
  readonly kind: QueryKind;
  readonly route: Route;
  /** Share of vector search in the fused score. */
  readonly denseShare: number;
  /** Of a search for a literal text or an expression. */
  readonly occurrences?: Occurrences;
}

/** How often something was found as it stands. */
export interface Occurrences {
  readonly total: number;
  readonly documents: number;
  /** Whether these are all: no more than a thousand chunks, and a thousand in each, are counted. */
  readonly isComplete: boolean;
}

/** Ranked hits, and warnings about parts of the engine that could not answer. */
export interface SearchResult {
  readonly hits: readonly Hit[];
  /** The chunks that the hits stand for, one by one, best first. */
  readonly chunks: readonly Hit[];
  readonly analysis: QueryAnalysis;
  /** Whether every step finished in time, so that the same query would get the same answer. */
  readonly isComplete: boolean;
  /** Why the answer may be incomplete, with what to do about it. */
  readonly warnings: readonly QuarryError[];
}
