import { BestEntries } from './best.ts';
import type { QuantisedQuery, QuantisedVector } from './quantise.ts';

/** An embedding and its cosine to the question. */
export interface Neighbour {
  readonly embedding: number;
  readonly score: number;
}

/** Finds nearest embeddings in memory; the file is the truth and an index only a copy of it that can be rebuilt. */
export interface VectorIndex {
  readonly size: number;
  /** Adds the vector of an embedding, or puts it in place of the one it had. */
  set(embedding: number, vector: QuantisedVector): void;
  /** Drops every embedding that is not among these. */
  retain(live: ReadonlySet<number>): void;
  /** The nearest embeddings, best first; where `among` is given, only of those. */
  nearest(query: QuantisedQuery, limit: number, among?: Iterable<number>): Neighbour[];
}

const firstCapacity = 1024;

/** All vectors of a space in one block of memory: exact search by looking at each. */
export class VectorMatrix implements VectorIndex {
  readonly #dimensions: number;
  readonly #slots = new Map<number, number>();
  #embeddings = new Float64Array(firstCapacity);
  #scales = new Float64Array(firstCapacity);
  #components: Int8Array;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#components = new Int8Array(firstCapacity * dimensions);
  }

  get size(): number {
    return this.#slots.size;
  }

  set(embedding: number, vector: QuantisedVector): void {
    const slot = this.#slots.get(embedding) ?? this.#claim(embedding);
    this.#scales[slot] = vector.scale;
    this.#components.set(vector.components, slot * this.#dimensions);
  }

  retain(live: ReadonlySet<number>): void {
    for (const embedding of [...this.#slots.keys()]) if (!live.has(embedding)) this.#remove(embedding);
  }

  nearest(query: QuantisedQuery, limit: number, among?: Iterable<number>): Neighbour[] {
    const best = new BestEntries(limit);
    if (among) this.#scanSlots(query, this.#slotsOf(among), best);
    else this.#scanAll(query, best);
    return best.sorted().map(({ entry, score }) => ({ embedding: this.#embeddings[entry] ?? 0, score }));
  }

  #scanAll({ components, scale }: QuantisedQuery, best: BestEntries): void {
    const { size } = this;
    for (let slot = 0; slot < size; slot += 1) {
      const product = dotProduct(this.#components, slot * this.#dimensions, components);
      const score = product * scale * (this.#scales[slot] ?? 0);
      if (score > best.threshold) best.offer(slot, score);
    }
  }

  #scanSlots({ components, scale }: QuantisedQuery, slots: Iterable<number>, best: BestEntries): void {
    for (const slot of slots) {
      const product = dotProduct(this.#components, slot * this.#dimensions, components);
      best.offer(slot, product * scale * (this.#scales[slot] ?? 0));
    }
  }

  #slotsOf(embeddings: Iterable<number>): Set<number> {
    const slots = new Set<number>();
    for (const embedding of embeddings) {
      const slot = this.#slots.get(embedding);
      if (slot !== undefined) slots.add(slot);
    }
    return slots;
  }

  #claim(embedding: number): number {
    const slot = this.#slots.size;
    if (slot === this.#scales.length) this.#grow();
    this.#slots.set(embedding, slot);
    this.#embeddings[slot] = embedding;
    return slot;
  }

  /** Moves the last vector into the gap, so that the block stays dense. */
  #remove(embedding: number): void {
    const gap = this.#slots.get(embedding);
    if (gap === undefined) return;
    const last = this.#slots.size - 1;
    const moved = this.#embeddings[last] ?? 0;
    this.#components.copyWithin(
      gap * this.#dimensions,
      last * this.#dimensions,
      (last + 1) * this.#dimensions,
    );
    this.#scales[gap] = this.#scales[last] ?? 0;
    this.#embeddings[gap] = moved;
    this.#slots.set(moved, gap);
    this.#slots.delete(embedding);
  }

  #grow(): void {
    const capacity = this.#scales.length * 2;
    this.#embeddings = grown(this.#embeddings, new Float64Array(capacity));
    this.#scales = grown(this.#scales, new Float64Array(capacity));
    this.#components = grown(this.#components, new Int8Array(capacity * this.#dimensions));
  }
}

function grown<Block extends Float64Array | Int8Array>(from: Block, to: Block): Block {
  to.set(from);
  return to;
}

/**
 * Whole numbers of 32 bits in four independent sums: measured faster than floating point, and exact. The casts to
 * number are safe because both arrays are as long as the loops run; a check for each value would double the time.
 */
function dotProduct(matrix: Int8Array, offset: number, query: Int16Array): number {
  const { length } = query;
  const whole = length - (length % 4);
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  let index = 0;
  let place = offset;
  for (; index < whole; index += 4, place += 4) {
    first = (first + Math.imul(matrix[place] as number, query[index] as number)) | 0;
    second = (second + Math.imul(matrix[place + 1] as number, query[index + 1] as number)) | 0;
    third = (third + Math.imul(matrix[place + 2] as number, query[index + 2] as number)) | 0;
    fourth = (fourth + Math.imul(matrix[place + 3] as number, query[index + 3] as number)) | 0;
  }
  for (; index < length; index += 1, place += 1) {
    first = (first + Math.imul(matrix[place] as number, query[index] as number)) | 0;
  }
  return first + second + third + fourth;
}
