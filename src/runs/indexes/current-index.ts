import type { Freshness } from '../../calls/project.ts';
import type { Store } from '../../contracts/store.ts';
import { asQuarryError, QuarryError } from '../../core/errors.ts';
import { isForeign, type ProjectIndex } from './project-index.ts';

/** Writes of one call into an index that another process replaces each time. */
const maxSwitches = 10;

/** The index that answers at this moment, whichever that is. */
export interface CurrentIndex {
  /** Writes into it; once more as often as another one took its place meanwhile. */
  inCurrent<Result>(write: (store: Store) => Promise<Result>): Promise<Result>;
  /** Where a row shows that somebody else wrote it, the index is set aside, and the work is done again with a new one. */
  believed<Result>(work: (rebuilt?: Freshness) => Promise<Result>, vectors?: boolean): Promise<Result>;
}

/** What it takes to stay with the index that answers. */
export interface CurrentIndexParts {
  readonly folder: string;
  readonly index: Pick<ProjectIndex, 'store' | 'distrust'>;
  /** Sees to it that the project and its state folder are there. */
  readonly prepareToWrite: () => Promise<void>;
  /** Fills a new index, which is empty, before it is asked. */
  readonly rebuild: (options: { readonly vectors: boolean }) => Promise<Freshness>;
}

/** Nothing is opened yet. */
export function createCurrentIndex(parts: CurrentIndexParts): CurrentIndex {
  const { folder, index, prepareToWrite, rebuild } = parts;
  return {
    async inCurrent(write) {
      for (let attempt = 1; attempt <= maxSwitches; attempt += 1) {
        const current = await index.store();
        const [outcome] = await Promise.allSettled([write(current)]);
        await prepareToWrite();
        if ((await index.store()) !== current) continue;
        if (outcome.status === 'rejected') throw outcome.reason;
        return outcome.value;
      }
      throw new QuarryError(
        'store-busy',
        `The index of ${folder} was replaced ${maxSwitches} times while this call tried to write it.`,
        'Find out what replaces it, then try again.',
      );
    },
    async believed(work, vectors = false) {
      try {
        return await work();
      } catch (thrown) {
        if (!isForeign(thrown)) throw thrown;
        await index.distrust(asQuarryError(thrown));
        // Also for a caller that wanted no update.
        return work(await rebuild({ vectors }));
      }
    },
  };
}
