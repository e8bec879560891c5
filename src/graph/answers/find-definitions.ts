import { QuarryError } from '../../core/errors.ts';
import type { KeptDefinition } from '../file/graph-rows.ts';
import type { GraphView } from '../resolve/view.ts';

const maxNear = 5;

/** A name as a caller writes it: `search`, `Store.search`, `src/store.ts#search`, or a place such as `src/store.ts:40`. */
export interface WantedName {
  readonly name: string;
  readonly scope: readonly string[];
  readonly path?: string;
  readonly line?: number;
}

/** Reads a name or a place. */
export function wantedName(written: string): WantedName {
  const place = /^(.+\.\w+):(\d{1,9})(?:-\d*)?$/.exec(written);
  if (place?.[1]) return { name: '', scope: [], path: place[1], line: Number(place[2]) };
  const hash = written.lastIndexOf('#');
  const before = written.slice(0, Math.max(0, hash));
  const path = hash > 0 && /[./]/.test(before) ? before : undefined;
  const parts = (path === undefined ? written : written.slice(hash + 1))
    .replace(/\(\)$/, '')
    .split(/::|\\|[.#>]+/)
    .map((part) => part.trim())
    .filter(Boolean);
  return { name: parts.at(-1) ?? '', scope: parts.slice(0, -1), ...(path !== undefined && { path }) };
}

/** The definitions that are meant; none where the graph has none of this name. */
export function findDefinitions(
  view: GraphView,
  { name, scope, path, line }: WantedName,
): readonly KeptDefinition[] {
  if (line !== undefined) return definitionAt(view, path ?? '', line);
  const all = view
    .definitionsOf(name)
    .filter((each) => scope.every((part, at) => each.scope.at(at - scope.length) === part));
  const named =
    path === undefined ? all : all.filter(({ document }) => isAt(view.document(document)?.uri ?? '', path));
  const main = named.filter(({ kind }) => kind !== 'impl' && kind !== 'extension');
  return main.length > 0 ? main : named;
}

/** The innermost definition around a line. */
function definitionAt(view: GraphView, path: string, line: number): KeptDefinition[] {
  const file = view.documentAt(path);
  const around = file
    ? view.definitionsIn(file.id).filter(({ firstLine, lastLine }) => firstLine <= line && line <= lastLine)
    : [];
  const functions = around.filter(({ kind }) => !['property', 'constant', 'variable'].includes(kind));
  const [best] = (functions.length > 0 ? functions : around).sort(
    (one, other) => one.lastLine - one.firstLine - (other.lastLine - other.firstLine),
  );
  return best ? [best] : [];
}

function isAt(uri: string, path: string): boolean {
  return uri === path || uri.endsWith(`/${path}`) || uri.startsWith(path.endsWith('/') ? path : `${path}/`);
}

/** The error for a name that nothing has, with those that are nearest. */
export function unknownName(view: GraphView, written: string, { name }: WantedName): QuarryError {
  const near = name === '' ? [] : nearestNames(view, name);
  return new QuarryError(
    'document-not-found',
    name === '' ? `Nothing is defined at ${written}.` : `Nothing in the index defines or mentions "${name}".`,
    near.length > 0
      ? `Perhaps one of these is meant: ${near.join(', ')}.`
      : 'Search for what it does, in plain words.',
  );
}

/** Defined names that are written much like this one. */
export function nearestNames(view: GraphView, name: string): string[] {
  const wanted = name.toLowerCase();
  const max = Math.max(1, Math.floor(wanted.length / 3));
  const scored = view.definedNames().flatMap(({ name: each, count }) => {
    const other = each.toLowerCase();
    const holds =
      wanted.length >= 4 && (other.includes(wanted) || (other.length >= 4 && wanted.includes(other)));
    if (!holds && Math.abs(other.length - wanted.length) > max) return [];
    const distance = holds
      ? Math.min(max, Math.abs(other.length - wanted.length) * 0.8)
      : distanceWithin(wanted, other, max);
    return distance > max ? [] : [{ each, distance, count }];
  });
  return scored
    .sort(
      (one, other) =>
        one.distance - other.distance || other.count - one.count || (one.each < other.each ? -1 : 1),
    )
    .slice(0, maxNear)
    .map(({ each }) => each);
}

/** How many letters differ, as far as `max`. */
function distanceWithin(one: string, other: string, max: number): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const same = one[at - 1] === other[to - 1] ? 0 : 1;
      next.push(Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, (row[to - 1] ?? 0) + same));
    }
    if (Math.min(...next) > max) return max + 1;
    row = next;
  }
  return row[other.length] ?? max + 1;
}
