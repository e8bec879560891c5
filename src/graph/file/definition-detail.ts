import type { CodeDefinition } from '../../core/code-graph.ts';
import { nextNumber, pushNumber } from './sites.ts';

/** What is kept of a definition in its own row, besides its name. */
export type DefinitionDetail = Omit<CodeDefinition, 'name'>;

/** Kinds that are written as their number; never another order, which is another layout. */
const kinds = [
  'function',
  'method',
  'class',
  'property',
  'constant',
  'variable',
  'interface',
  'type',
  'enum',
  'constructor',
  'macro',
  'struct',
  'declaration',
  'module',
];

/** A definition as small numbers, and behind them its texts with their lengths: as JSON it took twice as much. */
export function packDetail(definition: CodeDefinition): Buffer {
  const { kind, scope, within = -1, line, column, firstLine, lastLine, signature } = definition;
  const { exported, type, parents } = definition;
  const known = kinds.indexOf(kind);
  const isExported = exported === undefined ? 0 : exported ? 2 : 1;
  const flags = isExported + (type === undefined ? 0 : 3) + (parents === undefined ? 0 : 6);
  const numbers: number[] = [];
  for (const value of [flags, known + 1, within + 1, line, column, firstLine, lastLine, scope.length])
    pushNumber(numbers, value);
  const texts = [...scope, ...(known < 0 ? [kind] : []), ...(type === undefined ? [] : [type])];
  const parts = [...texts, signature, ...(parents ?? [])].flatMap((text) => {
    const bytes = Buffer.from(text);
    const length: number[] = [];
    pushNumber(length, bytes.length);
    return [Buffer.from(length), bytes];
  });
  return Buffer.concat([Buffer.from(numbers), ...parts]);
}

/** The definition that was packed. */
export function unpackDetail(bytes: Uint8Array): DefinitionDetail {
  const packed = { bytes, at: 0 };
  const number = (): number => nextNumber(packed);
  const text = (): string => {
    const length = number();
    packed.at += length;
    return Buffer.from(bytes.buffer, bytes.byteOffset + packed.at - length, length).toString();
  };
  const [flags, known, within] = [number(), number(), number() - 1];
  const [line, column, firstLine, lastLine] = [number(), number(), number(), number()];
  const scope = Array.from({ length: number() }, text);
  const kind = kinds[known - 1] ?? text();
  const type = Math.floor(flags / 3) % 2 === 1 ? text() : undefined;
  const signature = text();
  const parents: string[] = [];
  while (packed.at < bytes.length) parents.push(text());
  return {
    kind,
    scope,
    ...(within >= 0 && { within }),
    line,
    column,
    firstLine,
    lastLine,
    signature,
    ...(flags % 3 > 0 && { exported: flags % 3 === 2 }),
    ...(type !== undefined && { type }),
    ...(flags >= 6 && { parents }),
  };
}
