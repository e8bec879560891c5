import type { SourceWatch } from '../contracts/source.ts';
import type { PassReason } from '../core/events.ts';
import type { PendingChanges } from './pending-changes.ts';

/** How long a watch waits for what, in milliseconds where nothing else is said. */
export interface WatchTiming {
  /** A pass starts when nothing has changed for so long … */
  readonly quiet: number;
  /** … or when changes have gone on for so long without a pause. */
  readonly longest: number;
  /** The longest wait for a tool that is in the midst of changing many files. */
  readonly longestBusy: number;
  /** Between two looks at what no event tells. */
  readonly poll: number;
  /** Before a failed pass is tried again; doubled with each failure up to `longestRetry`. */
  readonly retry: number;
  readonly longestRetry: number;
  /** The longest time between two scans of everything where not all folders can be watched. */
  readonly degradedInterval: number;
  /** A scan of everything rests so many times as long as it took, so that an idle watch stays below 1 % of a core. */
  readonly restPerScan: number;
}

/** What suits people who edit files. */
export const usualTiming: WatchTiming = {
  quiet: 300,
  longest: 5_000,
  longestBusy: 60_000,
  poll: 2_000,
  retry: 5_000,
  longestRetry: 300_000,
  degradedInterval: 60_000,
  restPerScan: 150,
};

/** Between two looks at whether a tool is still busy. */
const busyLook = 50;

/** Resolves when the changes that were noticed seem complete, or have gone on for too long to wait for more. */
export async function settle(
  pending: PendingChanges,
  source: Pick<SourceWatch, 'isBusy'> | undefined,
  timing: WatchTiming,
  signal?: AbortSignal,
): Promise<void> {
  const began = performance.now();
  let calmSince = began;
  while (!signal?.aborted) {
    const now = performance.now();
    if (now - began < timing.longestBusy && (await source?.isBusy())) {
      await pending.wait(busyLook, signal);
      calmSince = performance.now();
      continue;
    }
    const quietFor = now - Math.max(pending.lastAt, calmSince);
    if (quietFor >= timing.quiet || now - calmSince >= timing.longest) return;
    await pending.wait(timing.quiet - quietFor, signal);
  }
}

/** Knows when a pass is due though nothing was noticed. */
export class PassSchedule {
  readonly #timing: WatchTiming;
  #scanAt = Number.POSITIVE_INFINITY;
  #retryAt = Number.POSITIVE_INFINITY;
  #failures = 0;

  constructor(timing: WatchTiming) {
    this.#timing = timing;
  }

  /** Why a pass is due now, if one is. */
  due(): PassReason | undefined {
    const now = performance.now();
    if (now >= this.#retryAt) return 'retry';
    return now >= this.#scanAt ? 'interval' : undefined;
  }

  /** Milliseconds until it is worth looking again. */
  get pause(): number {
    const next = Math.min(this.#scanAt, this.#retryAt) - performance.now();
    return Math.max(1, Math.min(this.#timing.poll, next));
  }

  /** Notes a pass that came to its end; `isComplete` says whether nothing is left to try again. */
  ended(isComplete: boolean): void {
    if (isComplete) this.#failures = 0;
    this.#retryAt = isComplete ? Number.POSITIVE_INFINITY : performance.now() + this.#backOff();
  }

  /** Notes a pass that failed and returns the milliseconds until the next try. */
  failed(): number {
    const wait = this.#backOff();
    this.#retryAt = performance.now() + wait;
    // A scan that was due is part of what is tried again.
    this.#scanAt = Math.max(this.#scanAt, this.#retryAt);
    return wait;
  }

  /** Plans the next scan of everything; an interval of 0 means none. */
  scanned(intervalSeconds: number, tookMilliseconds: number): void {
    const wait = Math.max(intervalSeconds * 1000, tookMilliseconds * this.#timing.restPerScan);
    this.#scanAt = intervalSeconds === 0 ? Number.POSITIVE_INFINITY : performance.now() + wait;
  }

  #backOff(): number {
    const wait = Math.min(this.#timing.longestRetry, this.#timing.retry * 2 ** this.#failures);
    this.#failures += 1;
    return wait;
  }
}
