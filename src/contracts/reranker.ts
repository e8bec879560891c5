import type { Hit } from '../core/hit.ts';

/** Reorders hits by a closer look at question and text. It never adds a hit. */
export interface Reranker {
  /** Returns the given hits, reordered as far as the budget allowed; the rest keep their order behind them. */
  rerank(question: string, hits: readonly Hit[], options: RerankOptions): Promise<Hit[]>;
  close(): Promise<void>;
}

/** The bounds of one reranking. */
export interface RerankOptions {
  /** Milliseconds after which the answer is given with what has been scored. */
  readonly budgetMs: number;
  readonly signal?: AbortSignal;
}
