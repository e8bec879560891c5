import type { Chunk } from '../core/chunk.ts';
import { plainName } from './query/analyse-query.ts';

/** The names that a chunk defines, or belongs to the definition of. */
export function definedBy({ symbol, metadata }: Pick<Chunk, 'symbol' | 'metadata'>): string[] {
  const further = Array.isArray(metadata.symbols) ? metadata.symbols.map(String) : [];
  return [symbol?.name ?? '', ...further].filter((name) => name !== '');
}

/** Whether a chunk defines one of the names, or belongs to the definition. */
export function definesOneOf(names: ReadonlySet<string>, chunk: Pick<Chunk, 'symbol' | 'metadata'>): boolean {
  return names.size > 0 && definedBy(chunk).some((name) => isAskedFor(names, name));
}

/** Whether a name is asked for, or the last part of a qualified one: `Changeset` means `Ecto.Changeset` too. */
export function isAskedFor(names: ReadonlySet<string>, name: string): boolean {
  return names.has(plainName(name)) || names.has(plainName(lastPart(name)));
}

function lastPart(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('#')) + 1);
}

/**
 * Whether a chunk has the line that declares what it is about. A definition may be cut into parts, and the first of them may
 * be nothing but the comment above it. `impl Display for Name` belongs to the name and declares nothing.
 */
export function holdsDeclaration({ symbol, text, metadata }: Chunk): boolean {
  if (symbol?.kind === 'impl') return false;
  if (metadata.part === undefined) return true;
  const { name = '', signature = '' } = symbol ?? {};
  const end = signature.indexOf(name) + name.length;
  const head = signature.slice(0, end);
  if (name === '' || end < name.length) return String(metadata.part).startsWith('1/');
  return onOneLine(text).includes(onOneLine(head));
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
