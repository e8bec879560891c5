import { areaOf, type MeasuredText } from './measured-text.ts';

/** What one call may carry at most; a text that alone is more still gets a call of its own. */
export interface BatchBounds {
  readonly texts: number;
  /** Every row counted as long as the longest. */
  readonly tokens: number;
  readonly bytes: number;
}

/** How much is waiting to be cut. */
export interface Amount {
  readonly texts: number;
  readonly tokens: number;
  readonly bytes: number;
}

/** A stretch of the sorted texts, from `low` up to and without `high`. */
interface Stretch {
  low: number;
  high: number;
}

/** Stretches that batches are taken from in turn, so that any few calls in a row show every length of text. */
const mostStretches = 8;
const batchesPerStretch = 4;

/** How many calls an amount makes at least. */
export function batchesIn(amount: Amount, bounds: BatchBounds): number {
  return Math.max(amount.texts / bounds.texts, amount.tokens / bounds.tokens, amount.bytes / bounds.bytes);
}

/** What several texts amount to, each alone. */
export function amountOf(items: readonly MeasuredText<unknown>[]): Amount {
  let tokens = 0;
  let bytes = 0;
  for (const item of items) {
    tokens += areaOf(item);
    bytes += item.bytes;
  }
  return { texts: items.length, tokens, bytes };
}

/** How many texts fit one call, from `start` and onwards in steps of 1 or -1 up to and without `end`; at least one. */
export function countFitting(
  items: readonly MeasuredText<unknown>[],
  { start, end, step }: { readonly start: number; readonly end: number; readonly step: 1 | -1 },
  bounds: BatchBounds,
): number {
  let rows = 0;
  let width = 0;
  let bytes = 0;
  let count = 0;
  for (let at = start; at !== end && count < bounds.texts; at += step) {
    const item = items[at];
    if (!item) break;
    rows += item.rows;
    width = Math.max(width, item.width);
    bytes += item.bytes;
    if (count > 0 && (rows * width > bounds.tokens || bytes > bounds.bytes)) break;
    count += 1;
  }
  return count;
}

/** Texts sorted by length, cut into batches one at a time, with the bounds of that moment. */
export class LengthPlan<Owner> {
  #items: MeasuredText<Owner>[] = [];
  #stretches: Stretch[] = [];
  #turn = 0;
  #step: 1 | -1 = -1;
  /** Token bound with which no full batch was found; a smaller one is worth another look. */
  #barrenFrom: number | undefined = 0;
  /** What is still waiting to be cut. */
  rest: Amount = { texts: 0, tokens: 0, bytes: 0 };

  /**
   * Sorts new texts in with what is left. The direction of cutting turns each time, so that what was left at one end
   * goes first and nothing waits forever.
   */
  refill(incoming: readonly MeasuredText<Owner>[], bounds: BatchBounds): void {
    const items = this.#remaining().concat(incoming);
    items.sort((one, other) => one.width - other.width || one.rows - other.rows);
    this.#items = items;
    this.#step = this.#step === 1 ? -1 : 1;
    this.#barrenFrom = undefined;
    this.rest = amountOf(items);
    const stretches = Math.floor(batchesIn(this.rest, bounds) / batchesPerStretch);
    this.#stretches = this.#divide(Math.max(1, Math.min(mostStretches, stretches)));
  }

  /** The next batch that fills its bounds, or undefined when no stretch has one. */
  takeFull(bounds: BatchBounds): MeasuredText<Owner>[] | undefined {
    if (this.#barrenFrom !== undefined && bounds.tokens >= this.#barrenFrom) return undefined;
    for (let tries = this.#stretches.length; tries > 0; tries -= 1) {
      const stretch = this.#stretches[this.#turn % this.#stretches.length] as Stretch;
      this.#turn += 1;
      const count = this.#fitting(stretch, bounds);
      if (count > 0 && (count < stretch.high - stretch.low || count >= bounds.texts)) {
        return this.#take(stretch, count);
      }
    }
    this.#barrenFrom = bounds.tokens;
    return undefined;
  }

  /** A batch of what is left, full or not; undefined when nothing is. */
  takeRest(bounds: BatchBounds): MeasuredText<Owner>[] | undefined {
    if (this.#stretches.length !== 1) {
      this.#items = this.#remaining();
      this.#stretches = [{ low: 0, high: this.#items.length }];
    }
    const [stretch] = this.#stretches;
    const count = stretch ? this.#fitting(stretch, bounds) : 0;
    return stretch && count > 0 ? this.#take(stretch, count) : undefined;
  }

  #fitting({ low, high }: Stretch, bounds: BatchBounds): number {
    if (low === high) return 0;
    const span = this.#step === 1 ? { start: low, end: high } : { start: high - 1, end: low - 1 };
    return countFitting(this.#items, { ...span, step: this.#step }, bounds);
  }

  #take(stretch: Stretch, count: number): MeasuredText<Owner>[] {
    const low = this.#step === 1 ? stretch.low : stretch.high - count;
    const taken = this.#items.slice(low, low + count);
    if (this.#step === 1) stretch.low += count;
    else stretch.high -= count;
    const gone = amountOf(taken);
    this.rest = {
      texts: this.rest.texts - gone.texts,
      tokens: this.rest.tokens - gone.tokens,
      bytes: this.rest.bytes - gone.bytes,
    };
    return taken;
  }

  /** What no batch has taken, shortest first. */
  #remaining(): MeasuredText<Owner>[] {
    return this.#stretches.flatMap(({ low, high }) => this.#items.slice(low, high));
  }

  /** Stretches of about the same number of tokens. */
  #divide(count: number): Stretch[] {
    const share = this.rest.tokens / count;
    const stretches: Stretch[] = [];
    let low = 0;
    let tokens = 0;
    for (const [at, item] of this.#items.entries()) {
      tokens += areaOf(item);
      if (tokens < share * (stretches.length + 1) || stretches.length === count - 1) continue;
      stretches.push({ low, high: at + 1 });
      low = at + 1;
    }
    stretches.push({ low, high: this.#items.length });
    return stretches;
  }
}
