import { bundledModel, isBundled } from '../models/catalogue.ts';
import type { Settings } from './settings.ts';

/** The reranker that a project uses and how far it may go. */
export interface RerankerInUse {
  readonly driver: string;
  readonly budgetMs: number;
  readonly candidates: number;
}

/** Milliseconds that a query waits: what `maxsim` needs is made with the index, so that it only makes up for gaps. */
const budgets = { maxsim: 120, others: 500 };

/** How many of the best chunks it looks at: more cost time and found no more (docs/decisions/0015-reranking.md). */
const candidates = 20;

/**
 * The reranker in use: the one that is named; by itself `maxsim` with the bundled models, for which it was measured, where
 * the shared cache keeps what it needs. Undefined where there is none.
 */
export function rerankerInUse({ reranker, embedder, cache }: Settings): RerankerInUse | undefined {
  const { driver: maker, model = bundledModel.name } = embedder;
  const byItself = maker === 'local' && isBundled(model) && cache.max_bytes > 0 ? 'maxsim' : 'none';
  const driver = reranker.driver === 'auto' ? byItself : reranker.driver;
  if (driver === 'none') return undefined;
  const budgetMs = reranker.budget_ms ?? (driver === 'maxsim' ? budgets.maxsim : budgets.others);
  return { driver, budgetMs, candidates };
}

/** Whether sketches are made with vectors: only the reranker `maxsim` reads them. */
export function usesSketches(settings: Settings): boolean {
  return rerankerInUse(settings)?.driver === 'maxsim';
}
