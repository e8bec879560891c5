import type { TokenBudget } from './budget.ts';
import { amountOf } from './cut-batches.ts';
import { areaOfBatch, type MeasuredText } from './measured-text.ts';

/** Texts of one call. */
export interface Batch<Owner> {
  readonly items: readonly MeasuredText<Owner>[];
  /** Tokens that the call costs, every row as long as the longest. */
  readonly tokens: number;
  /** The same without what the shorter rows are filled up with. */
  readonly usefulTokens: number;
  readonly bytes: number;
  /** Where it comes from, when a larger call with these texts was too large. */
  readonly split?: Split;
  /** Whether it wants the backend for itself. */
  readonly isAlone?: boolean;
}

/** A call that was cut in two because it was too large. */
interface Split {
  /** How many of its halves were too large as well. */
  failures: number;
  /** Takes back what was concluded from its failure. */
  readonly forgive: () => void;
}

/**
 * Batches that failed, on their way to smaller ones, oldest first. When both halves of a call are too large, the size is
 * at fault and the budget learns it; when only one is, a text in it may be.
 */
export class SplitQueue<Owner> {
  readonly #budget: TokenBudget;
  readonly #waiting: Batch<Owner>[] = [];
  readonly #alone: Batch<Owner>[] = [];

  constructor(budget: TokenBudget) {
    this.#budget = budget;
  }

  get isEmpty(): boolean {
    return this.#waiting.length + this.#alone.length === 0;
  }

  /** Whether a text waits until no other call is in flight. */
  get wantsSilence(): boolean {
    return this.#alone.length > 0;
  }

  /** The next batch within the budget; one that must be alone comes before all others. */
  next(): Batch<Owner> | undefined {
    const alone = this.#alone.shift();
    if (alone) return alone;
    let batch = this.#waiting.shift();
    while (batch && batch.items.length > 1 && batch.tokens > this.#budget.tokens) {
      const [first, second] = halvesOf(batch, batch.split?.forgive ?? (() => {}));
      this.#waiting.unshift(second);
      batch = first;
    }
    return batch;
  }

  /** Takes in a batch with a text that the backend refused; false when it is that text alone. */
  bisect(batch: Batch<Owner>): boolean {
    if (batch.items.length === 1) return false;
    const middle = batch.items.length >> 1;
    this.#waiting.push(batchOf(batch.items.slice(0, middle)), batchOf(batch.items.slice(middle)));
    return true;
  }

  /**
   * Takes in a batch that was too large; false when it is a single text that nothing can make smaller. One that shared
   * the backend with other calls gets another chance without them.
   */
  halve(batch: Batch<Owner>, wasShared: boolean): boolean {
    if (batch.items.length > 1) {
      this.#waiting.push(...halvesOf(batch, this.#learn(batch)));
      return true;
    }
    if (wasShared && !batch.isAlone) {
      this.#alone.push({ ...batch, isAlone: true });
      return true;
    }
    batch.split?.forgive();
    return false;
  }

  #learn({ tokens, split }: Batch<Owner>): () => void {
    if (!split) return this.#budget.tooLarge(tokens);
    split.failures += 1;
    if (split.failures < 2) return split.forgive;
    const forgive = this.#budget.tooLarge(tokens);
    return () => {
      forgive();
      split.forgive();
    };
  }
}

/** A batch of given texts. */
export function batchOf<Owner>(items: readonly MeasuredText<Owner>[], split?: Split): Batch<Owner> {
  const { tokens, bytes } = amountOf(items);
  return { items, tokens: areaOfBatch(items), usefulTokens: tokens, bytes, ...(split && { split }) };
}

function halvesOf<Owner>({ items }: Batch<Owner>, forgive: () => void): [Batch<Owner>, Batch<Owner>] {
  const split = { failures: 0, forgive };
  const middle = items.length >> 1;
  return [batchOf(items.slice(0, middle), split), batchOf(items.slice(middle), split)];
}
