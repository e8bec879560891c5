/** Tokens of the first calls to a backend that nothing is known about. */
export const firstBudget = 4096;

/** A larger call must be faster by this much to be worth its memory. */
const worthwhileGain = 1.05;

/** Calls measured at a size before it is judged; as many as there are stretches of length that calls come from. */
const callsToJudge = 8;

/** Good calls at the size that was settled on before a larger one is tried again. */
const firstPatience = 16;

/** Share of a size that was too large which is tried next. */
const capAfterFailure = 0.8;

/** Share of a size that went well many times, and then just failed, which is tried next. */
const stepFromBrink = 0.9;

/** What failures have taught; kept apart so that a wrong lesson can be taken back. */
interface Lesson {
  /** The size in use. */
  size: number;
  /** No size above this is tried. */
  cap: number;
  /** The smallest call that was too large. */
  failed: number;
  /** The largest size at which many calls went well, and none has failed since. */
  trusted: number;
  isSettled: boolean;
}

/**
 * How many tokens a call should carry. Sizes are doubled while calls get faster by 5 %, then the smallest within 5 % of
 * the fastest is held. A call that was too large halves the size, or takes it back to one that is known to go well, and
 * puts a cap at 0.8 of what failed. While all goes well the cap creeps back, each time more patiently.
 *
 * From the first size s, with a backend that takes up to m tokens, it settles in at most |log2(m / s)| + 8 moves.
 */
export class TokenBudget {
  #limit = Number.POSITIVE_INFINITY;
  #searches = true;
  #lesson: Lesson = {
    size: firstBudget,
    cap: Number.POSITIVE_INFINITY,
    failed: Number.POSITIVE_INFINITY,
    trusted: 0,
    isSettled: false,
  };
  #rates = new Map<number, number>();
  #samples: number[] = [];
  #goodCalls = 0;
  /** Calls that went well since one failed at a size that was trusted. */
  #goodInARow = 0;
  #patience = firstPatience;
  #moves = 0;

  /** Most tokens in a call at this time; never above what the backend states. */
  get tokens(): number {
    return Math.min(this.#lesson.size, this.#limit);
  }

  /** Whether the search has come to an end; a failure or a later probe opens it again. */
  get isSettled(): boolean {
    return this.#lesson.isSettled;
  }

  /** How often the size has changed. */
  get moves(): number {
    return this.#moves;
  }

  /** Fits it to a backend: what it can take at most, and whether larger calls may be faster there. */
  aim({ limit, searches }: { readonly limit: number; readonly searches: boolean }): void {
    this.#limit = limit;
    if (searches === this.#searches) return;
    this.#searches = searches;
    this.#move(searches ? firstBudget : Number.POSITIVE_INFINITY);
    this.#lesson.isSettled = !searches;
  }

  /** A call went well. Its rate (in any unit) is undefined where it says nothing about the backend. */
  succeeded(tokens: number, rate: number | undefined): void {
    this.#goodInARow += 1;
    // A call that would have fitted the size below says nothing about this one.
    if (tokens <= this.tokens / 2) return;
    const sample = this.#searches ? rate : 1;
    if (sample === undefined) return;
    this.#samples.push(sample);
    if (this.#samples.length > callsToJudge) this.#samples.shift();
    if (this.#lesson.isSettled) this.#considerProbe();
    else if (this.#samples.length === callsToJudge) this.#judge();
  }

  /** A call was too large. The answer takes the lesson back, for when a single text turns out to be at fault. */
  tooLarge(tokens: number): () => void {
    const before = { ...this.#lesson };
    const lesson = this.#lesson;
    // Calls that were in flight when another of their size failed teach nothing new.
    if (tokens > lesson.cap) {
      lesson.failed = Math.min(lesson.failed, tokens);
      return () => {};
    }
    if (tokens <= lesson.trusted) this.#distrust(tokens);
    lesson.failed = Math.min(lesson.failed, tokens);
    lesson.cap = Math.min(lesson.cap, Math.max(tokens * capAfterFailure, lesson.trusted));
    lesson.isSettled = false;
    for (const size of this.#rates.keys()) if (size >= tokens) this.#rates.delete(size);
    this.#move(Math.min(this.tokens, Math.max(tokens / 2, lesson.trusted)));
    const { cap } = lesson;
    return () => {
      if (this.#lesson.cap !== cap) return;
      this.#move(before.size);
      this.#lesson = before;
    };
  }

  /** A near miss after a good run costs one step, since equal calls do not need equal memory; anything else, all trust. */
  #distrust(tokens: number): void {
    const lesson = this.#lesson;
    const isNear = this.#goodInARow >= callsToJudge && tokens > lesson.trusted * stepFromBrink;
    lesson.trusted = isNear ? tokens * stepFromBrink : 0;
    this.#goodInARow = 0;
    if (!isNear) this.#patience = firstPatience;
  }

  get #ceiling(): number {
    return Math.min(this.#lesson.cap, this.#limit);
  }

  #judge(): void {
    const size = this.tokens;
    const rate = median(this.#samples);
    const before = Math.max(0, ...[...this.#rates].filter(([at]) => at < size).map(([, value]) => value));
    this.#rates.set(size, rate);
    this.#lesson.trusted = Math.max(this.#lesson.trusted, size);
    const next = Math.min(size * 2, this.#ceiling);
    const hasGained = !this.#searches || rate >= before * worthwhileGain;
    if (hasGained && next >= size * worthwhileGain) this.#move(next);
    else this.#settle();
  }

  /** Holds the smallest size that is nearly as fast as the fastest. */
  #settle(): void {
    if (this.#searches) {
      const sizes = [...this.#rates].filter(([size]) => size <= this.#ceiling);
      const fastest = Math.max(...sizes.map(([, rate]) => rate));
      const nearly = sizes.filter(([, rate]) => rate * worthwhileGain >= fastest).map(([size]) => size);
      this.#move(Math.min(...nearly));
    }
    this.#lesson.isSettled = true;
    this.#goodCalls = 0;
  }

  /** After enough good calls, tries a larger size: memory may have been freed, or a measurement may have misled. */
  #considerProbe(): void {
    this.#goodCalls += 1;
    if (this.#goodCalls < this.#patience) return;
    this.#goodCalls = 0;
    const size = this.tokens;
    const next = Math.min(size * 2, this.#raisedCap(), this.#limit);
    if (next < size * worthwhileGain) return;
    this.#rates = new Map([[size, median(this.#samples)]]);
    this.#lesson.isSettled = false;
    this.#move(next);
  }

  /** Halves the way to what failed; once there, what failed is worth another try, but ever more rarely. */
  #raisedCap(): number {
    const lesson = this.#lesson;
    const { cap, failed } = lesson;
    if (cap < this.tokens * 2 && failed > cap * worthwhileGain) {
      lesson.cap = (cap + failed) / 2;
      return lesson.cap;
    }
    this.#patience *= 2;
    if (cap >= this.tokens * 2) return cap;
    lesson.cap = Number.POSITIVE_INFINITY;
    lesson.failed = Number.POSITIVE_INFINITY;
    return failed * worthwhileGain;
  }

  #move(size: number): void {
    if (size !== this.#lesson.size) this.#moves += 1;
    this.#lesson.size = size;
    this.#samples = [];
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return ((sorted[middle] ?? 0) + (sorted[(sorted.length - 1) >> 1] ?? 0)) / 2;
}
