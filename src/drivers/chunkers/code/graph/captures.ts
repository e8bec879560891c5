import type { Language, Node, Query, QueryMatch } from 'web-tree-sitter';
import type { Runtime } from '../grammars.ts';
import { compiledQueries } from './queries-compiled.ts';
import { furtherQueries } from './queries-further.ts';
import { webQueries } from './queries-web.ts';

const texts: Readonly<Record<string, string>> = { ...webQueries, ...compiledQueries, ...furtherQueries };
const queries = new Map<string, Query>();

/** A definition as it was captured: its node and that of its name. */
export interface CapturedDefinition {
  readonly kind: string;
  readonly node: Node;
  readonly name: Node;
  /** What stands before the name: the receiver of a method in Go, the object of an attribute in Python. */
  readonly owner?: Node;
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

/** Finds definitions and mentions in a tree; undefined where the language has no query. */
export function capture(root: Node, language: string, runtime: Runtime): Captured | undefined {
  const query = queryOf(root.tree.language, language, runtime);
  if (query === undefined) return undefined;
  const definitions: CapturedDefinition[] = [];
  const scopes: [number, number][] = [];
  const imports: [number, number][] = [];
  const best = new Map<number, number>();
  const note = (at: number, role: number): void => {
    if ((best.get(at) ?? 0) < role) best.set(at, role);
  };
  const until = performance.now() + maxMilliseconds;
  const matches = query.matches(root, { progressCallback: () => performance.now() > until });
  for (const match of matches.slice(0, maxMatches)) {
    const definition = definitionIn(match);
    if (definition) {
      definitions.push(definition);
      if (definition.kind !== 'impl') note(definition.name.startIndex, roles.name);
      continue;
    }
    for (const { name, node } of match.captures) {
      if (name === 'scope') scopes.push([node.startIndex, node.endIndex]);
      else if (name === 'import') imports.push([node.startIndex, node.endIndex]);
      else if (Object.hasOwn(roles, name)) note(node.startIndex, roles[name as keyof typeof roles]);
    }
  }
  const isWhole = matches.length <= maxMatches && performance.now() <= until;
  return { definitions, scopes, imports, roles: best, isWhole };
}

function definitionIn({ captures }: QueryMatch): CapturedDefinition | undefined {
  const whole = captures.find(({ name }) => name.startsWith('def.'));
  const named = captures.find(({ name }) => name === 'name' || name.startsWith(nameAfter));
  if (!whole || !named || !standsAfter(named)) return undefined;
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

function standsAfter({ name, node }: QueryMatch['captures'][number]): boolean {
  return !name.startsWith(nameAfter) || node.previousSibling?.type === name.slice(nameAfter.length);
}

function queryOf(grammar: Language, language: string, { Query: Compiled }: Runtime): Query | undefined {
  const known = queries.get(language);
  if (known) return known;
  const text = Object.hasOwn(texts, language) ? texts[language] : undefined;
  if (text === undefined) return undefined;
  const query = new Compiled(grammar, text);
  queries.set(language, query);
  return query;
}
