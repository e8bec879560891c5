import type { CodeDefinition, CodeReference, FileGraph, ReferenceKind } from '../../../../core/code-graph.ts';
import { containerKinds, type LanguageRules } from '../grammar-rules.ts';
import type { SyntaxTree } from '../syntax-tree.ts';
import { type Captured, capture, roles } from './captures.ts';
import { chainBefore, isMember } from './chains.ts';
import { typeOfName } from './declared-type.ts';
import { functionKinds, type PlacedDefinition, placeDefinitions } from './definitions.ts';
import { importsOf, looseImports, type PlacedImport } from './imports.ts';
import { builtIns, takesNamesOneByOne } from './known-names.ts';
import type { TextLines } from './line-of.ts';
import { boundIn, innermost, nestScopes, type Scope } from './scopes.ts';

const maxReferences = 40_000;
const word = /[$@#]?[\p{L}_$][\p{L}\p{N}_$]*[?!]?/uy;
const plainWord = /[A-Za-z_$][\w$]*/y;

/** How a file is read. */
export interface Grammar {
  readonly language: string;
  readonly rules: LanguageRules;
}

/** A file while it is read. */
interface Source {
  readonly text: string;
  readonly language: string;
  readonly lines: TextLines;
  readonly definitions: readonly PlacedDefinition[];
  /** Names that the file itself defines or imports: they hold in all of it. */
  readonly known: ReadonlySet<string>;
  readonly takesAll: boolean;
}

/** What a file defines and mentions, from its tree. What is bound within a function is left out. */
export function readGraph(tree: SyntaxTree, { language, rules }: Grammar): FileGraph {
  const { text, lines } = tree;
  const captured = capture(tree, language);
  if (captured === undefined)
    return {
      language,
      definitions: [],
      references: [],
      imports: [],
      gap: 'There is no query for this language.',
    };
  const definitions = placeDefinitions(captured.definitions, { text, language, rules, lines });
  const imports = [
    ...captured.imports.flatMap(([start, end]) =>
      importsOf(language, text.slice(start, Math.min(end, start + 20_000)), start),
    ),
    ...looseImports(language, text),
  ];
  const known = new Set([
    ...definitions.map(({ name }) => name),
    ...imports.map(({ local }) => local.split('.', 1)[0] ?? local),
  ]);
  const takesAll = imports.some(({ local }) => local === '*') || !takesNamesOneByOne(language);
  const source = { text, language, lines, definitions, known, takesAll };
  const places = [...captured.roles].sort((one, other) => one[0] - other[0]);
  const scopes = scopesOf(captured, places, source);
  const references = referencesIn(captured, imports, places, scopes, source);
  return {
    language,
    definitions: definitions.map(keptDefinition(scopes, source)),
    references: references.slice(0, maxReferences),
    imports: imports.map(({ from, name, local }) => ({ from, name, local })),
    ...((references.length > maxReferences || !captured.isWhole) && {
      gap: 'It defines and mentions more than is kept of a file.',
    }),
  };
}

/** A definition without its places in the text; what it is, in names that hold in the whole file. */
function keptDefinition(
  scopes: readonly Scope[],
  source: Source,
): (definition: PlacedDefinition) => CodeDefinition {
  const scopeAt = innermost(scopes);
  return (placed) => {
    const { start, end: _, nameStart: __, nameEnd: ___, index: ____, type, ...definition } = placed;
    const scope = scopeAt(start);
    const around = placed.within === undefined ? undefined : source.definitions[placed.within];
    const whole = type === undefined ? '?' : understood(type, scope, around, source, 0);
    return whole === '?' ? definition : { ...definition, type: whole };
  };
}

type Places = readonly (readonly [at: number, role: number])[];

function referencesIn(
  captured: Captured,
  imports: readonly PlacedImport[],
  places: Places,
  scopes: readonly Scope[],
  source: Source,
): CodeReference[] {
  const { definitions, lines } = source;
  const scopeAt = innermost(scopes);
  const enclosing = innermost(definitions);
  const importAt = innermost(captured.imports.map(([start, end]) => ({ start, end })));
  // A name of several parts is no mention of these.
  const nameAt = innermost(
    definitions
      .map(({ nameStart, nameEnd }) => ({ start: nameStart, end: nameEnd }))
      .sort((one, other) => one.start - other.start),
  );
  const found: CodeReference[] = [];
  for (const [at, role] of places) {
    const scope = scopeAt(at);
    const within = enclosing(at);
    if (role >= roles.local || importAt(at) || nameAt(at)) continue;
    const mention = mentionAt(at, role, scope, within, source);
    if (mention) found.push({ ...mention, ...lines.placeOf(at), ...(within && { within: within.index }) });
  }
  for (const { at, from, name, local } of imports)
    if (from !== '' && (name !== '*' || local !== '*'))
      found.push({
        name: /^(?:\*|default)$/.test(name) ? local : name,
        kind: 'import',
        ...lines.placeOf(at),
      });
  return found;
}

/** Functions with the names that are bound in each; what is a definition is none of them. */
function scopesOf(captured: Captured, places: Places, source: Source): Scope[] {
  const { text, language, definitions } = source;
  const functions = definitions.filter(({ kind }) => functionKinds.has(kind) || kind === 'declaration');
  const scopes = nestScopes(
    [...captured.scopes, ...functions.map(({ start, end }) => [start, end] as const)],
    text.length,
  );
  const scopeAt = innermost(scopes);
  for (const [at, role] of places) {
    const scope = scopeAt(at);
    if (role !== roles.local || !scope) continue;
    const name = wordAt(text, at, language);
    if (scope.locals.has(name)) continue;
    scope.locals.set(name, { start: at, type: typeOfName(text, at, at + name.length, language) });
  }
  return scopes;
}

function mentionAt(
  at: number,
  role: number,
  scope: Scope | undefined,
  within: PlacedDefinition | undefined,
  source: Source,
): { readonly name: string; readonly kind: ReferenceKind; readonly via?: string } | undefined {
  const { text, language, known, takesAll } = source;
  const written = wordAt(text, at, language);
  const name = written.replace(language === 'php' ? /^\$/ : /^[@#]/, '');
  if (name === '') return undefined;
  const kind = kindOf(role, written, at, source);
  if (isMember(text, at, language)) {
    const chain = chainBefore(text, at, language);
    return { name, kind, via: understood(chain, scope, within, source, 0) };
  }
  if (boundIn(scope, written)) return undefined;
  if (known.has(name)) return { name, kind };
  // Parameters in Elixir look like calls without brackets.
  const isLoose = kind === 'use' && (!takesAll || (language === 'elixir' && /^[\p{Ll}_]/u.test(name)));
  const isForeign = isLoose || builtIns(language).has(name);
  return isForeign ? undefined : { name, kind };
}

function kindOf(role: number, written: string, at: number, { text, language }: Source): ReferenceKind {
  if (role === roles.call) return 'call';
  if (role === roles.type) return 'type';
  const next = text[at + written.length];
  // In the arguments of a macro, and in Ruby without brackets, the tree does not say that a name is called.
  if (language === 'rust' && next === '(') return 'call';
  return language === 'ruby' && /^[\p{Ll}_]/u.test(written) ? 'call' : 'use';
}

/** A chain in names that hold in the whole file: those that are bound in functions are replaced by what they are. */
function understood(
  chain: string,
  scope: Scope | undefined,
  within: PlacedDefinition | undefined,
  source: Source,
  depth: number,
): string {
  if (chain === '?' || depth > 4) return '?';
  const [, head = '', rest = ''] = /^(import\([^)]*\)|[^.()]+)(.*)$/s.exec(chain) ?? [];
  if (/^(?:this|self|cls|Self|\$this|@)$/.test(head)) {
    const owner = classAround(within, source);
    return owner === undefined ? '?' : owner + rest;
  }
  if (/^(?:super|parent|static)$/.test(head.replace(/\(\)$/, ''))) {
    const owner = classAround(within, source);
    return owner === undefined ? '?' : `super ${owner}${rest.replace(/^\(\)/, '')}`;
  }
  const local = boundIn(scope, head);
  if (local === undefined) return chain;
  if (local.type === undefined) return '?';
  // `struct ring *ring`: the type is of the file.
  if (local.type === head) return chain;
  return limited(understood(local.type, outerOf(scope, local.type, head), within, source, depth + 1) + rest);
}

/** Of `const store = store.open()` the right name is one from outside. */
function outerOf(scope: Scope | undefined, type: string, head: string): Scope | undefined {
  return type.startsWith(`${head}.`) || type.startsWith(`${head}(`) ? scope?.outer : scope;
}

function limited(chain: string): string {
  return chain.startsWith('?') || chain.length > 120 ? '?' : chain;
}

function classAround(within: PlacedDefinition | undefined, { definitions }: Source): string | undefined {
  for (let at = within; at; at = at.within === undefined ? undefined : definitions[at.within]) {
    if (containerKinds.has(at.kind)) return at.name;
    // A method that is written outside of its class has the class before its name.
    const owner = at.scope.at(-1);
    if (owner && at.within === undefined && functionKinds.has(at.kind)) return owner;
  }
  return undefined;
}

function wordAt(text: string, at: number, language: string): string {
  plainWord.lastIndex = at;
  const plain = plainWord.exec(text)?.[0];
  const next = plain === undefined ? 0 : text.charCodeAt(at + plain.length);
  if (
    plain !== undefined &&
    next < 128 &&
    !((next === 33 || next === 63) && /^(?:ruby|elixir)$/.test(language))
  )
    return plain;
  word.lastIndex = at;
  const found = word.exec(text)?.[0] ?? '';
  return /^(?:ruby|elixir)$/.test(language) ? found : found.replace(/[?!]$/, '');
}
