import { median } from '../../core/median.ts';

/** Tokens of the first calls to a backend that nothing is known about. */
export const firstSize = 4096;

/** A larger call must be faster by this much to be worth its memory. */
const worthwhileGain = 1.05;

/** Calls measured at a size before it is judged. */
const callsToJudge = 8;

/** Good calls at the size that was settled on before a larger one is tried again; twice as many each time. */
const firstPatience = 16;

/** What is known of a backend before its first call. */
export interface SizeAim {
  /** What it can take at most. */
  readonly limit: number;
  /** Whether larger calls may be faster. */
  readonly searches: boolean;
  /** Calls in flight while it is busy: as many are still of the previous size when the size changes. */
  readonly concurrency: number;
}

/**
 * How many tokens a call should carry. The size doubles while calls get faster by 5 %; then the smallest size within 5 %
 * of the fastest is held. A call that was too large halves the size, and the distance between what went well and what
 * failed is halved until they are 10 % apart. From time to time a larger size is tried again: memory may be free by then.
 */
export class BatchSize {
  #aim: SizeAim = { limit: Number.POSITIVE_INFINITY, searches: true, concurrency: 1 };
  #size = firstSize;
  /** The largest size that went well, and the smallest that failed. */
  #good = 0;
  #failed = Number.POSITIVE_INFINITY;
  #rates = new Map<number, number>();
  #samples: number[] = [];
  #toIgnore = 0;
  #goodCalls = 0;
  #patience = firstPatience;
  #isSettled = false;

  /** Most tokens in a call at this time; never above what the backend states. */
  get tokens(): number {
    return Math.min(this.#size, this.#aim.limit);
  }

  /** Whether the search has come to an end; a failure or a later trial opens it again. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Fits it to a backend. */
  aim(aim: SizeAim): void {
    const hadSearched = this.#aim.searches;
    this.#aim = aim;
    if (aim.searches === hadSearched) return;
    this.#move(aim.searches ? firstSize : Number.POSITIVE_INFINITY);
    this.#isSettled = !aim.searches;
  }

  /** A call went well. Its rate (in any unit) is undefined where it says nothing about the backend. */
  succeeded(tokens: number, rate: number | undefined): void {
    // A call that would have fitted the size below says nothing about this one.
    if (tokens <= this.tokens / 2) return;
    const sample = this.#aim.searches ? rate : 1;
    if (sample === undefined) return;
    if (this.#toIgnore > 0) this.#toIgnore -= 1;
    else if (this.#isSettled) this.#considerTrial();
    else if (this.#samples.push(sample) === callsToJudge) this.#judge();
  }

  /** A call was too large. */
  tooLarge(tokens: number): void {
    // Calls that were in flight when another of their size failed teach nothing new.
    if (tokens > this.tokens) return;
    this.#failed = tokens;
    if (tokens <= this.#good) this.#good = 0;
    for (const size of this.#rates.keys()) if (size >= tokens) this.#rates.delete(size);
    this.#move(Math.max(this.#good, tokens / 2));
    this.#isSettled = false;
    if (this.#rates.has(this.#size)) this.#goFurther();
  }

  #judge(): void {
    const size = this.tokens;
    const rate = median(this.#samples);
    const before = Math.max(0, ...[...this.#rates].filter(([at]) => at < size).map(([, value]) => value));
    this.#rates.set(size, rate);
    this.#good = Math.max(this.#good, size);
    if (!this.#aim.searches || rate >= before * worthwhileGain) this.#goFurther();
    else this.#settle();
  }

  /** Takes the next size between what went well and what failed, unless they are close by now. */
  #goFurther(): void {
    const size = this.tokens;
    const next = Math.min(size * 2, (size + this.#failed) / 2, this.#aim.limit);
    if (next >= size * worthwhileGain) this.#move(next);
    else this.#settle();
  }

  /** Holds the smallest size that is nearly as fast as the fastest. */
  #settle(): void {
    this.#isSettled = true;
    this.#goodCalls = 0;
    if (!this.#aim.searches || this.#rates.size === 0) return;
    const fastest = Math.max(...this.#rates.values());
    // Where memory ended the search, calls were still getting faster: there the last few percent count.
    const tolerance = this.#failed < Number.POSITIVE_INFINITY ? 1.01 : worthwhileGain;
    const nearly = [...this.#rates].filter(([, rate]) => rate * tolerance >= fastest);
    this.#move(Math.min(...nearly.map(([size]) => size)));
  }

  #considerTrial(): void {
    this.#goodCalls += 1;
    if (this.#goodCalls < this.#patience) return;
    this.#goodCalls = 0;
    this.#patience *= 2;
    const size = this.tokens;
    const next = Math.min(size * 2, Math.max(this.#failed, size * worthwhileGain), this.#aim.limit);
    if (next < size * worthwhileGain) return;
    // What failed long ago may go well now; above it nothing is known.
    if (next >= this.#failed) this.#failed = Number.POSITIVE_INFINITY;
    const rate = this.#rates.get(size);
    this.#rates = new Map(rate === undefined ? [] : [[size, rate]]);
    this.#isSettled = false;
    this.#move(next);
  }

  #move(size: number): void {
    if (size !== this.#size) this.#toIgnore = this.#aim.concurrency - 1;
    this.#size = size;
    this.#samples = [];
  }
}
