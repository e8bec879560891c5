import type { DriverContext } from '../contracts/driver.ts';
import type { Reranker } from '../contracts/reranker.ts';
import { once } from '../platform/once.ts';
import { rerankerInUse } from '../settings/reranker-in-use.ts';
import type { Settings } from '../settings/settings.ts';
import type { ProjectEmbedders } from './embedders/project-embedders.ts';

/** The reranker of a project, opened when first asked for. */
export interface ProjectReranker {
  /** Always the same function; gives undefined where the project uses none. */
  readonly open: () => Promise<Reranker | undefined>;
  close(): Promise<void>;
}

/** Opens nothing yet. */
export function createReranker(
  settings: Settings,
  context: () => Promise<DriverContext>,
  embedders: Pick<ProjectEmbedders, 'forQueries' | 'sketches'>,
): ProjectReranker {
  const opened = once(
    async (): Promise<Reranker | undefined> => {
      const inUse = rerankerInUse(settings);
      if (!inUse) return undefined;
      const { driver: _, budget_ms, ...given } = settings.reranker;
      const { openReranker } = await import('./open-driver.ts');
      return openReranker(inUse.driver, given, {
        ...(await context()),
        embedder: () => embedders.forQueries(),
        // Who named the reranker waits for what is missing; otherwise it is made after the answer.
        sketches: () => embedders.sketches({ wait: settings.reranker.driver !== 'auto' }),
      });
    },
    async (reranker) => reranker?.close(),
  );
  return { open: opened, close: () => opened.close() };
}
