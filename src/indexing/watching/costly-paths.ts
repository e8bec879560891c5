import type { WatchTiming } from './watch-timing.ts';

/** How long a path rests after a pass for it. */
export type RestTiming = Pick<WatchTiming, 'quickPass' | 'restPerPass' | 'maxRest'>;

/** Passes for a path that follow each other within so many milliseconds count as a row … */
const soon = 5_000;
/** … and after so many of them … */
const manyPasses = 10;
/** … it rests for so many milliseconds, however quick it is. */
const shortRest = 3_000;

interface Taken {
  readonly at: number;
  readonly passes: number;
  /** Until when it rests. */
  readonly until: number;
}

/**
 * Holds back the changes of paths whose passes cost much, such as a large log that grows on and on: the longer a pass for
 * a path took, the longer the path rests. What is quick to take in is not held back,
 * unless it changes all the time, such as a file into which the watch itself is written.
 */
export class CostlyPaths {
  readonly #timing: RestTiming;
  /** Paths that were taken in a short while ago. */
  readonly #taken = new Map<string, Taken>();
  /** Paths that have changed while they rest. */
  readonly #held = new Set<string>();

  constructor(timing: RestTiming) {
    this.#timing = timing;
  }

  /** Notes how long a pass for these paths took. */
  noteCost(paths: readonly string[], milliseconds: number): void {
    const now = performance.now();
    const { quickPass, restPerPass, maxRest } = this.#timing;
    const cost = Math.max(0, milliseconds / paths.length - quickPass);
    const rest = Math.min(maxRest, cost * restPerPass);
    for (const path of paths) {
      const before = this.#taken.get(path);
      const passes = before && now - before.at < soon ? before.passes + 1 : 1;
      this.#taken.set(path, {
        at: now,
        passes,
        until: now + (passes > manyPasses ? Math.max(rest, shortRest) : rest),
      });
    }
    for (const [path, { at, until }] of this.#taken)
      if (until <= now && now - at >= soon && !this.#held.has(path)) this.#taken.delete(path);
  }

  /** Whether a change that was just noticed is held back. */
  holdsBack(path: string): boolean {
    if (this.#restsUntil(path) <= performance.now()) return false;
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
    for (const path of this.#held) first = Math.min(first, this.#restsUntil(path));
    return Math.max(0, first - performance.now());
  }

  /** The paths that have changed and rested long enough. */
  due(): string[] {
    const now = performance.now();
    return [...this.#held].filter((path) => this.#restsUntil(path) <= now);
  }

  /** Lets go of what a pass looks at: these paths, or everything where none are named. */
  take(paths: Iterable<string> = this.#held): void {
    for (const path of paths) this.#held.delete(path);
  }

  #restsUntil(path: string): number {
    return this.#taken.get(path)?.until ?? 0;
  }
}
