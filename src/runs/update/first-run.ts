import type { IndexState } from '../../contracts/store.ts';

/** The fact that all text was in sync once: from then on a run reads little. */
export const syncedFact = 'synced-at';

/** The fact that a question was answered before all files were read. */
export const lookedFact = 'first-look';

/** Whether all that the index has comes from looks for single questions. */
export function isOnlyLookedAt({ facts }: Pick<IndexState, 'facts'>): boolean {
  return facts.has(lookedFact) && !facts.has(syncedFact);
}

/** Milliseconds that a question waits for the first run to read something, once some of it is there, and in any case. */
export const patience = { some: 1500, max: 10_000 };

/** Milliseconds between two looks whether another run has let go of the index. */
export const lookEvery = 40;
