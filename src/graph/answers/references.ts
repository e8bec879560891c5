import type { ReferenceKind } from '../../core/code-graph.ts';
import { testPath } from '../../core/documents/test-path.ts';
import type { GraphDocument, KeptDefinition } from '../file/graph-rows.ts';
import type { Site } from '../file/sites.ts';
import { chainIn, parentsOf } from '../resolve/chains.ts';
import { keyOf } from '../resolve/meaning.ts';
import { moduleFiles } from '../resolve/modules.ts';
import { createResolver, type Resolution } from '../resolve/resolve.ts';
import { type GraphView, once } from '../resolve/view.ts';

/** Something that is defined, with the file that it is in. */
export interface SymbolPlace {
  readonly uri: string;
  readonly definition: KeptDefinition;
}

/** A mention of what was asked for. */
export interface FoundReference {
  readonly uri: string;
  readonly kind: ReferenceKind;
  readonly line: number;
  readonly column: number;
  /** Position of the definition around it among those of its file; -1 at the level of the file. */
  readonly withinAt: number;
  /** The definition around it, read when it is asked for; undefined at the level of the file. */
  readonly within: KeptDefinition | undefined;
  /** `possible` where it may as well mean another definition, or nothing of the project. */
  readonly certainty: 'certain' | 'possible';
  /** Those of what was asked for that it means, or may mean. */
  readonly means: readonly KeptDefinition[];
  readonly isTest: boolean;
}

/** Says what is mentioned where, from one state of the graph. */
export interface References {
  /** Every mention of these definitions, certain ones first, then by file and line. */
  of(definitions: readonly KeptDefinition[], kinds?: readonly ReferenceKind[]): FoundReference[];
  /** What is mentioned within a definition, in order, with what each may mean. */
  within(definition: KeptDefinition, kinds: readonly ReferenceKind[]): InnerReference[];
  uriOf(definition: KeptDefinition): string;
}

/** A mention within a definition, and what it means. */
export interface InnerReference {
  readonly name: string;
  readonly kind: ReferenceKind;
  readonly line: number;
  readonly column: number;
  readonly resolution: Resolution;
}

/** Nothing is read yet. */
export function createReferences(view: GraphView): References {
  const resolve = createResolver(view);
  const uriOf = ({ document }: KeptDefinition): string => view.document(document)?.uri ?? '';
  const ancestors = once((key: string) => {
    const [document = 0, position = 0] = key.split(':').map(Number);
    const definition = view.definitionAt(document, position);
    return definition ? overridden(view, definition) : [];
  });
  const sitesOf = (definitions: readonly KeptDefinition[]) => {
    return [...namesOf(view, definitions)].flatMap((name) => view.mentionsOf(name));
  };
  return {
    uriOf,
    of(definitions, kinds) {
      const wanted = new Map(definitions.map((each) => [keyOf(each), each]));
      let known: ReadonlyMap<string, KeptDefinition> | undefined;
      // Who calls a method of an interface may call any that stands for it. Of a name that is wanted whole, nothing else is left to stand for.
      const through = () => {
        known ??= new Map(
          definitions.flatMap((each) => ancestors(keyOf(each)).map((base) => [keyOf(base), each] as const)),
        );
        return known;
      };
      // Hundreds of mentions may all mean one of the same hundreds of definitions.
      const meaning = once((resolution: Resolution) => meantBy(resolution, wanted, through));
      const found: FoundReference[] = [];
      for (const { name, document, sites } of sitesOf(definitions)) {
        const file = view.document(document);
        if (!file) continue;
        for (const site of sites) {
          if (kinds && !kinds.includes(site.kind)) continue;
          const meant = meaning(resolve(file, name, site));
          if (meant) found.push(referenceOf(view, file, site, meant));
        }
      }
      return found.sort(inOrder);
    },
    within(definition, kinds) {
      const file = view.document(definition.document);
      if (!file) return [];
      const inside = insideOf(view, definition);
      return view
        .mentionsIn(file.id)
        .flatMap(({ name, sites }) =>
          sites
            .filter((site) => inside.has(site.within) && kinds.includes(site.kind))
            .map((site) => ({
              name,
              kind: site.kind,
              line: site.line,
              column: site.column,
              resolution: resolve(file, name, site),
            })),
        )
        .sort((one, other) => one.line - other.line || one.column - other.column);
    },
  };
}

const maxAliases = 200;

/** The names under which definitions are mentioned: their own, and those that files give them where they import them or pass them on. */
function namesOf(view: GraphView, definitions: readonly KeptDefinition[]): Set<string> {
  const names = new Set(definitions.map(({ name }) => name));
  const unnamed = defaultsAmong(view, definitions);
  if (unnamed.size > 0)
    for (const { local, document } of view.aliasesOf('default')) {
      const file = view.document(document);
      const from = file?.imports.find((each) => each.name === 'default' && each.local === local)?.from ?? '';
      if (file && moduleFiles(view, file, from, 'default').some((id) => unnamed.has(id))) names.add(local);
    }
  // Iterating a set continues with what is added meanwhile.
  for (const name of names)
    for (const { local } of names.size < maxAliases ? view.aliasesOf(name) : [])
      if (local !== 'default') names.add(local);
  return names;
}

/** The files that pass one of these on without its name. */
function defaultsAmong(view: GraphView, definitions: readonly KeptDefinition[]): ReadonlySet<number> {
  const asDefault = once(
    (name: string) =>
      new Set(view.aliasesOf(name).flatMap(({ local, document }) => (local === 'default' ? [document] : []))),
  );
  const isDefault = ({ signature, name, document, within }: KeptDefinition): boolean =>
    within === undefined &&
    (signature.startsWith('export default') ||
      (asDefault(name).has(document) &&
        (view.document(document)?.imports.some((each) => each.from === '' && each.name === name) ?? false)));
  return new Set(definitions.filter(isDefault).map(({ document }) => document));
}

interface Meant {
  readonly certainty: 'certain' | 'possible';
  readonly means: readonly KeptDefinition[];
}

function meantBy(
  { certainty, definitions }: Resolution,
  wanted: ReadonlyMap<string, KeptDefinition>,
  through: () => ReadonlyMap<string, KeptDefinition>,
): Meant | undefined {
  if (certainty === 'none') return undefined;
  const own = definitions.flatMap((each) => wanted.get(keyOf(each)) ?? []);
  if (own.length > 0) return { certainty, means: own };
  const behind = definitions.flatMap((each) => through().get(keyOf(each)) ?? []);
  return behind.length > 0 ? { certainty: 'possible', means: behind } : undefined;
}

function referenceOf(
  view: GraphView,
  { id, uri }: GraphDocument,
  site: Site,
  { certainty, means }: Meant,
): FoundReference {
  return {
    uri,
    kind: site.kind,
    line: site.line,
    column: site.column,
    withinAt: site.within,
    // Of thousands of mentions a hundred are shown.
    get within() {
      return site.within < 0 ? undefined : view.definitionAt(id, site.within);
    },
    certainty,
    means,
    isTest: testPath.test(uri),
  };
}

function inOrder(one: FoundReference, other: FoundReference): number {
  if (one.certainty !== other.certainty) return one.certainty === 'certain' ? -1 : 1;
  if (one.isTest !== other.isTest) return one.isTest ? 1 : -1;
  return one.uri < other.uri
    ? -1
    : one.uri > other.uri
      ? 1
      : one.line - other.line || one.column - other.column;
}

/** Positions of a definition and of all that is in it. */
function insideOf(view: GraphView, { document, position }: KeptDefinition): Set<number> {
  const inside = new Set([position]);
  for (const each of view.definitionsIn(document))
    if (each.within !== undefined && inside.has(each.within)) inside.add(each.position);
  return inside;
}

/** The members of what a class inherits from in whose place its own one stands. */
function overridden(view: GraphView, { name, document, within }: KeptDefinition): KeptDefinition[] {
  const holder = within === undefined ? undefined : view.definitionAt(document, within);
  if (!holder) return [];
  const file = view.document(document);
  // A class of TypeScript may also stand for an interface by `const store: Store = { … }`.
  const parents =
    holder.type !== undefined && file
      ? chainIn(view, file, holder.type, holder.within ?? -1).definitions
      : parentsOf(view, holder);
  const found: KeptDefinition[] = [];
  const pending = [...parents];
  for (let parent = pending.pop(), steps = 0; parent && steps < 20; parent = pending.pop(), steps += 1) {
    const { document: of, position } = parent;
    found.push(...view.definitionsIn(of).filter((each) => each.within === position && each.name === name));
    pending.push(...parentsOf(view, parent));
  }
  return found;
}
