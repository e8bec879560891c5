import type { Clock } from '../../platform/clock.ts';

/** A call that is being timed. */
export interface Lap {
  readonly tokens: number;
  /** Which size of calls was in use when it began. */
  readonly generation: number;
  /** Whether it began among calls of its own size only. */
  readonly isAmongEquals: boolean;
  readonly at: number;
  readonly callTime: number;
  readonly tokenTime: number;
}

/** What a call shows of its backend. */
export interface LapTime {
  /** Calls in flight while it ran, itself included, on average over its time. */
  readonly crowd: number;
  /** Tokens per millisecond that the backend did while it ran; undefined where that cannot be told. */
  readonly rate: number | undefined;
}

/**
 * Times calls that overlap. What a backend does in a second is what it has in flight over how long a call takes, whether
 * it works on the calls side by side or one after the other.
 */
export class CallMeter {
  readonly #clock: Clock;
  #last: number;
  #calls = 0;
  #tokens = 0;
  /** The sums over time of the calls and of the tokens in flight. */
  #callTime = 0;
  #tokenTime = 0;
  #generation = 0;
  #callsOfGeneration = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#last = clock.now();
  }

  get inFlight(): number {
    return this.#calls;
  }

  /** Starts timing a call of so many tokens; the generation changes whenever the size of calls does. */
  begin(tokens: number, generation: number): Lap {
    const at = this.#advance();
    if (generation !== this.#generation) this.#callsOfGeneration = 0;
    this.#generation = generation;
    const isAmongEquals = this.#callsOfGeneration === this.#calls;
    this.#callsOfGeneration += 1;
    this.#calls += 1;
    this.#tokens += tokens;
    return { tokens, generation, isAmongEquals, at, callTime: this.#callTime, tokenTime: this.#tokenTime };
  }

  end(lap: Lap): LapTime {
    const time = this.#advance() - lap.at;
    if (lap.generation === this.#generation) this.#callsOfGeneration -= 1;
    this.#calls -= 1;
    this.#tokens -= lap.tokens;
    if (time <= 0) return { crowd: this.#calls + 1, rate: undefined };
    const tokensInFlight = (this.#tokenTime - lap.tokenTime) / time;
    return {
      crowd: (this.#callTime - lap.callTime) / time,
      rate: lap.isAmongEquals ? tokensInFlight / time : undefined,
    };
  }

  #advance(): number {
    const now = this.#clock.now();
    this.#callTime += (now - this.#last) * this.#calls;
    this.#tokenTime += (now - this.#last) * this.#tokens;
    this.#last = now;
    return now;
  }
}
