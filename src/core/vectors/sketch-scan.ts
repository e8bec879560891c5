/** Values that are added at once: as many 16-bit numbers as one vector register holds. */
export const lanes = 8;
/** Bytes of the tables of one byte of a row: for each half of it what sixteen values add, for all lanes. */
const tableBytes = 2 * 16 * lanes * 2;
const pageBytes = 65_536;

/** Tables for eight tokens of a query, one after the other for each byte of a row: 16 times eight numbers for its low half, and for its high half. */
export type ScanTables = Int16Array;

/** How many numbers the tables of a group have for rows of so many bytes. */
export function tableLength(bytes: number): number {
  return (bytes * tableBytes) / 2;
}

/** As much of the platform's WebAssembly as is used here; its types come with those of browsers alone. */
interface Platform {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (compiled: object) => { readonly exports: Pick<Scanner, 'memory' | 'scan'> };
  };
}

interface Scanner {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly scan: (tables: number, sketch: number, rows: number, bytes: number, best: number) => void;
  /** Whose tables are in memory. */
  owner: readonly ScanTables[] | undefined;
}

let scanner: Scanner | undefined;

/**
 * For each group of tables the highest sum of each lane over all rows of a sketch, one group after the other. One memory
 * serves all queries: tables are put there again where another query was answered in between.
 */
export function scan(groups: readonly ScanTables[], sketch: Uint8Array, bytes: number): Int16Array {
  scanner ??= compile();
  const { memory, scan: run } = scanner;
  const first = groups.length * lanes * 2;
  const sketchAt = first + groups.length * bytes * tableBytes;
  const wanted = Math.ceil((sketchAt + sketch.length) / pageBytes) - memory.buffer.byteLength / pageBytes;
  if (wanted > 0) memory.grow(wanted);
  if (scanner.owner !== groups) {
    for (const [place, tables] of groups.entries())
      new Int16Array(memory.buffer, first + place * bytes * tableBytes, tables.length).set(tables);
    scanner.owner = groups;
  }
  new Uint8Array(memory.buffer, sketchAt, sketch.length).set(sketch);
  const rows = Math.floor(sketch.length / bytes);
  for (const place of groups.keys())
    run(first + place * bytes * tableBytes, sketchAt, rows, bytes, place * lanes * 2);
  return new Int16Array(memory.buffer, 0, groups.length * lanes);
}

function compile(): Scanner {
  const { WebAssembly } = globalThis as unknown as Platform;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes()));
  return { memory: exports.memory, scan: exports.scan, owner: undefined };
}

/** The loop as WebAssembly, since JavaScript has no instructions that add eight numbers at once; ten times as fast. */
function moduleBytes(): Uint8Array<ArrayBuffer> {
  const [i32, v128, nothing] = [0x7f, 0x7b, 0x40];
  const [tables, sketch, rows, bytes, best, sum, top, table, left, byte] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const get = (local: number | undefined) => [0x20, local ?? 0];
  const set = (local: number | undefined) => [0x21, local ?? 0];
  const tee = (local: number | undefined) => [0x22, local ?? 0];
  const number = (value: number) => [0x41, ...signed(value)];
  const add = [0x6a];
  const and = [0x71];
  const shiftLeft = [0x74];
  const loadByte = [0x2d, 0, 0];
  const loadLanes = (offset: number) => [0xfd, 0x00, 1, ...unsigned(offset)];
  const storeLanes = [0xfd, 0x0b, 1, 0];
  const allLanes = (low: number, high: number) => [
    0xfd,
    0x0c,
    ...Array.from({ length: lanes }, () => [low, high]).flat(),
  ];
  const addLanes = [0xfd, 0x8f, 0x01];
  const greaterLanes = [0xfd, 0x98, 0x01];
  const loop = (...body: number[][]) => [0x03, nothing, ...body.flat(), 0x0b];
  const againIf = [0x0d, 0];
  const onlyIf = (...body: number[][]) => [0x04, nothing, ...body.flat(), 0x0b];

  // sum += low half's lanes + high half's lanes, for one byte of a row.
  const oneByte = [
    get(sum),
    [...get(sketch), ...loadByte, ...tee(byte), ...number(15), ...and, ...number(4), ...shiftLeft],
    [...get(table), ...add, ...loadLanes(0), ...addLanes],
    [...get(byte), ...number(0xf0), ...and, ...get(table), ...add, ...loadLanes(tableBytes / 2), ...addLanes],
    set(sum),
    [...get(table), ...number(tableBytes), ...add, ...set(table)],
    [...get(sketch), ...number(1), ...add, ...set(sketch)],
    [...get(left), ...number(-1), ...add, ...tee(left), ...againIf],
  ];
  const oneRow = [
    [...allLanes(0, 0), ...set(sum)],
    [...get(tables), ...set(table)],
    [...get(bytes), ...set(left)],
    loop(...oneByte),
    [...get(top), ...get(sum), ...greaterLanes, ...set(top)],
    [...get(rows), ...number(-1), ...add, ...tee(rows), ...againIf],
  ];
  const body = [
    // Locals beside the five parameters: two of eight lanes, three numbers.
    [2, 2, v128, 3, i32],
    [...allLanes(0x00, 0x80), ...set(top)],
    [...get(rows), ...onlyIf(loop(...oneRow))],
    [...get(best), ...get(top), ...storeLanes],
    [0x0b],
  ].flat();
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 5, i32, i32, i32, i32, i32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, ...name('memory'), 2, 0, ...name('scan'), 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]);
}

function section(kind: number, content: readonly number[]): number[] {
  return [kind, ...unsigned(content.length), ...content];
}

function name(text: string): number[] {
  return [text.length, ...new TextEncoder().encode(text)];
}

/** A number in groups of seven bits, lowest first, as WebAssembly writes it. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const rest = value >> 7;
  const isLast = (rest === 0 && (value & 64) === 0) || (rest === -1 && (value & 64) !== 0);
  return isLast ? [value & 127] : [(value & 127) | 128, ...signed(rest)];
}
