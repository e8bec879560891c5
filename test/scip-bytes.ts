/** A name in a hand-made index of a compiler; lines and columns from 1. */
export interface MadeOccurrence {
  readonly line: number;
  readonly column: number;
  readonly symbol: string;
  readonly isDefinition?: boolean;
}

/** The bytes of a file in an index of the SCIP format. */
export function scipDocument(uri: string, occurrences: readonly MadeOccurrence[]): Buffer {
  return field(2, Buffer.concat([field(1, Buffer.from(uri)), ...occurrences.map(occurrenceOf)]));
}

function occurrenceOf({ line, column, symbol, isDefinition = false }: MadeOccurrence): Buffer {
  const range = Buffer.from([...number(line - 1), ...number(column - 1)]);
  const role = Buffer.from([0x18, isDefinition ? 1 : 0]);
  return field(2, Buffer.concat([field(1, range), field(2, Buffer.from(symbol)), role]));
}

function field(name: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([name * 8 + 2, ...number(content.length)]), content]);
}

function number(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...number(Math.floor(value / 128))];
}
