import type { MeasuredText } from './measured-text.ts';

/** What one call may carry at most; a text that alone is more still gets a call of its own. */
export interface BatchBounds {
  readonly texts: number;
  /** Every row counted as long as the longest. */
  readonly tokens: number;
  readonly bytes: number;
}

/** Texts of one call. */
export interface Batch<Owner> {
  readonly items: readonly MeasuredText<Owner>[];
  /**
   * Tokens that the call costs, every row as long as the longest. A backend that does not pad pays less, but not by
   * much, since texts of similar length are together; one that does would otherwise run out of memory.
   */
  readonly tokens: number;
  /** The same without what the shorter rows are filled up with. */
  readonly usefulTokens: number;
  readonly bytes: number;
  /** Whether it is a part of a call that failed: its outcome says nothing of the size of calls. */
  readonly isPart?: boolean;
  /** Whether it wants the backend for itself. */
  readonly isAlone?: boolean;
}

/** Share of the plan that lies between two batches that follow each other: the golden section meets every length soon. */
const stride = 0.618;

/** Texts that wait for a call: sorted by length, so that little is padded, and cut with the bounds of the moment. */
export class BatchPlan<Owner> {
  #loose: MeasuredText<Owner>[] = [];
  #cut: Batch<Owner>[] = [];
  #cutFor = 0;
  #place = 0;
  #direction = 1;
  /** Texts, tokens and bytes that are not in a batch yet. */
  #amount = { texts: 0, tokens: 0, bytes: 0 };

  get isEmpty(): boolean {
    return this.#loose.length + this.#cut.length === 0;
  }

  add(text: MeasuredText<Owner>): void {
    this.#loose.push(text);
    this.#amount.texts += 1;
    this.#amount.tokens += text.rows * text.width;
    this.#amount.bytes += text.bytes;
  }

  /** How many calls the texts that are in no batch yet make at least. */
  looseBatches({ texts, tokens, bytes }: BatchBounds): number {
    return Math.max(this.#amount.texts / texts, this.#amount.tokens / tokens, this.#amount.bytes / bytes);
  }

  /**
   * The next batch, from texts of another length than the one before, so that any few calls show every length. More is
   * cut only where `isEnough` says so, and a batch that is not full is left for later unless nothing else is there.
   */
  next(bounds: BatchBounds, isEnough: () => boolean): Batch<Owner> | undefined {
    const isStale = this.#cut.length > 0 && this.#cutFor !== bounds.tokens;
    if (isStale) this.#undo();
    if (this.#cut.length === 0 && this.#loose.length > 0 && (isStale || isEnough())) this.#cutAll(bounds);
    this.#place = (this.#place + stride) % 1;
    return this.#cut.splice(Math.floor(this.#place * this.#cut.length), 1)[0];
  }

  /** Batches of another size are cut again. */
  #undo(): void {
    for (const { items } of this.#cut) for (const item of items) this.add(item);
    this.#cut = [];
  }

  #cutAll(bounds: BatchBounds): void {
    const items = this.#loose;
    // The direction turns each time, so that what was left at one end goes first and nothing waits for ever.
    this.#direction = -this.#direction;
    items.sort((one, other) => this.#direction * (one.width - other.width || one.rows - other.rows));
    this.#loose = [];
    this.#amount = { texts: 0, tokens: 0, bytes: 0 };
    this.#cutFor = bounds.tokens;
    let start = 0;
    for (let end = 0; start < items.length; start = end) {
      end = start + countFitting(items, start, bounds);
      const isFull = end < items.length || end - start >= bounds.texts;
      if (!isFull && start > 0) break;
      this.#cut.push(batchOf(items.slice(start, end)));
    }
    for (const item of items.slice(start)) this.add(item);
  }
}

/** A batch of given texts. */
export function batchOf<Owner>(
  items: readonly MeasuredText<Owner>[],
  marks: Pick<Batch<Owner>, 'isPart' | 'isAlone'> = {},
): Batch<Owner> {
  let rows = 0;
  let width = 0;
  let usefulTokens = 0;
  let bytes = 0;
  for (const item of items) {
    rows += item.rows;
    width = Math.max(width, item.width);
    usefulTokens += item.rows * item.width;
    bytes += item.bytes;
  }
  return { items, tokens: rows * width, usefulTokens, bytes, ...marks };
}

/** The two halves of a batch that failed. */
export function halvesOf<Owner>({ items }: Batch<Owner>): Batch<Owner>[] {
  const middle = items.length >> 1;
  return [items.slice(0, middle), items.slice(middle)].map((half) => batchOf(half, { isPart: true }));
}

/** How many texts from `start` on fit one call; at least one. */
function countFitting(
  items: readonly MeasuredText<unknown>[],
  start: number,
  { texts, tokens, bytes: maxBytes }: BatchBounds,
): number {
  let rows = 0;
  let width = 0;
  let bytes = 0;
  let count = 0;
  for (const end = Math.min(items.length, start + texts); start + count < end; count += 1) {
    const item = items[start + count] as MeasuredText<unknown>;
    rows += item.rows;
    width = Math.max(width, item.width);
    bytes += item.bytes;
    if (count > 0 && (rows * width > tokens || bytes > maxBytes)) break;
  }
  return count;
}
