import {
  behindOf,
  fieldOf,
  type NodeKinds,
  type SyntaxNode,
  type SyntaxTree,
  typeOf,
} from '../syntax-tree.ts';

// What is looked for in a tree, in the notation of tree-sitter's queries, as far as the lists of this folder use it:
// `(kind field: (kind) @name)`, `(_)` for any node with a name of its own, `"="` for a sign, `[…]` for one of several, `.` for
// neighbours, `(#match? @name "…")` and `(#any-of? @name "…" "…")`.

/** A node that was found under the name of a capture. */
export interface Capture {
  readonly name: string;
  readonly node: SyntaxNode;
}

/** One kind of node, and what must be within it. */
interface Step {
  /** Numbers of the kinds that match; undefined for any named one. */
  readonly types: ReadonlySet<number> | undefined;
  readonly names: readonly string[];
  readonly children: readonly ChildStep[];
  /** Whether nothing with a name of its own stands behind the last child. */
  readonly isClosed: boolean;
}

interface ChildStep {
  readonly steps: readonly Step[];
  readonly field: number | undefined;
  /** Whether nothing with a name of its own stands between it and what is before it. */
  readonly isNext: boolean;
}

type Test = (captures: readonly Capture[]) => boolean;

interface Pattern {
  readonly step: Step;
  readonly tests: readonly Test[];
}

/** Patterns by the kind of node that they begin with. */
export type Patterns = ReadonlyMap<number, readonly Pattern[]>;

/** Gives what each match has captured, in the order of the text; stops where `isDue` says so. */
export function* matchesIn(
  tree: SyntaxTree,
  patterns: Patterns,
  isDue: () => boolean,
): Generator<readonly Capture[]> {
  const { table } = tree;
  const count = behindOf(table, 0);
  for (let id = 0; id < count; id += 1) {
    if (id % 1024 === 1023 && isDue()) return;
    for (const { step, tests } of patterns.get(typeOf(table, id)) ?? [])
      for (const captures of capturesOf(tree, id, step))
        if (tests.every((test) => test(captures))) yield captures;
  }
}

const nothing: readonly (readonly Capture[])[] = [[]];

/** The ways in which a node, whose kind is right, matches. */
function capturesOf(tree: SyntaxTree, id: number, step: Step): readonly (readonly Capture[])[] {
  const within =
    step.children.length === 0 ? nothing : withinNode(tree, step, 0, id + 1, behindOf(tree.table, id));
  if (step.names.length === 0) return within;
  const own = step.names.map((name) => ({ name, node: tree.node(id) }));
  return within === nothing ? [own] : within.map((others) => [...own, ...others]);
}

/** The ways in which the children from `child` on match the steps from `at` on. */
function withinNode(
  tree: SyntaxTree,
  step: Step,
  at: number,
  child: number,
  behind: number,
): readonly (readonly Capture[])[] {
  const { table, kinds } = tree;
  const wanted = step.children[at];
  if (wanted === undefined) {
    if (step.isClosed)
      for (let id = child; id < behind; id = behindOf(table, id)) if (tree.node(id).isNamed) return [];
    return nothing;
  }
  const found: (readonly Capture[])[] = [];
  for (let id = child; id < behind; id = behindOf(table, id)) {
    const type = typeOf(table, id);
    if (wanted.field === undefined || fieldOf(table, id) === wanted.field)
      for (const option of wanted.steps) {
        if (option.types === undefined ? kinds.named[type] !== true : !option.types.has(type)) continue;
        const own = capturesOf(tree, id, option);
        if (own.length === 0) continue;
        const rests = withinNode(tree, step, at + 1, behindOf(table, id), behind);
        // From here on nothing is captured: each other way would say the same.
        if (own === nothing && rests === nothing && found.length === 0) return nothing;
        for (const rest of rests) for (const captures of own) found.push([...captures, ...rest]);
      }
    if (wanted.isNext && tree.node(id).isNamed) break;
  }
  return found;
}

/** Reads patterns for the kinds of one grammar. */
export function readPatterns(text: string, kinds: NodeKinds): Patterns {
  const signs = text.match(/"(?:[^"\\]|\\.)*"|[()[\].]|#[\w?-]+|@[\w.]+|\w+:?/g) ?? [];
  let at = 0;
  const take = (): string => signs[at++] ?? '';
  const typesOf = (name: string, isNamed: boolean): ReadonlySet<number> => {
    const found = kinds.types.flatMap((type, id) =>
      type === name && kinds.named[id] === isNamed ? [id] : [],
    );
    if (found.length === 0) throw new TypeError(`the grammar knows no ${name}`);
    return new Set(found);
  };
  const namesAfter = (): string[] => {
    const names: string[] = [];
    while (signs[at]?.startsWith('@')) names.push(take().slice(1));
    return names;
  };
  const stepsFrom = (tests: Test[]): Step[] => {
    const sign = take();
    if (sign === '[') {
      const steps: Step[] = [];
      while (signs[at] !== ']') steps.push(...stepsFrom(tests));
      at += 1;
      const names = namesAfter();
      return steps.map((step) => ({ ...step, names: [...step.names, ...names] }));
    }
    if (sign.startsWith('"')) {
      const types = typesOf(JSON.parse(sign), false);
      return [{ types, names: namesAfter(), children: [], isClosed: false }];
    }
    const kind = take();
    const types = kind === '_' ? undefined : typesOf(kind, true);
    const children: ChildStep[] = [];
    let isNext = false;
    while (signs[at] !== ')') {
      if (signs[at] === '.') {
        at += 1;
        isNext = true;
      } else if (signs[at + 1]?.startsWith('#')) tests.push(testFrom());
      else {
        const field = signs[at]?.endsWith(':') ? fieldNamed(take().slice(0, -1), kinds) : undefined;
        children.push({ steps: stepsFrom(tests), field, isNext });
        isNext = false;
      }
    }
    at += 1;
    return [{ types, names: namesAfter(), children, isClosed: isNext }];
  };
  const testFrom = (): Test => {
    const [, kind = '', name = ''] = [take(), take(), take().slice(1)];
    const words: string[] = [];
    while (signs[at] !== ')') words.push(JSON.parse(take()));
    at += 1;
    const passes =
      kind === '#match?' ? (text: string) => matches(words[0], text) : (text: string) => words.includes(text);
    return (captures) => captures.every((capture) => capture.name !== name || passes(capture.node.text));
  };
  const patterns = new Map<number, Pattern[]>();
  while (at < signs.length) {
    const tests: Test[] = [];
    for (const step of stepsFrom(tests))
      for (const type of step.types ?? [])
        patterns.set(type, [...(patterns.get(type) ?? []), { step, tests }]);
  }
  return patterns;
}

function matches(pattern: string | undefined, text: string): boolean {
  return pattern !== undefined && new RegExp(pattern).test(text);
}

function fieldNamed(name: string, { fields }: NodeKinds): number {
  const field = fields.get(name);
  if (field === undefined) throw new TypeError(`the grammar has no field ${name}`);
  return field;
}
