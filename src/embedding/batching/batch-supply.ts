import type { QuarryError } from '../../core/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TokenBudget } from './budget.ts';
import type { CallLimits } from './call-limits.ts';
import { type Amount, type BatchBounds, batchesIn, LengthPlan } from './cut-batches.ts';
import type { ReadAhead } from './read-ahead.ts';
import { type Batch, batchOf, SplitQueue } from './split-queue.ts';

/** Milliseconds that an idle backend waits for a slow source before it starts with less than a full batch. */
const linger = 25;

/** Batches to have read for every call in flight before texts are sorted and cut, where the size of calls matters. */
const batchesToSort = 8;

/** What batches are made from. */
export interface BatchSupplyParts<Owner> {
  readonly reader: ReadAhead<Owner>;
  readonly limits: CallLimits;
  readonly budget: TokenBudget;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called when a batch that was not worth a call before may be by now. */
  readonly onPatienceLost: () => void;
}

/** The next batch to send, from what has been read and from what came back to be sent in smaller parts. */
export class BatchSupply<Owner> {
  readonly #parts: BatchSupplyParts<Owner>;
  readonly #plan = new LengthPlan<Owner>();
  readonly #splits: SplitQueue<Owner>;
  #idleSince: number | undefined;
  #isLingering = false;
  #hasLingered = false;

  constructor(parts: BatchSupplyParts<Owner>) {
    this.#parts = parts;
    this.#splits = new SplitQueue(parts.budget);
  }

  /** Whether every text that there will ever be has been given out. */
  get isExhausted(): boolean {
    return this.#parts.reader.hasEnded && this.#waiting.texts === 0 && this.#splits.isEmpty;
  }

  /** Why the source of texts stopped, when it failed. */
  get failure(): QuarryError | undefined {
    return this.#parts.reader.failure;
  }

  /** The next batch, or undefined when it is better to wait: for more texts, or for the calls in flight to end. */
  next(inFlight: number): Batch<Owner> | undefined {
    if (this.#splits.wantsSilence && inFlight > 0) return undefined;
    const batch = this.#splits.next() ?? this.#cut();
    if (batch) {
      this.#idleSince = undefined;
      this.#hasLingered = false;
    } else if (this.#waiting.texts > 0) {
      this.#waitForMore();
    }
    return batch;
  }

  /** Takes back a batch that was too large; false when it is a single text that is too large by itself. */
  halve(batch: Batch<Owner>, wasShared: boolean): boolean {
    return this.#splits.halve(batch, wasShared);
  }

  /** Takes back a batch with a refused text in it; false when it is that text. */
  bisect(batch: Batch<Owner>): boolean {
    return this.#splits.bisect(batch);
  }

  /** Makes room for more texts: these have been told of. */
  release(texts: number, bytes: number): void {
    this.#parts.reader.release(texts, bytes);
  }

  get #waiting(): Amount {
    const { waiting } = this.#parts.reader;
    const { rest } = this.#plan;
    return {
      texts: waiting.texts + rest.texts,
      tokens: waiting.tokens + rest.tokens,
      bytes: waiting.bytes + rest.bytes,
    };
  }

  #cut(): Batch<Owner> | undefined {
    const { reader, limits, budget } = this.#parts;
    const bounds = { texts: limits.texts, tokens: budget.tokens, bytes: limits.bytes };
    let items = this.#plan.takeFull(bounds);
    if (!items && this.#hasEnough(bounds)) {
      if (reader.waiting.texts > 0) this.#plan.refill(reader.take(), bounds);
      items = this.#plan.takeFull(bounds) ?? this.#plan.takeRest(bounds);
    }
    return items && batchOf(items);
  }

  /** Whether what has been read should be cut now, rather than together with what comes next. */
  #hasEnough(bounds: BatchBounds): boolean {
    const { reader, limits } = this.#parts;
    if (reader.hasEnded || reader.isFull || this.#hasLingered) return true;
    const waiting = this.#waiting;
    if (waiting.texts * 4 >= limits.window.texts || waiting.bytes * 4 >= limits.window.bytes) return true;
    return batchesIn(waiting, bounds) >= (limits.gainsFromSize ? batchesToSort * limits.concurrency : 1);
  }

  /** Notes since when the backend could do more, and looks again when that has been so for long enough. */
  #waitForMore(): void {
    const { clock, signal, onPatienceLost } = this.#parts;
    this.#idleSince ??= clock.now();
    if (this.#isLingering) return;
    this.#isLingering = true;
    const lookAgain = (): void => {
      this.#isLingering = false;
      if (this.#idleSince === undefined) return;
      this.#hasLingered = clock.now() - this.#idleSince >= linger;
      onPatienceLost();
    };
    const left = Math.max(1, linger - (clock.now() - this.#idleSince));
    // The wait fails only when everything is stopped, and then nobody looks again.
    clock.wait(left, signal).then(lookAgain, () => {});
  }
}
