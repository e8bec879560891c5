import { posix } from 'node:path';
import type { GraphDocument } from '../file/graph-rows.ts';
import { folderOf, stemOf } from '../file/graph-rows.ts';
import { familyOf } from './families.ts';
import type { GraphView } from './view.ts';

const scriptEndings = ['.ts', '.tsx', '.mts', '.cts', '.d.ts', '.js', '.jsx', '.mjs', '.cjs'];
const scriptEnding = /\.(?:d\.)?[cm]?[jt]sx?$/;

/** The files that an import means, as far as paths say; none for what is not in the project. */
export function moduleFiles(
  view: GraphView,
  { uri, language }: GraphDocument,
  from: string,
  name: string,
): number[] {
  if (from === '') return [];
  switch (familyOf(language)) {
    case 'script':
      return scriptFiles(view, uri, from);
    case 'python':
      return pythonFiles(view, uri, from);
    case 'jvm':
    case 'php':
    case 'lua':
      return dottedFiles(view, from, name);
    case 'c':
      return endingWith(view, [from]);
    default:
      return [];
  }
}

function scriptFiles(view: GraphView, uri: string, from: string): number[] {
  const bare = from.replace(scriptEnding, '');
  if (from.startsWith('.')) {
    const path = posix.normalize(posix.join(posix.dirname(uri), bare));
    for (const each of [from.replace(/\/$/, '') === '.' ? '' : path, `${path}/index`])
      for (const ending of scriptEndings) {
        const found = view.documentAt(each + ending);
        if (found) return [found.id];
      }
    return [];
  }
  // An alias of a bundler, or a package of the same repository.
  const path = bare.replace(/^(?:@|~|#)?\//, '').replace(/^[#~]/, '');
  if (!path.includes('/') && !/^[@~#]/.test(from)) return [];
  const within = path.replace(/^@[^/]+\//, '');
  return endingWith(
    view,
    scriptEndings.flatMap((ending) => [within + ending, `${within}/index${ending}`]),
  );
}

function pythonFiles(view: GraphView, uri: string, from: string): number[] {
  const dots = /^\.*/.exec(from)?.[0].length ?? 0;
  const path = from.slice(dots).replaceAll('.', '/');
  const endings = ['.py', '.pyi', '/__init__.py', '/__init__.pyi'];
  if (dots > 0) {
    let folder = posix.dirname(uri);
    for (let up = 1; up < dots; up += 1) folder = posix.dirname(folder);
    const base = posix.join(folder, path);
    return endings.flatMap((ending) => view.documentAt(posix.normalize(base + ending))?.id ?? []).slice(0, 1);
  }
  const beside = posix.dirname(uri);
  const places = ['', 'src/', 'lib/', beside === '.' ? '' : `${beside}/`];
  const direct = places.flatMap((place) =>
    endings.flatMap((ending) => view.documentAt(place + path + ending)?.id ?? []),
  );
  if (direct.length > 0 || !path.includes('/')) return direct.slice(0, 1);
  return endingWith(
    view,
    endings.map((ending) => path + ending),
  ).slice(0, 1);
}

function dottedFiles(view: GraphView, from: string, name: string): number[] {
  const parts = from.split(/[.\\]/);
  const whole = name === '*' || name === '' ? parts : [...parts, name];
  const found = withFewerParts(view, whole);
  return found.length > 0 || whole === parts ? found : withFewerParts(view, parts);
}

/** Files whose path ends with these parts; where there are none, without the first of them, down to two. */
function withFewerParts(view: GraphView, parts: readonly string[]): number[] {
  const stem = stemOf(parts.at(-1) ?? '');
  const files = view.documentsOfStem(stem);
  for (let from = 0; from < parts.length && parts.length - from >= Math.min(2, parts.length); from += 1) {
    const path = parts.slice(from).join('/').toLowerCase();
    const found = files.filter(({ uri }) => endsWith(uri.toLowerCase().replace(/\.\w+$/, ''), path));
    if (found.length > 0) return found.map(({ id }) => id);
  }
  return [];
}

/** Files whose path has one of these endings: those that are named after it, then those of a folder, such as `index.ts`. */
function endingWith(view: GraphView, endings: readonly string[]): number[] {
  const byStem = Map.groupBy(endings, stemOf);
  return [...byStem].flatMap(([stem, some]) => {
    const found = some.flatMap((ending) => {
      const folder = folderOf(ending);
      // A project has thousands of files that are called `index`.
      const files = folder === '' ? view.documentsOfStem(stem) : view.documentsOfStemIn(stem, folder);
      return files.filter(({ uri }) => endsWith(uri, ending)).map(({ id }) => id);
    });
    return [...new Set(found)].sort((one, other) => one - other);
  });
}

function endsWith(uri: string, ending: string): boolean {
  return uri === ending || uri.endsWith(`/${ending}`);
}
