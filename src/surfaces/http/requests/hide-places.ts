import type { Engine, Place } from '../../../engine/engine.ts';
import type { ProjectEntry } from '../../../user/project-entry.ts';
import type { RequestOf, Shown } from './request-context.ts';

type Whereabouts = Pick<ProjectEntry, 'id' | 'folder'>;

/** Texts of documents are given as they are, whatever they hold. */
const textKeys: ReadonlySet<string> = new Set(['text', 'context', 'block', 'answer']);

/** What this caller may see of data about a project, be it a result or an error. */
export function shownTo(
  c: RequestOf,
  engine: Pick<Engine, 'places'>,
  ...projects: readonly Whereabouts[]
): Shown {
  return c.get('grant').isOwner ? (value) => value : shownElsewhere(engine, ...projects);
}

/** Where things are on the server is nothing for callers from elsewhere. */
export function shownElsewhere(
  { places }: Pick<Engine, 'places'>,
  ...projects: readonly (Whereabouts | undefined)[]
): Shown {
  const own = projects
    .filter((project) => project !== undefined)
    .map(({ folder, id }) => ({ folder, name: id }))
    // A project within another one is shown by its own name.
    .sort((one, other) => other.folder.length - one.folder.length);
  return (value) => hidePlaces(value, [...own, ...places]);
}

/** The value with the names of places instead of their folders, wherever a string holds one. */
export function hidePlaces<Value>(value: Value, places: readonly Place[]): Value {
  const patterns = places
    .filter(({ folder }) => folder.length > 1)
    .map(({ folder, name }) => ({ pattern: patternOf(folder), name }));
  const hidden = (part: unknown): unknown => {
    if (typeof part === 'string')
      return patterns.reduce((text, { pattern, name }) => text.replace(pattern, () => name), part);
    if (Array.isArray(part)) return part.map(hidden);
    if (typeof part !== 'object' || part === null || part instanceof Date) return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, inner]) => [key, textKeys.has(key) ? inner : hidden(inner)]),
    );
  };
  return hidden(value) as Value;
}

/** The folder as a whole: `/srv/docs` is not in `/srv/docs-other`. */
function patternOf(folder: string): RegExp {
  const literal = folder.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_.~-])${literal}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`, 'gu');
}
