/**
 * Dot products of many rows of bytes with one query, in WebAssembly with 128-bit vectors: about ten times as fast as
 * the same loop in JavaScript (100,000 rows of 384 values in 5 to 8 ms instead of 55, on one core of a Xeon).
 * The module is so small that it is put together here, in the open, instead of being shipped as a binary.
 */

/** Rows are padded with zeros to a multiple of this many bytes. */
export const rowAlignment = 16;

/** How many rows the kernel takes at a time; the list of rows is filled up to a multiple of it. */
export const rowsAtOnce = 4;

/** Writes the dot products of `count` rows, whose addresses stand at `rows`, to `out` as 32-bit whole numbers. */
export type DotProducts = (rows: number, count: number, width: number, query: number, out: number) => void;

/** Memory that a kernel works on; growing replaces the buffer. */
export interface KernelMemory {
  readonly buffer: ArrayBuffer;
  /** Adds so many pages of 64 KiB. */
  grow(pages: number): number;
}

/** The part of WebAssembly that is used here; the language's own library has no types for it. */
interface WebAssemblyRuntime {
  readonly Memory: new (size: { initial: number }) => KernelMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, host: object) => { readonly exports: Record<string, unknown> };
}

// Absent where the runtime may not compile at all.
const runtime = (globalThis as unknown as { WebAssembly?: WebAssemblyRuntime }).WebAssembly;
let compiled: object | undefined;

/** Memory that the kernel can work on, or undefined where there is none to be had. */
export function reserveMemory(pages: number): KernelMemory | undefined {
  try {
    return runtime && new runtime.Memory({ initial: pages });
  } catch {
    // The process may not reserve so much address space.
    return undefined;
  }
}

/** The kernel over this memory, or undefined where the processor has no vector instructions. */
export function loadKernel(memory: KernelMemory): DotProducts | undefined {
  if (!runtime) return undefined;
  try {
    compiled ??= new runtime.Module(kernelModule());
    const { exports } = new runtime.Instance(compiled, { host: { memory } });
    return exports.dotProducts as DotProducts; // The module below exports exactly this.
  } catch {
    // No vector instructions: plain code computes the same.
    return undefined;
  }
}

// Numbers of the locals: five parameters, then the end of the query, four row addresses, the query's place, and the
// registers: one sum for each row and the piece of the query that all four rows meet.
const [rows, count, width, query, out, end, place] = [0, 1, 2, 3, 4, 5, 6];
const addresses = [7, 8, 9, 10];
const sums = [11, 12, 13, 14];
const piece = 15;

const [i32, v128] = [0x7f, 0x7b];
const add = [0x6a];
const subtract = [0x6b];
const shiftLeft = [0x74];
const isLess = [0x49];
const loopStart = [0x03, 0x40];
const blockEnd = [0x0b];
const branchToLoop = [0x0d, 0x00];

/** For four rows at a time: walk over the query in steps of 16 values, then store the four sums. */
function kernelBody(): number[] {
  return [
    ...loopStart,
    ...addresses.flatMap((address, row) => [...get(rows), ...loadWord(row * 4), ...set(address)]),
    ...get(query),
    ...set(place),
    ...[...get(query), ...get(width), ...constant(1), ...shiftLeft, ...add, ...set(end)],
    ...sums.flatMap((sum) => [...zeros(), ...set(sum)]),
    ...loopStart,
    ...eightValues(0),
    ...eightValues(1),
    ...addresses.flatMap((address) => [...get(address), ...constant(16), ...add, ...set(address)]),
    ...[...get(place), ...constant(32), ...add, ...tee(place), ...get(end), ...isLess, ...branchToLoop],
    ...blockEnd,
    ...sums.flatMap((sum, row) => [...get(out), ...total(sum), ...storeWord(row * 4)]),
    ...[...get(out), ...constant(16), ...add, ...set(out)],
    ...[...get(rows), ...constant(16), ...add, ...set(rows)],
    ...[...get(count), ...constant(rowsAtOnce), ...subtract, ...tee(count), ...branchToLoop],
    ...blockEnd,
  ];
}

/** Eight values of the query with eight of each row: bytes widen to 16 bits on loading, pairs of products to 32. */
function eightValues(part: number): number[] {
  return [
    ...[...get(place), ...loadVector(part * 16), ...set(piece)],
    ...addresses.flatMap((address, row) => [
      ...[...get(address), ...loadBytesWidened(part * 8), ...get(piece), ...vector(0xba)],
      ...[...get(sums[row] ?? 0), ...vector(0xae), ...set(sums[row] ?? 0)],
    ]),
  ];
}

function total(sum: number): number[] {
  const lane = (number: number) => [...get(sum), ...vector(0x1b), number];
  return [...lane(0), ...lane(1), ...add, ...lane(2), ...add, ...lane(3), ...add];
}

function kernelModule(): Uint8Array {
  // Locals 5 to 10 are addresses, 11 to 15 are registers.
  const locals = list([
    [6, i32],
    [5, v128],
  ]);
  const code = [...locals, ...kernelBody(), ...blockEnd];
  const parameters = list([[i32], [i32], [i32], [i32], [i32]]);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([[0x60, ...parameters, 0]])),
    ...section(2, list([[...text('host'), ...text('memory'), 2, 0, 1]])),
    ...section(3, list([[0]])),
    ...section(7, list([[...text('dotProducts'), 0, 0]])),
    ...section(10, list([[...unsigned(code.length), ...code]])),
  ]);
}

function get(local: number): number[] {
  return [0x20, local];
}

function set(local: number): number[] {
  return [0x21, local];
}

function tee(local: number): number[] {
  return [0x22, local];
}

/** A number below 64: larger ones would need more than one byte. */
function constant(value: number): number[] {
  return [0x41, value];
}

function vector(operation: number): number[] {
  return [0xfd, ...unsigned(operation)];
}

function zeros(): number[] {
  return [...vector(0x0c), ...new Array<number>(16).fill(0)];
}

function loadVector(offset: number): number[] {
  return [...vector(0x00), 0, offset];
}

function loadBytesWidened(offset: number): number[] {
  return [...vector(0x01), 0, offset];
}

function loadWord(offset: number): number[] {
  return [0x28, 2, offset];
}

function storeWord(offset: number): number[] {
  return [0x36, 2, offset];
}

function section(id: number, body: readonly number[]): number[] {
  return [id, ...unsigned(body.length), ...body];
}

function list(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function text(word: string): number[] {
  return [word.length, ...new TextEncoder().encode(word)];
}

/** A whole number in groups of seven bits, lowest first. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}
