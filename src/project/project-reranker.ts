import type { DriverContext } from '../contracts/driver.ts';
import type { Embedder } from '../contracts/embedder.ts';
import type { Reranker } from '../contracts/reranker.ts';
import { once } from '../platform/once.ts';
import type { RerankBounds } from '../retrieval/rerank/rerank.ts';
import type { RerankerSettings } from './settings/reranker-settings.ts';

/** The reranker of a project, opened when first asked for, and how far it may go. */
export interface ProjectReranker {
  /** Always the same function; gives undefined where the settings name no reranker. */
  readonly open: () => Promise<Reranker | undefined>;
  readonly bounds: Pick<RerankBounds, 'budgetMs' | 'candidates'>;
  close(): Promise<void>;
}

/** Opens nothing yet. */
export function createReranker(
  { driver, budget_ms: budgetMs, candidates, ...given }: RerankerSettings,
  context: () => Promise<DriverContext>,
  embedder: () => Promise<Embedder>,
): ProjectReranker {
  const opened = once(
    async (): Promise<Reranker | undefined> => {
      if (driver === undefined) return undefined;
      const { openReranker } = await import('./open-driver.ts');
      return openReranker(driver, given, { ...(await context()), embedder });
    },
    async (reranker) => reranker?.close(),
  );
  return {
    open: opened,
    bounds: { budgetMs, candidates },
    close: () => opened.close(),
  };
}
