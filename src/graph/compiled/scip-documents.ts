/** A name in a file, as a compiler understood it. */
export interface ScipOccurrence {
  /** From 1, as the graph counts. */
  readonly line: number;
  readonly column: number;
  readonly symbol: string;
  readonly isDefinition: boolean;
}

/** One file of an index in the SCIP format. */
export interface ScipDocument {
  readonly uri: string;
  /** Undefined stands for what is skipped: a caller can stop there, or let other work be done. */
  readonly occurrences: Iterable<ScipOccurrence | undefined>;
}

/** What an index has next: `step` for what is passed over, `large` for a file of which it says too much, `endless` for too many parts. */
export type ScipPart = ScipDocument | 'step' | 'large' | 'endless';

/** Reads so many bytes from a position of a file; fewer at its end. */
export type ReadBytes = (position: number, length: number) => Uint8Array;

/** Bytes that an index may say of one file of code; it is in memory as a whole. */
const maxDocument = 2 ** 22;
/** Files and other parts of an index: each is looked up in the file, however little it has. */
const maxParts = 500_000;
/** A longer message of one name is passed over. */
const maxOccurrence = 2 ** 14;
/** A longer name of a symbol is passed over. */
const maxSymbol = 2_000;
/** Bytes that are read for the head of a field. */
const headBytes = 32;
const documentField = 2;

/**
 * The files of an index, one after the other, so that no more than one is in memory. What cannot be understood ends it: the index may
 * be cut off, or no index at all.
 */
export function* scipDocuments(read: ReadBytes, size: number): Generator<ScipPart> {
  let at = 0;
  for (let parts = 1; at < size; parts += 1) {
    if (parts > maxParts) return yield 'endless';
    const head = { bytes: read(at, headBytes), at: 0 };
    const field = nextField(head);
    if (!field) return;
    const from = at + head.at;
    at = from + field.length;
    const isDocument = field.number === documentField && field.kind === 2 && at <= size;
    if (!isDocument) yield 'step';
    else if (field.length > maxDocument) yield 'large';
    else yield* documentOf(read(from, field.length));
  }
}

function* documentOf(bytes: Uint8Array): Generator<ScipPart> {
  let uri = '';
  for (const { number, value } of fieldsOf(bytes)) {
    if (number === 1 && value) uri = textOf(value).replaceAll('\\', '/');
    yield 'step';
  }
  if (uri !== '') yield { uri, occurrences: occurrencesOf(bytes) };
}

function* occurrencesOf(bytes: Uint8Array): Generator<ScipOccurrence | undefined> {
  for (const { number, value } of fieldsOf(bytes))
    yield number === 2 && value && value.length <= maxOccurrence ? occurrenceOf(value) : undefined;
}

/** Undefined for what holds within one file only, or is not understood. */
function occurrenceOf(bytes: Uint8Array): ScipOccurrence | undefined {
  const range: number[] = [];
  let symbol = '';
  let roles = 0;
  for (const { number, value, amount } of fieldsOf(bytes)) {
    if (number === 1 && value) range.push(...firstNumbers(value));
    else if (number === 1) range.push(amount);
    else if (number === 2 && value && value.length <= maxSymbol) symbol = textOf(value);
    else if (number === 3) roles = amount;
  }
  const [line, column] = range;
  if (line === undefined || column === undefined || symbol === '' || symbol.startsWith('local '))
    return undefined;
  return { line: line + 1, column: column + 1, symbol, isDefinition: roles % 2 === 1 };
}

interface Field {
  readonly number: number;
  /** The bytes of a text, a message or packed numbers. */
  readonly value?: Uint8Array;
  readonly amount: number;
}

/** The fields of a message of protocol buffers, as far as they can be understood. */
function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  const from = { bytes, at: 0 };
  while (from.at < bytes.length) {
    const field = nextField(from);
    if (!field || from.at + field.length > bytes.length) return;
    const { number, kind, length, amount } = field;
    yield { number, amount, ...(kind === 2 && { value: bytes.subarray(from.at, from.at + length) }) };
    from.at += length;
  }
}

interface Head {
  readonly number: number;
  readonly kind: number;
  /** Bytes that follow. */
  readonly length: number;
  /** The value, where it is a number. */
  readonly amount: number;
}

interface Bytes {
  readonly bytes: Uint8Array;
  at: number;
}

/** The head of the next field, and its value where that is a number; undefined for what is no field. */
function nextField(from: Bytes): Head | undefined {
  const tag = nextNumber(from);
  if (tag === undefined) return undefined;
  const [number, kind] = [Math.floor(tag / 8), tag % 8];
  const fixed = { 1: 8, 5: 4 }[kind];
  if (number === 0) return undefined;
  if (fixed !== undefined) return { number, kind, length: fixed, amount: 0 };
  const amount = kind === 0 || kind === 2 ? nextNumber(from) : undefined;
  if (amount === undefined) return undefined;
  return kind === 0 ? { number, kind, length: 0, amount } : { number, kind, length: amount, amount: 0 };
}

/** The next number; undefined where the bytes end within it, or it is larger than any that the format needs. */
function nextNumber(from: Bytes): number | undefined {
  let value = 0;
  for (let factor = 1; factor < 2 ** 49; factor *= 128) {
    const byte = from.bytes[from.at];
    if (byte === undefined) return undefined;
    from.at += 1;
    value += (byte % 128) * factor;
    if (byte < 128) return value;
  }
  return undefined;
}

/** The first numbers of a packed range: the line and the column where it begins. */
function firstNumbers(bytes: Uint8Array): number[] {
  const from = { bytes, at: 0 };
  const numbers = [nextNumber(from), nextNumber(from)];
  return numbers.flatMap((number) => number ?? []);
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}
