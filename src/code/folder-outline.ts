import type { FileNames, OutlineEntry } from '../calls/graph-outcomes.ts';
import type { Store } from '../contracts/store.ts';
import { citationOf } from '../core/text/citation.ts';
import { outlineOf } from '../graph/answers/outline.ts';
import type { KeptDefinition } from '../graph/file/graph-rows.ts';
import type { GraphView } from '../graph/resolve/view.ts';
import { holdingsOf } from '../index/holdings.ts';

/** A folder of the project, and the files of the index below it. */
export interface Folder {
  readonly name: string;
  readonly uris: readonly string[];
}

/** Files whose definitions are read: of more only the folders are named. */
const maxFiles = 1_000;
/** Entries of an outline; members are left out first, then what a file keeps to itself, then all that it defines. */
const maxEntries = 600;

/** A folder that holds files of the index; undefined where a path is none. The project itself is `.`. */
export async function folderAt(store: Store, path: string): Promise<Folder | undefined> {
  const { paths, stored } = await holdingsOf(store);
  const name = path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  if (stored.has(name)) return undefined;
  const uris = name === '' || name === '.' ? paths : paths.filter((uri) => uri.startsWith(`${name}/`));
  return uris.length > 0 ? { name: name || '.', uris } : undefined;
}

/** What the files of a folder define, as far as it fits: with members, without them, the files alone, or its folders. */
export async function folderOutline(view: GraphView, { name, uris }: Folder): Promise<OutlineEntry[]> {
  if (uris.length > maxFiles) return foldersOf(name, uris);
  const files = uris.map((uri) => ({ uri, definitions: named(outlineOf(view, uri)?.definitions ?? []) }));
  for (const isShown of levels) {
    const entries = files.flatMap(({ uri, definitions }) => [
      entry(uri, 'file', 0, uri, ''),
      ...definitions.filter(isShown).map((each) => definitionEntry(uri, each)),
    ]);
    if (entries.length <= maxEntries) return entries;
  }
  return foldersOf(name, uris);
}

/** The names in a file of code; of one without any nothing. */
export function namesIn(view: GraphView, uri: string): FileNames[] {
  const found = named(outlineOf(view, uri)?.definitions ?? []).filter(({ depth }) => depth <= 1);
  if (found.length === 0) return [];
  const names = found.map(({ depth, definition: { name, firstLine, lastLine } }) => ({
    name: depth > 0 ? `.${name}` : name,
    lines: [firstLine, lastLine] as const,
  }));
  return [{ uri, names }];
}

interface Named {
  readonly definition: KeptDefinition;
  readonly depth: number;
}

/** Less and less of what files define, until it fits. */
const levels: readonly ((named: Named) => boolean)[] = [
  ({ depth }) => depth <= 1,
  ({ depth }) => depth === 0,
  ({ depth, definition: { exported } }) => depth === 0 && exported !== false,
  () => false,
];

const small: ReadonlySet<string> = new Set(['property', 'declaration', 'variable', 'field']);

/** Definitions by which one finds one's way, with how deep they lie: what a function holds is its own business. */
function named(definitions: readonly KeptDefinition[]): Named[] {
  const depths = new Map<number, number>();
  return definitions.flatMap((definition) => {
    const { within, position, kind, signature, firstLine, lastLine } = definition;
    const around = within === undefined ? -1 : depths.get(within);
    const isSmall =
      small.has(kind) ||
      (kind === 'constant' && firstLine === lastLine) ||
      (kind === 'macro' && !signature.includes('('));
    if (around === undefined || isSmall) return [];
    if (!['function', 'method', 'constructor'].includes(kind)) depths.set(position, around + 1);
    return [{ definition, depth: around + 1 }];
  });
}

function definitionEntry(uri: string, { definition, depth }: Named): OutlineEntry {
  const { name, kind, firstLine, lastLine, signature } = definition;
  const citation = citationOf(uri, { kind: 'lines', first: firstLine, last: lastLine });
  return entry(name, kind, depth + 1, citation, signature);
}

/** The folders right below one, each with how many files it has, and its own files. */
function foldersOf(name: string, uris: readonly string[]): OutlineEntry[] {
  const start = name === '.' ? '' : `${name}/`;
  const counts = new Map<string, number>();
  for (const uri of uris) {
    const [first = '', ...rest] = uri.slice(start.length).split('/');
    const below = rest.length > 0 ? `${start}${first}/` : `${start}${first}`;
    counts.set(below, (counts.get(below) ?? 0) + 1);
  }
  return [...counts]
    .slice(0, maxEntries)
    .map(([path, count]) =>
      path.endsWith('/')
        ? entry(path, 'folder', 0, path, `${path} ${count} files`)
        : entry(path, 'file', 0, path, path),
    );
}

function entry(name: string, kind: string, depth: number, citation: string, signature: string): OutlineEntry {
  return { name, kind, depth, citation, signature };
}
