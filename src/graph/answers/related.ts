import { testPath } from '../../core/documents/test-path.ts';
import type { KeptDefinition } from '../file/graph-rows.ts';
import { stemOf } from '../file/graph-rows.ts';
import { keyOf } from '../resolve/meaning.ts';
import { moduleFiles } from '../resolve/modules.ts';
import type { GraphView } from '../resolve/view.ts';
import type { FoundReference, References, SymbolPlace } from './references.ts';

/** What a definition calls, and how often. */
export interface Callee extends SymbolPlace {
  readonly certainty: 'certain' | 'possible';
  readonly lines: readonly number[];
}

/** What a definition calls: of the project, each with its definitions, and names that the project does not define. */
export interface Callees {
  readonly callees: readonly Callee[];
  readonly foreign: readonly string[];
}

/** What is called within definitions, each once, in the order of the first call. */
export function calleesOf(references: References, definitions: readonly KeptDefinition[]): Callees {
  const found = new Map<string, Callee & { lines: number[] }>();
  const foreign = new Set<string>();
  const own = new Set(definitions.map(keyOf));
  for (const { name, line, resolution } of definitions.flatMap((each) => references.within(each, ['call']))) {
    if (resolution.certainty === 'none') foreign.add(name);
    for (const definition of resolution.certainty === 'none' ? [] : resolution.definitions) {
      const key = keyOf(definition);
      const known = found.get(key);
      const certainty =
        known?.certainty === 'certain'
          ? 'certain'
          : resolution.certainty === 'certain'
            ? 'certain'
            : 'possible';
      if (own.has(key) && definitions.length === 1 && resolution.certainty !== 'certain') continue;
      found.set(key, {
        uri: references.uriOf(definition),
        definition,
        certainty,
        lines: [...(known?.lines ?? []), line],
      });
    }
  }
  const callees = [...found.values()].sort(
    (one, other) => Number(other.certainty === 'certain') - Number(one.certainty === 'certain'),
  );
  return { callees, foreign: [...foreign] };
}

/** Files of tests for what is asked for: those that mention it, and those that are named after its file. */
export function testsOf(
  view: GraphView,
  uris: readonly string[],
  mentions: readonly FoundReference[],
): string[] {
  const mentioning = mentions
    .filter(({ isTest, certainty }) => isTest && certainty === 'certain')
    .map(({ uri }) => uri);
  const named = uris
    .filter((uri) => !testPath.test(uri))
    .flatMap((uri) =>
      [stemOf(uri), `test_${stemOf(uri)}`, `${stemOf(uri)}_test`, `${stemOf(uri)}test`]
        .flatMap((stem) => [...view.documentsOfStem(stem)])
        .filter((other) => testPath.test(other.uri) && isNear(other.uri, uri))
        .map((other) => other.uri),
    );
  return [...new Set([...named, ...mentioning])];
}

/** A test that has only the name in common, as of another `index`, is none of this file. */
function isNear(test: string, uri: string): boolean {
  const folder = uri.split('/').at(-2) ?? '';
  return (
    test.split('/').slice(0, -1).includes(folder) ||
    uri.split('/').length <= 2 ||
    folder === 'src' ||
    folder === 'lib'
  );
}

/** Files that a file imports, and those that import it. */
export function filesAround(
  view: GraphView,
  uri: string,
  mentions: readonly FoundReference[],
): { readonly imports: string[]; readonly importedBy: string[] } {
  const file = view.documentAt(uri);
  const imported = file ? file.imports.flatMap(({ from, name }) => moduleFiles(view, file, from, name)) : [];
  const importing = mentions
    .filter(({ kind, certainty }) => kind === 'import' && certainty === 'certain')
    .map((each) => each.uri);
  return {
    imports: [...new Set(imported)]
      .flatMap((id) => view.document(id)?.uri ?? [])
      .filter((each) => each !== uri),
    importedBy: [...new Set(importing)].filter((each) => each !== uri),
  };
}
