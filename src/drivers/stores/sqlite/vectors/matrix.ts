import { BestEntries } from './best.ts';
import type { QuantisedQuery, QuantisedVector } from './quantise.ts';
import { type BlockOptions, batchRows, RowBlock } from './row-block.ts';

/** An embedding and its cosine to the query. */
export interface Neighbour {
  readonly embedding: number;
  readonly score: number;
}

const firstCapacity = 1024;
/** What the table from keys to rows takes for an entry, about. */
const bytesForKey = 48;

/** Vectors of one length under whole numbers, all in memory: exact search by looking at each. */
export class VectorMatrix {
  readonly #dimensions: number;
  readonly #options: BlockOptions;
  readonly #slots = new Map<number, number>();
  readonly #blocks: RowBlock[] = [];
  #keys = new Float64Array(firstCapacity);
  #scales = new Float64Array(firstCapacity);

  constructor(dimensions: number, options: BlockOptions = {}) {
    this.#dimensions = dimensions;
    this.#options = options;
  }

  get size(): number {
    return this.#slots.size;
  }

  /** Memory held, in bytes. */
  get bytes(): number {
    const blocks = this.#blocks.reduce((sum, block) => sum + block.bytes, 0);
    return blocks + this.#keys.byteLength + this.#scales.byteLength + this.size * bytesForKey;
  }

  /** Adds a vector, or puts it in place of the one its key had. */
  set(key: number, vector: QuantisedVector): void {
    const known = this.#slots.get(key);
    const slot = known ?? this.size;
    // First: memory that cannot grow throws, and the key must not stand for a row that was never written.
    this.#write(slot, vector.components);
    if (known === undefined) this.#claim(key, slot);
    this.#scales[slot] = vector.scale;
  }

  /** Drops every vector whose key is not among these. */
  retain(live: ReadonlySet<number>): void {
    for (const key of [...this.#slots.keys()]) if (!live.has(key)) this.#remove(key);
  }

  /** The keys of the nearest vectors, best first; where `among` is given, only of those. */
  nearest(query: QuantisedQuery, limit: number, among?: Iterable<number>): Neighbour[] {
    const best = new BestEntries(limit);
    for (const block of this.#blocks) block.ask(query.components);
    const slots = among && this.#slotsOf(among);
    const count = slots ? slots.length : this.size;
    const batch = new Int32Array(batchRows);
    for (let start = 0; start < count; ) start += this.#offerBatch(query, best, batch, start, count, slots);
    return best
      .sorted()
      .map(({ entry, score }) => ({ embedding: this.#keys[entry] ?? 0, score }))
      .sort((one, other) => other.score - one.score || one.embedding - other.embedding);
  }

  /** Offers the vectors from `start` on that stand in one block, at most a batch of them; returns how many. */
  #offerBatch(
    query: QuantisedQuery,
    best: BestEntries,
    batch: Int32Array,
    start: number,
    count: number,
    slots: Int32Array | undefined,
  ): number {
    const limit = this.#blocks[0]?.limit ?? 1;
    const number = Math.floor((slots ? (slots[start] ?? 0) : start) / limit);
    const first = number * limit;
    let length = 0;
    for (; length < batchRows && start + length < count; length += 1) {
      const slot = slots ? (slots[start + length] as number) : start + length;
      if (slot >= first + limit) break;
      batch[length] = slot - first;
    }
    const products = this.#block(number).products(batch, length);
    for (let index = 0; index < length; index += 1) {
      const slot = first + (batch[index] as number);
      const score = (products[index] as number) * query.scale * (this.#scales[slot] as number);
      if (score > best.threshold) best.offer(slot, score);
    }
    return length;
  }

  /** Rising and without repetition, so that memory is walked in one direction. */
  #slotsOf(keys: Iterable<number>): Int32Array {
    const slots = new Set<number>();
    for (const key of keys) {
      const slot = this.#slots.get(key);
      if (slot !== undefined) slots.add(slot);
    }
    return Int32Array.from(slots).sort();
  }

  #claim(key: number, slot: number): void {
    if (slot === this.#scales.length) {
      this.#keys = doubled(this.#keys);
      this.#scales = doubled(this.#scales);
    }
    this.#slots.set(key, slot);
    this.#keys[slot] = key;
  }

  /** Moves the last vector into the gap, so that the blocks stay dense. */
  #remove(key: number): void {
    const gap = this.#slots.get(key);
    if (gap === undefined) return;
    const last = this.#slots.size - 1;
    const moved = this.#keys[last] ?? 0;
    if (gap !== last) this.#write(gap, this.#read(last));
    this.#scales[gap] = this.#scales[last] ?? 0;
    this.#keys[gap] = moved;
    this.#slots.set(moved, gap);
    this.#slots.delete(key);
  }

  #write(slot: number, components: Int8Array): void {
    const { limit } = this.#block(0);
    this.#block(Math.floor(slot / limit)).write(slot % limit, components);
  }

  #read(slot: number): Int8Array {
    const { limit } = this.#block(0);
    return this.#block(Math.floor(slot / limit)).read(slot % limit);
  }

  #block(number: number): RowBlock {
    const known = this.#blocks[number];
    if (known) return known;
    const block = new RowBlock(this.#dimensions, this.#options);
    this.#blocks[number] = block;
    return block;
  }
}

function doubled(from: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const to = new Float64Array(from.length * 2);
  to.set(from);
  return to;
}
