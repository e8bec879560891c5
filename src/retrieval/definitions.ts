import type { Chunk, CodeSymbol } from '../core/chunk.ts';
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

/** Whether a chunk has the line that declares one of the names; of a definition that was cut, only one of the parts has it. */
export function declaresOneOf(names: ReadonlySet<string>, chunk: Chunk): boolean {
  const own = chunk.symbol?.name ?? '';
  if (isAskedFor(names, own)) return holdsDeclaration(chunk);
  return definesOneOf(names, chunk);
}

/**
 * Whether a chunk has the line that declares what it is about. A definition may be cut into parts, and the first of them may
 * be nothing but the comment above it. `impl Display for Name` and `extension Name` belong to the name and declare nothing.
 */
export function holdsDeclaration({ symbol, text, metadata }: Chunk): boolean {
  if (symbol?.kind === 'impl' || symbol?.kind === 'extension') return false;
  if (metadata.part === undefined) return true;
  const { name = '', signature = '' } = symbol ?? {};
  const end = signature.indexOf(name) + name.length;
  const head = signature.slice(0, end);
  if (name === '' || end < name.length) return String(metadata.part).startsWith('1/');
  // A comment may have the same line as an example.
  const code = head.startsWith('#') ? text : text.replace(/^[ \t]*(?:#(?!\[)|\/\/|\/?\*|--).*$/gm, '');
  return onOneLine(code).includes(onOneLine(head));
}

/** `search`, or with its scope `Store.search`, `Store::search` or `Store#search`; a module may be `Ecto.Changeset` itself. */
export function isNamed(symbol: CodeSymbol | undefined, name: string): boolean {
  if (!symbol) return false;
  const wanted = partsOf(name);
  if (symbol.name === name || wanted.length === 1) return symbol.name === name || symbol.name === wanted[0];
  return endsWith([...symbol.scope, symbol.name], wanted);
}

/** The names of which a qualified one is made. */
export function partsOf(name: string): string[] {
  return name.replace(/\(\)$/, '').split(/::|[.#]/);
}

/** Whether a chunk has the declaration of a name, in the same letters: a definition of it, within its owner where that is given. */
export function declaresNamed(wanted: string, chunk: Chunk): boolean {
  const { symbol } = chunk;
  if (isNamed(symbol, wanted)) return holdsDeclaration(chunk);
  const [name = '', ...outer] = partsOf(wanted).reverse();
  if (!symbol || symbol.name === name || !definedBy(chunk).includes(name)) return false;
  const owner = outer.reverse();
  if (owner.length === 0) return !isOnlyExtended(chunk.text, name);
  const { scope } = symbol;
  // Small definitions share a chunk, which has the scope of the first; some of them say themselves whose they are.
  const written = ownersWritten(chunk.text, name);
  if (written.length > 0) return owner.length === 1 && written.includes(owner[0] ?? '');
  return endsWith(scope, owner) || endsWith([...scope, symbol.name], owner);
}

/** What stands before the name of a type that is declared, in languages where something else adds to it. */
const typeWords = new Set(['struct', 'enum', 'class', 'actor', 'trait', 'protocol', 'type', 'union']);

/** Whether a text adds to what a name means elsewhere and does not declare it: `extension Request`, `impl Display for Request`. */
function isOnlyExtended(text: string, name: string): boolean {
  if (!/\b(?:extension|impl)\b/.test(text)) return false;
  const words = text.split(/[^\p{L}\p{N}_$]+/u);
  return !words.some((word, at) => word === name && typeWords.has(words[at - 1] ?? ''));
}

/** Whose a function of this name is in Go, where methods stand outside of their type: `func (c *Context) Next()`; empty for one of nobody. */
function ownersWritten(text: string, name: string): string[] {
  return text.split('\n').flatMap((line) => {
    if (line.startsWith(`func ${name}(`) || line.startsWith(`func ${name}[`)) return [''];
    const end = line.indexOf(')');
    if (!line.startsWith('func (') || !line.startsWith(` ${name}(`, end + 1)) return [];
    const receiver = line.slice('func ('.length, end).split('[')[0] ?? '';
    return receiver.split(/[ *]/).slice(-1);
  });
}

function endsWith(path: readonly string[], end: readonly string[]): boolean {
  const parts = path.flatMap(partsOf);
  return end.every((part, at) => part === parts.at(at - end.length));
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
