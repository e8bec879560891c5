import type { DriverContext } from '../contracts/driver.ts';
import type { OutsideSearcher } from '../contracts/searcher.ts';
import { asQuarryError } from '../core/errors.ts';
import { once } from '../platform/once.ts';
import type { OutsideHits } from '../retrieval/outside-hits.ts';
import type { Settings } from '../settings/settings.ts';

/** What answers searches beside the index of a project. */
export interface Outside {
  search(query: string, limit: number, signal?: AbortSignal): Promise<OutsideHits>;
  close(): Promise<void>;
}

/** The other server that the settings name; undefined where they name none. Nothing is started before the first search. */
export function createOutside(
  { store: { driver, mcp } }: Settings,
  context: () => Promise<DriverContext>,
  /** Fails unless the user agreed to what would be run. */
  requireTrust: () => Promise<void>,
): Outside | undefined {
  if (driver !== 'mcp') return undefined;
  const opened = once(
    async (): Promise<OutsideSearcher> => {
      const { openSearcher } = await import('./open-driver.ts');
      const { arguments: template = {}, ...given } = mcp;
      const isGiven = Object.keys(template).length > 0;
      return openSearcher('mcp', { ...given, ...(isGiven && { arguments: template }) }, await context());
    },
    (searcher) => searcher.close(),
  );
  return {
    async search(query, limit, signal) {
      try {
        // Asked each time: an agreement that was withdrawn holds at once.
        await requireTrust();
        const searcher = await opened();
        const { outsideHit } = await import('../retrieval/outside-hits.ts');
        const matches = await searcher.search(query, { limit, signal });
        return {
          hits: matches.map((match, at) => outsideHit(searcher.name, match, at, query)),
          warnings: [],
        };
      } catch (thrown) {
        if (signal?.aborted) throw thrown;
        return { hits: [], warnings: [asQuarryError(thrown)] };
      }
    },
    close: () => opened.close(),
  };
}
