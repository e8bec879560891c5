import { readFileSync } from 'node:fs';

/** A name in a file, as a compiler understood it. */
export interface Occurrence {
  /** From 0, as the format has them. */
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly symbol: string;
  readonly isDefinition: boolean;
}

/** The occurrences of each file of an index in the SCIP format. */
export function readScip(path: string): Map<string, Occurrence[]> {
  const documents = new Map<string, Occurrence[]>();
  for (const { field, bytes } of fieldsOf(readFileSync(path))) {
    if (field !== 2 || !bytes) continue;
    let name = '';
    const occurrences: Occurrence[] = [];
    for (const part of fieldsOf(bytes)) {
      if (part.field === 1 && part.bytes) name = Buffer.from(part.bytes).toString();
      if (part.field === 2 && part.bytes) occurrences.push(occurrenceOf(part.bytes));
    }
    documents.set(name.replaceAll('\\', '/'), occurrences);
  }
  return documents;
}

function occurrenceOf(bytes: Uint8Array): Occurrence {
  let range: number[] = [];
  let symbol = '';
  let roles = 0;
  for (const { field, bytes: value, number } of fieldsOf(bytes)) {
    if (field === 1) range = value ? [...numbersOf(value)] : [...range, number];
    if (field === 2 && value) symbol = Buffer.from(value).toString();
    if (field === 3) roles = number;
  }
  const [line = 0, column = 0, third = 0, fourth] = range;
  return {
    line,
    column,
    endLine: fourth === undefined ? line : third,
    endColumn: fourth ?? third,
    symbol,
    isDefinition: roles % 2 === 1,
  };
}

interface Field {
  readonly field: number;
  readonly number: number;
  readonly bytes?: Uint8Array;
}

/** The fields of a message of protocol buffers, one after the other. */
function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let factor = 1; at < bytes.length; factor *= 128) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value += (byte % 128) * factor;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < bytes.length) {
    const tag = next();
    const field = Math.floor(tag / 8);
    const kind = tag % 8;
    if (kind === 0) yield { field, number: next() };
    else if (kind === 2) {
      const length = next();
      yield { field, number: 0, bytes: bytes.subarray(at, at + length) };
      at += length;
    } else at += kind === 1 ? 8 : 4;
  }
}

function* numbersOf(bytes: Uint8Array): Generator<number> {
  let value = 0;
  let factor = 1;
  for (const byte of bytes) {
    value += (byte % 128) * factor;
    factor *= 128;
    if (byte >= 128) continue;
    yield value;
    value = 0;
    factor = 1;
  }
}
