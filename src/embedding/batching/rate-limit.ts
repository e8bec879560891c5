import { unlessAborted } from '../../platform/abort.ts';
import type { Clock } from '../../platform/clock.ts';

const minute = 60_000;

/** Calls that may start together: what a minute's allowance comes to in a second. */
const burstShare = 1 / 60;

/**
 * A bucket of turns that fills with time. In no minute, wherever it begins, are more turns given than allowed: what may
 * be taken at once is set aside from what flows in.
 */
export class RateLimit {
  readonly #clock: Clock;
  #turns = Number.POSITIVE_INFINITY;
  #at = 0;
  /** Resolves when everyone who asked so far has a turn or has left. */
  #queue = Promise.resolve();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when a call may start, in the order of asking. A turn is taken only then: an aborted wait costs none. */
  async turn(callsPerMinute: number, signal?: AbortSignal): Promise<void> {
    const before = this.#queue;
    const own = Promise.withResolvers<void>();
    this.#queue = own.promise;
    try {
      await unlessAborted(() => before, signal);
      await this.#take(callsPerMinute, signal);
    } finally {
      void before.then(own.resolve);
    }
  }

  async #take(callsPerMinute: number, signal: AbortSignal | undefined): Promise<void> {
    const burst = Math.max(1, Math.floor(callsPerMinute * burstShare));
    // With a burst of one the spacing alone keeps the promise: the first and the last of a minute are a minute apart.
    const perMillisecond = (callsPerMinute - (burst > 1 ? burst : 0)) / minute;
    const fill = (): void => {
      const now = this.#clock.now();
      this.#turns = Math.min(burst, this.#turns + (now - this.#at) * perMillisecond);
      this.#at = now;
    };
    fill();
    if (this.#turns < 1) {
      await this.#clock.wait((1 - this.#turns) / perMillisecond, signal);
      fill();
    }
    this.#turns -= 1;
  }
}
