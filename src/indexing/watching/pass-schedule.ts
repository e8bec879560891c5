import type { SourceWatch } from '../../contracts/source.ts';
import type { PassReason } from '../../core/events.ts';
import type { PendingChanges } from './pending-changes.ts';
import type { WatchTiming } from './watch-timing.ts';

/** Milliseconds between two looks at whether a tool is still busy. */
export const busyLook = 50;

/** Resolves when the changes that were noticed seem complete, or have gone on for too long to wait for more. */
export async function settle(
  pending: PendingChanges,
  source: Pick<SourceWatch, 'isBusy'> | undefined,
  timing: WatchTiming,
  signal?: AbortSignal,
): Promise<void> {
  const began = performance.now();
  let calmSince = Number.NEGATIVE_INFINITY;
  while (!signal?.aborted) {
    const now = performance.now();
    if (now - began < timing.maxBusy && (await source?.isBusy())) {
      await pending.wait(busyLook, signal);
      calmSince = performance.now();
      continue;
    }
    const quietFor = now - Math.max(pending.lastAt, calmSince);
    const goneOnFor = now - Math.max(pending.firstAt, calmSince);
    if (quietFor >= timing.quiet || goneOnFor >= timing.maxWait) return;
    await pending.wait(timing.quiet - quietFor, signal);
  }
}

/** Knows when a pass is due though nothing was noticed. */
export class PassSchedule {
  readonly #timing: WatchTiming;
  /** When everything was scanned last, and how long that took. */
  #scanned = { at: Number.POSITIVE_INFINITY, took: 0 };
  #scanAt = Number.POSITIVE_INFINITY;
  #retryAt = Number.POSITIVE_INFINITY;
  #goesOn = false;
  #failures = 0;

  constructor(timing: WatchTiming) {
    this.#timing = timing;
  }

  /** Why a pass is due now, if one is. */
  due(): PassReason | undefined {
    if (performance.now() >= this.#retryAt) return 'retry';
    if (this.isScanDue) return 'interval';
    return this.#goesOn ? 'retry' : undefined;
  }

  /** Whether everything should be scanned by now. */
  get isScanDue(): boolean {
    return performance.now() >= this.#scanAt;
  }

  /** Milliseconds until it is worth looking again. */
  get pause(): number {
    const next = Math.min(this.#scanAt, this.#retryAt) - performance.now();
    return Math.max(1, Math.min(this.#timing.poll, next));
  }

  /** Notes a pass that came to its end; `isComplete` says whether nothing is left to try again. */
  ended(isComplete: boolean): void {
    this.#goesOn = false;
    if (isComplete) this.#failures = 0;
    this.#retryAt = isComplete ? Number.POSITIVE_INFINITY : performance.now() + this.#backOff();
  }

  /** Notes a pass that let changes come first: what it left is done as soon as nothing else is. */
  gaveWay(): void {
    this.#goesOn = true;
    this.#retryAt = Number.POSITIVE_INFINITY;
  }

  /** Notes a pass that failed and returns the milliseconds until the next try. */
  failed(): number {
    this.#goesOn = false;
    const wait = this.#backOff();
    this.#retryAt = performance.now() + wait;
    // A scan that was due is part of what is tried again.
    this.#scanAt = Math.max(this.#scanAt, this.#retryAt);
    return wait;
  }

  /** Plans the next scan of everything and returns the milliseconds between the two; an interval of 0 means none. */
  scanned(intervalSeconds: number, tookMilliseconds: number): number {
    this.#scanned = { at: performance.now(), took: tookMilliseconds };
    return this.scanEvery(intervalSeconds);
  }

  /** Plans it again for another interval. */
  scanEvery(intervalSeconds: number): number {
    const { at, took } = this.#scanned;
    const rest = took * this.#timing.restPerScan;
    const wait = intervalSeconds === 0 ? Number.POSITIVE_INFINITY : Math.max(intervalSeconds * 1000, rest);
    this.#scanAt = at + wait;
    return wait;
  }

  #backOff(): number {
    const wait = Math.min(this.#timing.maxRetry, this.#timing.retry * 2 ** this.#failures);
    this.#failures += 1;
    return wait;
  }
}
