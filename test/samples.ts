/** Which part of its samples a run tries: another one each time, or that which `TEST_TURN` names, to repeat a run. */
export const turn = Number(process.env.TEST_TURN ?? 0);

/**
 * Of many cases of one promise every `share`-th, others in each run, and at least one; in CI all. `from` sets lists apart
 * that are tried side by side, so that they do not leave out the same.
 */
export function sample<Item>(share: number, items: readonly Item[], from = 0): Item[] {
  return items.filter((_, at) => isInSample(Math.min(share, items.length), at + from));
}

/** The same for cases that come one by one. */
export function isInSample(share: number, at: number): boolean {
  return process.env.CI !== undefined || (at + turn) % share === 0;
}
