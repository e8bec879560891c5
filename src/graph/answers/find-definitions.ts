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

/** Defined names that are written much like this one, or have it within. */
export function nearestNames(view: GraphView, name: string): string[] {
  const wanted = name.toLowerCase();
  const max = farthestOf(wanted);
  return nearest(
    view.definedNames().flatMap(({ name: each, count }) => {
      const other = each.toLowerCase();
      const holds =
        wanted.length >= 4 && (other.includes(wanted) || (other.length >= 4 && wanted.includes(other)));
      const distance = holds
        ? Math.min(max, Math.abs(other.length - wanted.length) * 0.8)
        : distanceWithin(wanted, other, max);
      return distance > max ? [] : [{ each, distance, count }];
    }),
  );
}

/** Defined names that this one may be a slip of: to have it within is none. */
export function mistypedNames(view: GraphView, name: string): string[] {
  const wanted = name.toLowerCase();
  const max = farthestOf(wanted);
  const lengths = [wanted.length - max, wanted.length + max] as const;
  return nearest(
    view.definedNames(lengths).flatMap(({ name: each, count }) => {
      const distance = distanceWithin(wanted, each.toLowerCase(), max);
      return distance > max ? [] : [{ each, distance, count }];
    }),
  );
}

/** Letters by which a name may differ from one of this length. */
function farthestOf(wanted: string): number {
  return Math.max(1, Math.floor(wanted.length / 3));
}

interface NearName {
  readonly each: string;
  readonly distance: number;
  readonly count: number;
}

function nearest(names: NearName[]): string[] {
  return names
    .sort(
      (one, other) =>
        one.distance - other.distance || other.count - one.count || (one.each < other.each ? -1 : 1),
    )
    .slice(0, maxNear)
    .map(({ each }) => each);
}

/** How many letters differ, as far as `max`: a large project has hundreds of thousands of names, so only places that are no farther apart are compared. */
function distanceWithin(one: string, other: string, max: number): number {
  const far = max + 1;
  if (Math.abs(one.length - other.length) > max) return far;
  let row = new Uint16Array(other.length + 1).fill(far);
  let next = new Uint16Array(other.length + 1);
  for (let to = 0; to <= Math.min(max, other.length); to += 1) row[to] = to;
  for (let at = 1; at <= one.length; at += 1) {
    const from = Math.max(1, at - max);
    const end = Math.min(other.length, at + max);
    let left = from === 1 ? Math.min(at, far) : far;
    let least = left;
    next[from - 1] = left;
    for (let to = from; to <= end; to += 1) {
      const same = one.charCodeAt(at - 1) === other.charCodeAt(to - 1) ? 0 : 1;
      left = Math.min((row[to] ?? far) + 1, left + 1, (row[to - 1] ?? far) + same, far);
      least = Math.min(least, left);
      next[to] = left;
    }
    if (least > max) return far;
    if (end < other.length) next[end + 1] = far;
    [row, next] = [next, row];
  }
  return row[other.length] ?? far;
}
