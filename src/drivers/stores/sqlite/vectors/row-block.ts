import {
  type DotProducts,
  type KernelMemory,
  loadKernel,
  reserveMemory,
  rowAlignment,
  rowsAtOnce,
} from './kernel.ts';

/** How many rows are asked for in one go. */
export const batchRows = 4096;

const pageBytes = 65_536;
/** A block is one WebAssembly memory, which cannot hold more than 4 GiB. */
const defaultBlockBytes = 2 ** 30;
const firstRows = 1024;

/** How rows are kept. */
export interface BlockOptions {
  /** `false` computes in JavaScript, as a runtime without vector instructions does. */
  readonly useKernel?: boolean;
  /** How large a block may become. */
  readonly blockBytes?: number;
}

/** Rows of bytes of one length in one piece of memory, and their dot products with a query. */
export class RowBlock {
  /** How many rows a block of this kind can hold. */
  readonly limit: number;
  readonly #dimensions: number;
  readonly #width: number;
  readonly #memory: KernelMemory;
  readonly #kernel: DotProducts | undefined;
  /** Where the parts of the memory begin: the query, the addresses of rows, their products, the rows. */
  readonly #places: {
    readonly query: number;
    readonly list: number;
    readonly out: number;
    readonly rows: number;
  };
  #views: Views;
  #query: Int16Array = new Int16Array();

  constructor(dimensions: number, { useKernel = true, blockBytes = defaultBlockBytes }: BlockOptions = {}) {
    this.#dimensions = dimensions;
    this.#width = Math.ceil(dimensions / rowAlignment) * rowAlignment;
    const list = this.#width * 2;
    const out = list + batchRows * 4;
    this.#places = { query: 0, list, out, rows: out + batchRows * 4 };
    const whole = Math.floor((blockBytes - this.#places.rows) / this.#width);
    this.limit = Math.max(batchRows, whole - (whole % batchRows));
    const pages = Math.ceil((this.#places.rows + firstRows * this.#width) / pageBytes);
    const memory = useKernel ? reserveMemory(pages) : undefined;
    this.#memory = memory ?? new PlainMemory(pages);
    this.#kernel = memory && loadKernel(memory);
    this.#views = this.#view();
  }

  /** Bytes that are set aside; those that were never written take no room yet. */
  get bytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Writes a row; those before it must be there. */
  write(row: number, components: Int8Array): void {
    this.#reach(row);
    // A row of a damaged file may be too long: it must not reach into the next one.
    const fitting =
      components.length > this.#dimensions ? components.subarray(0, this.#dimensions) : components;
    const start = this.#address(row);
    this.#views.bytes.set(fitting, start);
    // Nor may one that is too short keep the end of what stood there before.
    if (fitting.length < this.#dimensions)
      this.#views.bytes.fill(0, start + fitting.length, start + this.#dimensions);
  }

  /** The components of a row, as they stand: valid until the next row is written. */
  read(row: number): Int8Array {
    const start = this.#address(row);
    return this.#views.bytes.subarray(start, start + this.#dimensions);
  }

  /** Sets the query that products are asked for. */
  ask(query: Int16Array): void {
    this.#query = query;
    this.#views.query.fill(0);
    this.#views.query.set(query);
  }

  /** The products of up to `batchRows` rows, in the order of their numbers; valid until the next call. */
  products(numbers: ArrayLike<number>, count: number): Int32Array {
    const { list, out } = this.#views;
    if (!this.#kernel) {
      for (let index = 0; index < count; index += 1) {
        out[index] = dotProduct(this.#views.bytes, this.#address(numbers[index] ?? 0), this.#query);
      }
      return out;
    }
    for (let index = 0; index < count; index += 1) list[index] = this.#address(numbers[index] ?? 0);
    const whole = Math.ceil(count / rowsAtOnce) * rowsAtOnce;
    for (let index = count; index < whole; index += 1) list[index] = this.#places.rows;
    if (whole > 0) {
      this.#kernel(this.#places.list, whole, this.#width, this.#places.query, this.#places.out);
    }
    return out;
  }

  #address(row: number): number {
    return this.#places.rows + row * this.#width;
  }

  #reach(row: number): void {
    const needed = this.#address(row + 1);
    const held = this.bytes;
    if (needed <= held) return;
    // Half as much again: what is reserved and never written costs nothing.
    const wanted = Math.min(Math.max(needed, Math.ceil(held * 1.5)), this.#address(this.limit));
    this.#memory.grow(Math.ceil((Math.max(wanted, needed) - held) / pageBytes));
    this.#views = this.#view();
    this.ask(this.#query);
  }

  #view(): Views {
    const { buffer } = this.#memory;
    const { query, list, out } = this.#places;
    return {
      bytes: new Int8Array(buffer),
      query: new Int16Array(buffer, query, this.#width),
      list: new Uint32Array(buffer, list, batchRows),
      out: new Int32Array(buffer, out, batchRows),
    };
  }
}

/** Windows on the memory; it is another buffer after growing. */
interface Views {
  readonly bytes: Int8Array;
  readonly query: Int16Array;
  readonly list: Uint32Array;
  readonly out: Int32Array;
}

/** Memory for a runtime that has no WebAssembly. */
class PlainMemory implements KernelMemory {
  buffer: ArrayBuffer;

  constructor(pages: number) {
    this.buffer = new ArrayBuffer(pages * pageBytes);
  }

  grow(pages: number): number {
    const before = this.buffer.byteLength / pageBytes;
    this.buffer = this.buffer.transfer(this.buffer.byteLength + pages * pageBytes);
    return before;
  }
}

/**
 * The dot product of a row of bytes and a query, in whole numbers of 32 bits and four independent sums: measured
 * faster than floating point, and exact. The casts to number are safe because both arrays are as long as the loops
 * run; a check for each value would double the time.
 */
export function dotProduct(matrix: Int8Array, offset: number, query: Int16Array): number {
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
