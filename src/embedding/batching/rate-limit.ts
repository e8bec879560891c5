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

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when a call may start; turns are given in the order they were asked for. */
  async turn(callsPerMinute: number, signal?: AbortSignal): Promise<void> {
    const burst = Math.max(1, Math.floor(callsPerMinute * burstShare));
    // With a burst of one the spacing alone keeps the promise: the first and the last of a minute are a minute apart.
    const perMillisecond = (callsPerMinute - (burst > 1 ? burst : 0)) / minute;
    const now = this.#clock.now();
    this.#turns = Math.min(burst, this.#turns + (now - this.#at) * perMillisecond) - 1;
    this.#at = now;
    if (this.#turns < 0) await this.#clock.wait(-this.#turns / perMillisecond, signal);
  }
}
