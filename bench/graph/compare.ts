import type { KeptDefinition } from '../../src/graph/file/graph-rows.ts';
import { createResolver, type Resolution } from '../../src/graph/resolve/resolve.ts';
import type { GraphView } from '../../src/graph/resolve/view.ts';
import type { Occurrence } from './read-scip.ts';

/** How the calls of a graph compare with those that a compiler knows. */
export interface Agreement {
  /** Calls of something that the project defines, as the compiler knows them. */
  readonly calls: number;
  /** Of these, how many the graph lists with the right definition, certain or possible. */
  readonly found: number;
  /** The same of certain ones alone. */
  readonly foundCertain: number;
  /** Calls that the graph says are certain and of which the compiler knows what they mean, and how many of them are right. */
  readonly certain: number;
  readonly certainRight: number;
  /** Every pair of such a call and a definition, possible ones too, and how many are right. */
  readonly pairs: number;
  readonly pairsRight: number;
  /** Some that were missed and some that were wrong, for a person. */
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
}

type Truth = ReadonlyMap<string, readonly Occurrence[]>;

interface Defined {
  readonly uri: string;
  readonly line: number;
}

/** Compares what is called where; the texts are those of the files. */
export function compareCalls(view: GraphView, truth: Truth, textOf: (uri: string) => string): Agreement {
  const definitions = definitionsIn(truth);
  const resolve = createResolver(view);
  const counts = {
    calls: 0,
    found: 0,
    foundCertain: 0,
    certain: 0,
    certainRight: 0,
    pairs: 0,
    pairsRight: 0,
  };
  const missed: string[] = [];
  const wrong: string[] = [];
  for (const [uri, occurrences] of truth) {
    const file = view.documentAt(uri);
    if (!file) continue;
    const lines = textOf(uri).split('\n');
    const known = new Map(
      occurrences
        .filter(({ isDefinition }) => !isDefinition)
        .map((each) => [`${each.line + 1}:${each.column + 1}`, each]),
    );
    const ours = new Map<string, { readonly name: string } & Resolution>(
      view
        .mentionsIn(file.id)
        .flatMap(({ name, sites }) =>
          sites
            .filter(({ kind }) => kind === 'call')
            .map((site) => [`${site.line}:${site.column}`, { name, ...resolve(file, name, site) }] as const),
        ),
    );
    for (const [place, occurrence] of known) {
      if (occurrence.symbol.startsWith('local ')) continue;
      const target = definitions.get(occurrence.symbol);
      if (!target || !isCallable(occurrence.symbol) || !isCalled(lines, occurrence)) continue;
      counts.calls += 1;
      const own = ours.get(place);
      const isRight = own?.definitions.some((each) => isSame(view, each, target)) ?? false;
      if (isRight) counts.found += 1;
      else
        missed.push(
          `${uri}:${place} ${lines[occurrence.line]?.trim().slice(0, 90)} -> ${target[0]?.uri}:${target[0]?.line} (${own?.certainty ?? 'no mention'})`,
        );
      if (isRight && own?.certainty === 'certain') counts.foundCertain += 1;
    }
    for (const [place, { certainty, definitions: meant }] of ours) {
      const occurrence = known.get(place);
      // What is local to a function, or not understood by the compiler, is no evidence.
      if (!occurrence || occurrence.symbol.startsWith('local ') || certainty === 'none') continue;
      const target = definitions.get(occurrence.symbol) ?? [];
      if (target.some(({ line }) => line === 0)) continue;
      const right = meant.filter((each) => isSame(view, each, target)).length;
      counts.pairs += meant.length;
      counts.pairsRight += right;
      if (certainty !== 'certain') continue;
      counts.certain += 1;
      if (right > 0) counts.certainRight += 1;
      else
        wrong.push(
          `${uri}:${place} ${lines[occurrence.line]?.trim().slice(0, 90)} is ${occurrence.symbol.slice(-60)}, not ${view.document(meant[0]?.document ?? 0)?.uri}:${meant[0]?.line}`,
        );
    }
  }
  return { ...counts, missed, wrong };
}

function definitionsIn(truth: Truth): Map<string, Defined[]> {
  const found = new Map<string, Defined[]>();
  for (const [uri, occurrences] of truth)
    for (const { symbol, line, isDefinition } of occurrences)
      if (isDefinition && !symbol.startsWith('local '))
        found.set(symbol, [...(found.get(symbol) ?? []), { uri, line: line + 1 }]);
  return found;
}

/** Parameters and types are called as values at most. */
function isCallable(symbol: string): boolean {
  return !/\)$|\]$/.test(symbol) || symbol.endsWith('().');
}

function isCalled(lines: readonly string[], { line, column, endLine, endColumn }: Occurrence): boolean {
  if (line !== endLine) return false;
  const after = `${lines[line]?.slice(endColumn) ?? ''}\n${lines[line + 1] ?? ''}`;
  const before = lines[line]?.slice(0, column) ?? '';
  if (/^\s*(?:def|class)\b/.test(before)) return false;
  // A method of an object is written like a call, with a body behind it.
  if (
    /^\s*(?:(?:async|get|set|static|override|public|private|protected)\s+)*$/.test(before) &&
    /[{]\s*$/.test(lines[line] ?? '') &&
    !/=>|=\s*{\s*$|\(\{\s*$/.test(lines[line]?.slice(endColumn) ?? '')
  )
    return false;
  return /^(?:\?\.)?\(/.test(after) || /^<[^<>()=;]*(?:<[^<>()]*>[^<>()]*)*>\(/.test(after);
}

/**
 * The same thing: at the same line, or in the same file under the same name, since compilers merge overloads, and a type with the value
 * that shares its name. A constructor is as good as its class.
 */
function isSame(view: GraphView, definition: KeptDefinition, target: readonly Defined[]): boolean {
  const uri = view.document(definition.document)?.uri;
  const { name, scope, kind, line, firstLine, lastLine } = definition;
  const merged = view
    .definitionsOf(name)
    .filter((each) => each.document === definition.document && each.scope.join('.') === scope.join('.'))
    .map((each) => each.line);
  return target.some(
    (each) =>
      each.uri === uri &&
      ([line, ...merged].includes(each.line) ||
        (kind === 'class' && firstLine <= each.line && each.line <= lastLine)),
  );
}
