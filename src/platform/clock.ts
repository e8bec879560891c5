import { setImmediate, setTimeout } from 'node:timers/promises';
import { interrupted } from '../core/errors.ts';

/** The source of time. Code that measures or waits takes a clock, so that a test can let hours pass at once. */
export interface Clock {
  /** Milliseconds since some fixed moment; never goes back. */
  now(): number;
  /**
   * Resolves when the time is over; rejects with `interrupted` as soon as the signal is aborted. A wait of 0 only lets
   * other work of the process run.
   */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The longest wait that a timer of the platform can hold; beyond it, it would fire at once. */
const maxTimer = 2 ** 31 - 1;

/** The time of the machine. */
export const systemClock: Clock = {
  now: () => performance.now(),
  async wait(milliseconds, signal) {
    const options = signal && { signal };
    try {
      if (!(milliseconds > 0)) return await setImmediate(undefined, options);
      for (let left = milliseconds; left > 0; left -= maxTimer) {
        await setTimeout(Math.min(left, maxTimer), undefined, options);
      }
    } catch (cause) {
      throw interrupted(cause);
    }
  },
};
