import type { WatchTiming } from './watch-timing.ts';

/** How long a path rests after a pass for it. */
export type RestTiming = Pick<WatchTiming, 'quickPass' | 'restPerPass' | 'longestRest'>;

/**
 * Holds back the changes of paths whose passes cost much, such as a large log that grows on and on: the longer a pass for
 * a path took, the longer the path rests. What is quick to take in is never held back.
 */
export class CostlyPaths {
  readonly #timing: RestTiming;
  /** Until when paths rest that were taken in a short while ago. */
  readonly #restUntil = new Map<string, number>();
  /** Paths that have changed while they rest. */
  readonly #held = new Set<string>();

  constructor(timing: RestTiming) {
    this.#timing = timing;
  }

  /** Notes how long a pass for these paths took. */
  noteCost(paths: readonly string[], milliseconds: number): void {
    const now = performance.now();
    const { quickPass, restPerPass, longestRest } = this.#timing;
    const cost = Math.max(0, milliseconds / paths.length - quickPass);
    const rest = Math.min(longestRest, cost * restPerPass);
    for (const path of paths) this.#restUntil.set(path, now + rest);
    for (const [path, until] of this.#restUntil)
      if (until <= now && !this.#held.has(path)) this.#restUntil.delete(path);
  }

  /** Whether a change that was just noticed is held back. */
  holdsBack(path: string): boolean {
    if ((this.#restUntil.get(path) ?? 0) <= performance.now()) return false;
    this.#held.add(path);
    return true;
  }

  /** Whether a change of the path is held back now. */
  holds(path: string): boolean {
    return this.#held.has(path);
  }

  /** Milliseconds until a path that is held back has rested long enough; infinite where none is. */
  get dueIn(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const path of this.#held) first = Math.min(first, this.#restUntil.get(path) ?? 0);
    return Math.max(0, first - performance.now());
  }

  /** The paths that have changed and rested long enough. */
  due(): string[] {
    const now = performance.now();
    return [...this.#held].filter((path) => (this.#restUntil.get(path) ?? 0) <= now);
  }

  /** Lets go of what a pass looks at: these paths, or everything where none are named. */
  take(paths: Iterable<string> = this.#held): void {
    for (const path of paths) this.#held.delete(path);
  }
}
