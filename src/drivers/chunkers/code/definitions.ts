import { shortened } from '../../../core/text/shortened.ts';
import { containerKinds, type LanguageRules, moduleKinds } from './grammar-rules.ts';
import { bareName, type QualifiedName, qualifiedName, resolveName } from './names.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/** A definition as the syntax tree shows it, before its place in the file is known. */
export interface Definition {
  readonly name: string;
  readonly kind: string;
  /** Names that qualify the own name, such as the receiver of a method written outside its class. */
  readonly qualifiers: readonly string[];
  /** The names of all that is defined here: itself, its siblings in one declaration, its members. */
  readonly names: readonly string[];
  /** The node that holds the members or statements, where there is one. */
  readonly body?: SyntaxNode;
  /** The declaration without attributes and body, on one line. */
  signature(): string;
  /** Whether other modules can use it, where the language says so. */
  exported(): boolean | undefined;
}

/** The definition a node encloses. */
export interface Enclosing {
  readonly kind: string;
}

const maxSignatureLength = 200;
/** Wrappers around wrappers: `export` around `const` around a declarator. */
const deepestWrapper = 4;
/** Names listed for one chunk; a generated file may define thousands. */
const maxNames = 64;

/** A node that may define something, and what. */
interface Candidate {
  readonly node: SyntaxNode;
  readonly kind: string;
}

/** Reads what a node defines, looking through export statements, decorators and the like. */
export function readDefinition(
  node: SyntaxNode,
  text: string,
  rules: LanguageRules,
  enclosing: Enclosing | undefined,
): Definition | undefined {
  const candidates = candidatesIn(node, rules, 0);
  const found = candidates.flatMap((candidate) => {
    const shown = candidates.length > 1 ? candidate.node : node;
    return describe(candidate, { outer: node, shown, text, rules, enclosing }) ?? [];
  });
  const main = found.find((definition) => definition.body !== undefined) ?? found[0];
  if (main === undefined || found.length === 1) return main;
  const names = [main, ...found.filter((other) => other !== main)].flatMap((definition) => definition.names);
  return { ...main, names: [...new Set(names)].slice(0, maxNames) };
}

function candidatesIn(node: SyntaxNode, rules: LanguageRules, depth: number): readonly Candidate[] {
  const { type } = node;
  const kind = kindOf(node, type, rules);
  if (kind !== undefined) return [{ node, kind }];
  if (depth >= deepestWrapper || !rules.wrappers.includes(type)) return [];
  const value = node.childForFieldName('value');
  const valueKind = value && rules.values?.[value.type];
  if (value !== undefined && valueKind !== undefined) {
    return [{ node: value, kind: kindOf(value, value.type, rules) ?? valueKind }];
  }
  return node.namedChildren.slice(0, maxNames).flatMap((child) => candidatesIn(child, rules, depth + 1));
}

function kindOf(node: SyntaxNode, type: string, rules: LanguageRules): string | undefined {
  if (rules.calls !== undefined && type === 'call') {
    const target = node.childForFieldName('target')?.text ?? '';
    return Object.hasOwn(rules.calls, target) ? rules.calls[target] : undefined;
  }
  const kind = Object.hasOwn(rules.definitions, type) ? rules.definitions[type] : undefined;
  if (kind === undefined) return undefined;
  const valueKind = rules.values?.[assignedValue(node, rules)?.type ?? ''];
  if (valueKind !== undefined) return valueKind;
  if (rules.onlyWithValue?.includes(type)) return undefined;
  const refined = rules.refined?.[type];
  if (refined === undefined) return kind;
  for (const child of node.children) {
    const { type: childType } = child;
    if (Object.hasOwn(refined, childType)) return refined[childType];
  }
  return kind;
}

/** The value a definition gives its name, in languages where a value can define something. */
function assignedValue(node: SyntaxNode, rules: LanguageRules): SyntaxNode | undefined {
  if (rules.values === undefined) return undefined;
  const value = node.childForFieldName(rules.valueField ?? 'value') ?? node.childForFieldName('right');
  if (value !== undefined) return value;
  const list = node.namedChildren.find((child) => child.type === 'expression_list');
  return list?.namedChildren[0];
}

/** Where a candidate was found. */
interface Setting {
  /** The node of this level, which wraps the candidate or is it. */
  readonly outer: SyntaxNode;
  /** The node whose beginning a reader is shown. */
  readonly shown: SyntaxNode;
  readonly text: string;
  readonly rules: LanguageRules;
  readonly enclosing: Enclosing | undefined;
}

function describe({ node, kind: plainKind }: Candidate, setting: Setting): Definition | undefined {
  const { outer, shown, text, rules, enclosing } = setting;
  const raw = resolveName(node, rules) ?? (outer.type === 'export_statement' ? 'default' : undefined);
  const named = raw === undefined ? undefined : qualifiedName(raw, plainKind, node);
  if (named === undefined) return undefined;
  const kind = memberKind(plainKind, enclosing);
  const body = bodyOf(node, rules);
  // Of many definitions in a chunk only one shows how it is declared.
  const signature = lazily(() => signatureOf(shown, { node, body }, text, rules));
  return {
    name: named.name,
    kind,
    qualifiers: named.qualifiers,
    names: [named.name, ...memberNames(kind, body, rules)].slice(0, maxNames),
    ...(body === undefined ? {} : { body }),
    signature,
    exported: lazily(() => isExported(named, signature, setting)),
  };
}

function lazily<Value>(read: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}

function memberKind(kind: string, enclosing: Enclosing | undefined): string {
  if (enclosing === undefined || !containerKinds.has(enclosing.kind) || moduleKinds.has(enclosing.kind)) {
    return kind;
  }
  if (kind === 'function') return 'method';
  return kind === 'constant' || kind === 'variable' ? 'property' : kind;
}

function bodyOf(node: SyntaxNode, rules: LanguageRules): SyntaxNode | undefined {
  const own = directBody(node, rules);
  if (own !== undefined) return own;
  const value = assignedValue(node, rules);
  const kind = value === undefined ? undefined : rules.values?.[value.type];
  if (value === undefined || kind === undefined) return undefined;
  return directBody(value, rules) ?? (kind === 'object' ? value : undefined);
}

function directBody(node: SyntaxNode, rules: LanguageRules): SyntaxNode | undefined {
  const field = node.childForFieldName('body');
  if (field !== undefined && field.children.length > 0) return field;
  if (rules.values?.[node.type] === 'object') return node;
  if (rules.bodies === undefined) return undefined;
  return node.children.find((child) => rules.bodies?.includes(child.type));
}

function memberNames(kind: string, body: SyntaxNode | undefined, rules: LanguageRules): readonly string[] {
  if (body === undefined || !containerKinds.has(kind)) return [];
  const members = body.namedChildren.slice(0, maxNames);
  return members.flatMap((member) =>
    candidatesIn(member, rules, 0).flatMap(({ node }) => {
      const name = resolveName(node, rules);
      return (name === undefined ? undefined : bareName(name)) ?? [];
    }),
  );
}

/** A definition's own node and the one that holds its body. */
interface Declared {
  readonly node: SyntaxNode;
  readonly body: SyntaxNode | undefined;
}

function signatureOf(shown: SyntaxNode, declared: Declared, text: string, rules: LanguageRules): string {
  const start = signatureStart(shown, rules);
  const end = signatureEnd(declared, start, text, rules);
  const line = text
    .slice(start, Math.min(end, start + maxSignatureLength * 4))
    .replace(/\s+/g, ' ')
    .replace(/(?:;| )\s*end$/, '')
    .replace(/\s*(?:=>|[{=:;(]|\bdo)\s*$/, '')
    .trim();
  return shortened(line, maxSignatureLength);
}

function signatureEnd({ node, body }: Declared, start: number, text: string, rules: LanguageRules): number {
  const isComment = (child: SyntaxNode) => child.startIndex > start && rules.comments.includes(child.type);
  const comment = node.children.find(isComment)?.startIndex ?? node.endIndex;
  if (body === undefined) {
    const line = rules.firstLine ? text.indexOf('\n', start) : -1;
    return line < 0 ? comment : Math.min(comment, line);
  }
  const [first, second] = body.children;
  // A body that begins with a keyword, as in `type T struct {`, gives it to the signature.
  const opens = first?.isNamed === false && second !== undefined && text[second.startIndex] === '{';
  return Math.min(comment, opens && text[body.startIndex] !== '{' ? second.startIndex : body.startIndex);
}

function signatureStart(outer: SyntaxNode, rules: LanguageRules): number {
  let node = outer;
  for (let depth = 0; depth < deepestWrapper; depth += 1) {
    const children = node.children;
    const first = children.findIndex((child) => !rules.attributes.includes(child.type));
    const child = children[first];
    if (child === undefined) break;
    if (child.type !== 'modifiers') return child.startIndex;
    const visible = child.children.some((modifier) => !rules.attributes.includes(modifier.type));
    if (!visible) return children[first + 1]?.startIndex ?? child.startIndex;
    node = child;
  }
  return node.startIndex;
}

function isExported(
  { name, qualifiers, published }: QualifiedName,
  signature: () => string,
  { outer, rules, enclosing }: Setting,
): boolean | undefined {
  const rule = rules.exported;
  if (rule === undefined) return undefined;
  if (rule.by === 'name') return rule.pattern.test(name);
  if (rule.by === 'modifier') {
    const at = signature().indexOf(name);
    const before = at < 0 ? signature() : signature().slice(0, at);
    return rule.pattern.test(before) !== (rule.not === true);
  }
  if (outer.type === 'export_statement' || published) return true;
  const isMember = enclosing !== undefined && !moduleKinds.has(enclosing.kind);
  return isMember || qualifiers.length > 0 ? undefined : false;
}
