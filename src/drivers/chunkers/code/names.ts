import { containerKinds, type LanguageRules } from './grammar-rules.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/** A name without its qualifiers. */
export interface QualifiedName {
  readonly name: string;
  readonly qualifiers: readonly string[];
  /** Whether it is assigned to the exports of a CommonJS module. */
  readonly published: boolean;
}

/** Fields that lead to a name, the most specific first. */
const nameFields = ['name', 'key', 'property', 'pattern', 'left', 'declarator'] as const;
/** Nodes that are a name as a whole. */
const wholeName =
  /identifier|name$|_expression$|_specifier$|^(?:constant|alias|user_type|generic_type|pattern)$/;
const deepestName = 12;
const maxNameLength = 120;
/** Parts of an assigned path that do not qualify the name. */
const plumbing = new Set(['prototype', 'module', 'exports', 'this', 'self', 'window', 'globalThis']);

/** The text that names a definition, or undefined where there is none. */
export function resolveName(node: SyntaxNode, rules: LanguageRules): string | undefined {
  if (rules.calls !== undefined && node.type === 'call') return nameOfCall(node);
  const known = rules.unnamed?.[node.type];
  if (known !== undefined) return childOf(node, rules.names)?.text ?? known;
  const label = rules.labels?.[node.type];
  if (label !== undefined) {
    const labels = node.namedChildren.filter((child) => child.type === label);
    if (labels.length > 0) return labels.map(({ text }) => withoutGenerics(text)).join('.');
  }
  let current = node;
  for (let depth = 0; depth < deepestName; depth += 1) {
    if (depth > 0 && wholeName.test(current.type) && !rules.within?.includes(current.type)) break;
    const next = nameWithin(current, rules);
    if (next === undefined) break;
    current = next;
  }
  if (current === node) return undefined;
  const { text } = current;
  return isName(text) ? text : undefined;
}

function nameWithin(node: SyntaxNode, rules: LanguageRules): SyntaxNode | undefined {
  for (const field of nameFields) {
    const child = node.childForFieldName(field);
    if (child !== undefined) return child;
  }
  const named = childOf(node, rules.names);
  if (named !== undefined) return named;
  const type = node.childForFieldName('type');
  if (type !== undefined) return type;
  if (!node.type.endsWith('_declarator')) return undefined;
  return node.namedChildren.find((child) => /declarator$|identifier$|name$/.test(child.type));
}

function childOf(node: SyntaxNode, kinds: readonly string[] | undefined): SyntaxNode | undefined {
  return node.namedChildren.find((child) => kinds?.includes(child.type));
}

/** The first argument of a defining macro, up to its own arguments or guard. */
function nameOfCall(node: SyntaxNode): string | undefined {
  const list = node.namedChildren.find((child) => child.type === 'arguments');
  return list?.text.match(/^[\p{L}_][\p{L}\p{N}_.]*[?!]?/u)?.[0];
}

function isName(text: string): boolean {
  if (text.length === 0 || text.length > maxNameLength) return false;
  return text.startsWith('operator') || /^[^\s{}()[\];,]+$/u.test(withoutGenerics(text));
}

function withoutGenerics(text: string): string {
  // Fast path: nearly every name is a plain word.
  if (/^\w+$/.test(text)) return text;
  let bare = text;
  for (let depth = 0; depth < 4 && /<[^<>]*>/.test(bare); depth += 1) bare = bare.replace(/<[^<>]*>/g, '');
  return bare.replace(/^(['"`])(.*)\1$/su, '$2').trim();
}

/** The last part of a name, without generics and quotes. */
export function bareName(raw: string): string {
  return partsOf(withoutGenerics(raw)).at(-1) ?? raw;
}

/** Splits a written name into the name and what qualifies it. */
export function qualifiedName(raw: string, kind: string, node: SyntaxNode): QualifiedName | undefined {
  const bare = withoutGenerics(raw);
  if (bare === '') return undefined;
  const receiver = receiverOf(node);
  // So is the name of a file that is made: `main.o`.
  if (kind === 'target') return { name: bare, qualifiers: [], published: false };
  // The name of a module or class is whole: `Foo.Bar` is one namespace.
  if (containerKinds.has(kind) && kind !== 'object' && node.childForFieldName('left') === undefined) {
    return { name: bare, qualifiers: [], published: false };
  }
  const parts = partsOf(bare);
  const published = parts[0] === 'exports' || (parts[0] === 'module' && parts[1] === 'exports');
  const meaningful = parts.filter((part) => !plumbing.has(part));
  const name = meaningful.at(-1) ?? parts.at(-1) ?? bare;
  return { name, qualifiers: [...receiver, ...meaningful.slice(0, -1)], published };
}

function partsOf(name: string): readonly string[] {
  if (/^\w+$/.test(name) || name.startsWith('operator')) return [name];
  const parts = name.split(/::|[.:](?=[^.:])/u).filter((part) => part !== '');
  return parts.length === 0 ? [name] : parts;
}

/** The type of a receiver that is written before the name: `(s *Server[T])` is `Server`. */
function receiverOf(node: SyntaxNode): readonly string[] {
  const text = node.childForFieldName('receiver')?.text;
  if (text === undefined) return [];
  const type = text.replace(/\[[^\]]*\]/g, '').match(/([\p{L}_][\p{L}\p{N}_]*)\s*\)$/u)?.[1];
  return type === undefined ? [] : [type];
}
