import type { Node } from 'web-tree-sitter';
import { containerKinds, type LanguageRules, moduleKinds } from './grammar-rules.ts';
import { bareName, qualifiedName, resolveName } from './names.ts';

/** A definition as the syntax tree shows it, before its place in the file is known. */
export interface Definition {
  readonly name: string;
  readonly kind: string;
  readonly signature: string;
  /** Names that qualify the own name, such as the receiver of a method written outside its class. */
  readonly qualifiers: readonly string[];
  readonly exported?: boolean;
  /** The names of all that is defined here: itself, its siblings in one declaration, its members. */
  readonly names: readonly string[];
  /** The node that holds the members or statements, where there is one. */
  readonly body?: Node;
}

/** The definition a node encloses. */
export interface Enclosing {
  readonly kind: string;
}

const longestSignature = 200;
/** Wrappers around wrappers: `export` around `const` around a declarator. */
const deepestWrapper = 4;
/** Names listed for one chunk; a generated file may define thousands. */
const mostNames = 64;

/** Reads what a node defines, looking through export statements, decorators and the like. */
export function readDefinition(
  node: Node,
  text: string,
  rules: LanguageRules,
  enclosing: Enclosing | undefined,
): Definition | undefined {
  const candidates = candidatesIn(node, rules, 0);
  const found = candidates.flatMap((candidate) => {
    const shown = candidates.length > 1 ? candidate : node;
    return describe(candidate, node, signatureOf(shown, candidate, text, rules), rules, enclosing) ?? [];
  });
  const main = found.find((definition) => definition.body !== undefined) ?? found[0];
  if (main === undefined || found.length === 1) return main;
  const names = [main, ...found.filter((other) => other !== main)].flatMap((definition) => definition.names);
  return { ...main, names: [...new Set(names)].slice(0, mostNames) };
}

function candidatesIn(node: Node, rules: LanguageRules, depth: number): readonly Node[] {
  if (kindOf(node, rules) !== undefined) return [node];
  if (depth >= deepestWrapper || !rules.wrappers.includes(node.type)) return [];
  const value = node.childForFieldName('value');
  if (value !== null && rules.values?.[value.type] !== undefined) return [value];
  return node.namedChildren.slice(0, mostNames).flatMap((child) => candidatesIn(child, rules, depth + 1));
}

function kindOf(node: Node, rules: LanguageRules): string | undefined {
  if (rules.calls !== undefined && node.type === 'call') {
    const target = node.childForFieldName('target')?.text ?? '';
    return Object.hasOwn(rules.calls, target) ? rules.calls[target] : undefined;
  }
  const kind = Object.hasOwn(rules.definitions, node.type) ? rules.definitions[node.type] : undefined;
  if (kind === undefined) return undefined;
  const value = assignedValue(node);
  const valueKind = value === undefined ? undefined : rules.values?.[value.type];
  if (valueKind !== undefined) return valueKind;
  if (rules.onlyWithValue?.includes(node.type)) return undefined;
  const refined = rules.refined?.[node.type];
  if (refined === undefined) return kind;
  for (const child of node.children) {
    if (Object.hasOwn(refined, child.type)) return refined[child.type];
  }
  return kind;
}

/** The value a definition gives its name. */
function assignedValue(node: Node): Node | undefined {
  const value = node.childForFieldName('value') ?? node.childForFieldName('right');
  if (value !== null) return value;
  const list = node.namedChildren.find((child) => child.type === 'expression_list');
  return list?.namedChildren[0];
}

function describe(
  node: Node,
  outer: Node,
  signature: string,
  rules: LanguageRules,
  enclosing: Enclosing | undefined,
): Definition | undefined {
  const plainKind = kindOf(node, rules) ?? rules.values?.[node.type];
  if (plainKind === undefined) return undefined;
  const raw = resolveName(node, rules) ?? (outer.type === 'export_statement' ? 'default' : undefined);
  const named = raw === undefined ? undefined : qualifiedName(raw, plainKind, node);
  if (named === undefined) return undefined;
  const kind = memberKind(plainKind, enclosing);
  const body = bodyOf(node, rules);
  const exported = isExported({ ...named, signature }, outer, rules, enclosing);
  return {
    name: named.name,
    kind,
    signature,
    qualifiers: named.qualifiers,
    names: [named.name, ...memberNames(kind, body, rules)].slice(0, mostNames),
    ...(exported === undefined ? {} : { exported }),
    ...(body === undefined ? {} : { body }),
  };
}

function memberKind(kind: string, enclosing: Enclosing | undefined): string {
  if (enclosing === undefined || !containerKinds.has(enclosing.kind) || moduleKinds.has(enclosing.kind)) {
    return kind;
  }
  if (kind === 'function') return 'method';
  return kind === 'constant' || kind === 'variable' ? 'property' : kind;
}

function bodyOf(node: Node, rules: LanguageRules): Node | undefined {
  const own = directBody(node, rules);
  if (own !== undefined) return own;
  const value = assignedValue(node);
  if (value === undefined || rules.values?.[value.type] === undefined) return undefined;
  return directBody(value, rules) ?? (rules.values[value.type] === 'object' ? value : undefined);
}

function directBody(node: Node, rules: LanguageRules): Node | undefined {
  const field = node.childForFieldName('body');
  if (field !== null && field.childCount > 0) return field;
  if (rules.values?.[node.type] === 'object') return node;
  return node.children.find((child) => rules.bodies?.includes(child.type));
}

function memberNames(kind: string, body: Node | undefined, rules: LanguageRules): readonly string[] {
  if (body === undefined || !containerKinds.has(kind)) return [];
  const members = body.namedChildren.slice(0, mostNames);
  return members.flatMap((member) =>
    candidatesIn(member, rules, 0).flatMap((candidate) => {
      const name = resolveName(candidate, rules);
      return (name === undefined ? undefined : bareName(name)) ?? [];
    }),
  );
}

/** The declaration without attributes and body, on one line. */
function signatureOf(outer: Node, node: Node, text: string, rules: LanguageRules): string {
  const start = signatureStart(outer, rules);
  const end = signatureEnd(node, start, text, rules);
  const line = text
    .slice(start, Math.min(end, start + longestSignature * 4))
    .replace(/\s+/g, ' ')
    .replace(/(?:;| )\s*end$/, '')
    .replace(/\s*(?:=>|[{=:;(]|\bdo)\s*$/, '')
    .trim();
  return line.length <= longestSignature ? line : `${line.slice(0, longestSignature - 1).trimEnd()}…`;
}

function signatureEnd(node: Node, start: number, text: string, rules: LanguageRules): number {
  const body = bodyOf(node, rules);
  const isComment = (child: Node) => rules.comments.includes(child.type) && child.startIndex > start;
  const comment = node.children.find(isComment)?.startIndex ?? node.endIndex;
  if (body === undefined) return comment;
  const [first, second] = body.children;
  // A body that begins with a keyword, as in `type T struct {`, gives it to the signature.
  const opens = first?.isNamed === false && second !== undefined && text[second.startIndex] === '{';
  return Math.min(comment, opens && text[body.startIndex] !== '{' ? second.startIndex : body.startIndex);
}

function signatureStart(outer: Node, rules: LanguageRules): number {
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
  definition: { name: string; signature: string; qualifiers: readonly string[]; published: boolean },
  outer: Node,
  rules: LanguageRules,
  enclosing: Enclosing | undefined,
): boolean | undefined {
  const rule = rules.exported;
  if (rule === undefined) return undefined;
  if (rule.by === 'name') return rule.pattern.test(definition.name);
  if (rule.by === 'modifier') {
    const at = definition.signature.indexOf(definition.name);
    const before = at < 0 ? definition.signature : definition.signature.slice(0, at);
    return rule.pattern.test(before) !== (rule.not === true);
  }
  if (outer.type === 'export_statement' || definition.published) return true;
  const isMember = enclosing !== undefined && !moduleKinds.has(enclosing.kind);
  return isMember || definition.qualifiers.length > 0 ? undefined : false;
}
