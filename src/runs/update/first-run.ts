/** The fact that all text was in sync once: from then on a run reads little. */
export const syncedFact = 'synced-at';

/** Milliseconds that a question waits for the first run to read something, once some of it is there, and in any case. */
export const patience = { some: 1500, max: 10_000 };

/** Milliseconds between two looks whether another run has let go of the index. */
export const lookEvery = 40;
