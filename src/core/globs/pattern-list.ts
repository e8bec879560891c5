import { compileWildcard, type Wildcard } from './wildcard.ts';

/** A glob without groups. */
export interface Pattern {
  readonly text: string;
  /** Whether it is compared with the whole path; otherwise with the name of the file alone. */
  readonly isPath: boolean;
}

/** Whether a path matches. */
export type PathTest = (uri: string) => boolean;

/** How a pattern is looked up, in time that does not grow with the number of patterns. */
interface Lookup {
  readonly by: 'path' | 'name' | 'folder' | 'ending';
  readonly text: string;
}

/** Any characters, none of which is a wildcard. */
const plain = String.raw`(?:\\.|[^\\*?[])*`;
const forms: readonly (readonly [RegExp, Lookup['by']])[] = [
  [new RegExp(String.raw`^(${plain})/(?:\*\*)?$`, 's'), 'folder'],
  [new RegExp(`^(${plain})$`, 's'), 'path'],
];
const formsOfNames: readonly (readonly [RegExp, Lookup['by']])[] = [
  [new RegExp(`^(${plain})$`, 's'), 'name'],
  [new RegExp(String.raw`^\*(${plain})$`, 's'), 'ending'],
];

/** Whether one of the patterns covers a path, or is a folder that it lies in. */
export function anyPattern(patterns: readonly Pattern[]): PathTest {
  const [paths, names, folders] = [new Set<string>(), new Set<string>(), new Set<string>()];
  /** By their length. */
  const endings = new Map<number, Set<string>>();
  const wildcards: { readonly isPath: boolean; readonly covers: Wildcard }[] = [];
  for (const pattern of patterns) {
    const { text, isPath } = pattern;
    folders.add(text.replace(/\\(.)/g, '$1'));
    const found = lookupOf(pattern);
    if (!found)
      wildcards.push({ isPath, covers: compileWildcard(text.endsWith('/') ? `${text}**` : text, false) });
    else if (found.by === 'ending')
      endings.set(found.text.length, (endings.get(found.text.length) ?? new Set()).add(found.text));
    else ({ path: paths, name: names, folder: folders })[found.by].add(found.text);
  }
  return (uri) => {
    if (uri === '') return false;
    const name = uri.slice(uri.lastIndexOf('/') + 1);
    if (paths.has(uri) || names.has(name) || liesIn(folders, uri)) return true;
    for (const [length, texts] of endings)
      if (length <= name.length && texts.has(name.slice(name.length - length))) return true;
    return wildcards.some(({ isPath, covers }) => covers(isPath ? uri : name));
  };
}

/** The wildcards for whose sake a pattern is compared with each path; 0 for one that is looked up. */
export function wildcardsIn(pattern: Pattern): number {
  return lookupOf(pattern) ? 0 : Math.max(1, pattern.text.match(/\*+/g)?.length ?? 0);
}

function lookupOf({ text, isPath }: Pattern): Lookup | undefined {
  // Below any folder, only the name is left to compare.
  const [, name] = /^\*\*\/([^/]+)$/.exec(text) ?? [];
  for (const [form, by] of isPath && name === undefined ? forms : formsOfNames) {
    const [, found] = form.exec(name ?? text) ?? [];
    if (found !== undefined) return { by, text: found.replace(/\\(.)/gs, '$1') };
  }
  return undefined;
}

function liesIn(folders: ReadonlySet<string>, uri: string): boolean {
  if (folders.size === 0) return false;
  for (let end = uri.indexOf('/'); end >= 0; end = uri.indexOf('/', end + 1))
    if (folders.has(uri.slice(0, end))) return true;
  return false;
}
