import type { NodeKinds, SyntaxNode, SyntaxTree } from '../syntax-tree.ts';
import { type Capture, matchesIn, type Patterns, readPatterns } from './patterns.ts';
import { compiledQueries } from './queries-compiled.ts';
import { furtherQueries } from './queries-further.ts';
import { webQueries } from './queries-web.ts';

const texts: Readonly<Record<string, string>> = { ...webQueries, ...compiledQueries, ...furtherQueries };
const patterns = new Map<string, Patterns>();

/** A definition as it was captured: its node and that of its name. */
export interface CapturedDefinition {
  readonly kind: string;
  readonly node: SyntaxNode;
  readonly name: SyntaxNode;
  /** What stands before the name: the receiver of a method in Go, the object of an attribute in Python. */
  readonly owner?: SyntaxNode;
}

/** Where a name stands and as what; the higher number is the more exact. */
export const roles = { id: 1, type: 2, call: 3, local: 4, name: 5, skip: 6 } as const;

/** What the queries of a language find in a file. */
export interface Captured {
  readonly definitions: readonly CapturedDefinition[];
  readonly scopes: readonly (readonly [number, number])[];
  readonly imports: readonly (readonly [number, number])[];
  /** The best role of each place. */
  readonly roles: ReadonlyMap<number, number>;
  /** Whether all of the file was looked at. */
  readonly isWhole: boolean;
}

/** Captures of more matches than these are left out: such a file is generated. */
const maxMatches = 200_000;
/** A tree that people write is looked through in some milliseconds. */
const maxMilliseconds = 2_000;

/** Finds definitions and mentions in a tree; undefined where the language has no patterns. */
export function capture(tree: SyntaxTree, language: string): Captured | undefined {
  const wanted = patternsOf(language, tree.kinds);
  if (wanted === undefined) return undefined;
  const definitions: CapturedDefinition[] = [];
  const scopes: [number, number][] = [];
  const imports: [number, number][] = [];
  const best = new Map<number, number>();
  const note = (at: number, role: number): void => {
    if ((best.get(at) ?? 0) < role) best.set(at, role);
  };
  const until = performance.now() + maxMilliseconds;
  let matches = 0;
  let isWhole = true;
  const isDue = (): boolean => {
    isWhole &&= performance.now() <= until && matches <= maxMatches;
    return !isWhole;
  };
  for (const captures of matchesIn(tree, wanted, isDue)) {
    matches += 1;
    const definition = definitionIn(captures);
    if (definition) {
      definitions.push(definition);
      if (definition.kind !== 'impl') note(definition.name.startIndex, roles.name);
      continue;
    }
    for (const { name, node } of captures) {
      if (name === 'scope') scopes.push([node.startIndex, node.endIndex]);
      else if (name === 'import') imports.push([node.startIndex, node.endIndex]);
      else if (Object.hasOwn(roles, name)) note(node.startIndex, roles[name as keyof typeof roles]);
    }
  }
  return { definitions, scopes, imports, roles: best, isWhole };
}

function definitionIn(captures: readonly Capture[]): CapturedDefinition | undefined {
  const whole = captures.find(({ name }) => name.startsWith('def.'));
  const named = captures.find(({ name }) => name === 'name' || name.startsWith(nameAfter));
  if (!whole || !named || !standsAfter(named, whole.node)) return undefined;
  const owner = captures.find(({ name }) => name === 'receiver' || name === 'self');
  return {
    kind: whole.name.slice(4),
    node: whole.node,
    name: named.node,
    ...(owner && { owner: owner.node }),
  };
}

/** `@name.after.WORD` is a name only where it follows this word. */
const nameAfter = 'name.after.';

function standsAfter({ name, node }: Capture, { children }: SyntaxNode): boolean {
  if (!name.startsWith(nameAfter)) return true;
  return children[children.indexOf(node) - 1]?.type === name.slice(nameAfter.length);
}

function patternsOf(language: string, kinds: NodeKinds): Patterns | undefined {
  const known = patterns.get(language);
  if (known) return known;
  const text = Object.hasOwn(texts, language) ? texts[language] : undefined;
  if (text === undefined) return undefined;
  const read = readPatterns(text, kinds);
  patterns.set(language, read);
  return read;
}
