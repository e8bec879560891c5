import type {
  CalleesOutcome,
  CodeMention,
  CodeSymbolPlace,
  FileNames,
  GraphOptions,
  OutlineOutcome,
  ReferencesOutcome,
  RelatedOutcome,
} from '../calls/graph-outcomes.ts';
import { testPath } from '../core/documents/test-path.ts';
import { asQuarryError, QuarryError } from '../core/errors.ts';
import { shownLine } from '../core/text/shown-text.ts';
import { factsOf } from '../graph/answers/facts.ts';
import {
  findDefinitions,
  mistypedNames,
  unknownName,
  type WantedName,
  wantedName,
} from '../graph/answers/find-definitions.ts';
import { createReferences, type FoundReference, type References } from '../graph/answers/references.ts';
import { calleesOf, filesAround, testsOf } from '../graph/answers/related.ts';
import type { KeptDefinition } from '../graph/file/graph-rows.ts';
import { holdingsOf } from '../index/holdings.ts';
import { nearestPaths } from '../retrieval/places/find-document.ts';
import type { AskedGraph } from './asked-graph.ts';
import { fileOutline } from './file-outline.ts';
import { folderAt, folderOutline, namesIn } from './folder-outline.ts';
import { lineTexts, occurrencesOf } from './line-texts.ts';
import { noteRelations } from './note-relations.ts';

const defaultLimit = 100;

/** Every mention of a name; of one that nothing defines, where it stands in the code and in texts. */
export async function referencesTo(
  asked: AskedGraph,
  written: string,
  options: GraphOptions,
): Promise<ReferencesOutcome> {
  const { view, warnings } = asked;
  const wanted = wantedName(written);
  const references = createReferences(view);
  const definitions = findDefinitions(view, wanted);
  if (definitions.length === 0) return undefinedName(asked, written, wanted, options);
  const all = references
    .of(definitions, options.kind && [options.kind])
    .filter(({ isTest }) => options.tests !== false || !isTest);
  const certain = all.filter(({ certainty }) => certainty === 'certain').length;
  return {
    definitions: definitions.map((each) => placeOf(references, each)),
    mentions: await mentionsOf(asked, references, all.slice(0, options.limit ?? defaultLimit)),
    counts: { certain, possible: all.length - certain },
    warnings,
  };
}

/** A name of a library, an option or a text: mentions of the code first, then where else it stands. */
async function undefinedName(
  asked: AskedGraph,
  written: string,
  wanted: WantedName,
  options: GraphOptions,
): Promise<ReferencesOutcome> {
  const { view, store, warnings } = asked;
  if (wanted.name === '' || wanted.path !== undefined) throw unknownName(view, written, wanted);
  const ofTests = (uri: string): boolean => options.tests !== false || !testPath.test(uri);
  const inCode =
    wanted.scope.length > 0
      ? []
      : namedInCode(asked, wanted.name).filter(
          ({ uri, kind }) => ofTests(uri) && (!options.kind || options.kind === kind),
        );
  const seen = new Set(inCode.map(({ uri, line }) => `${uri}:${line}`));
  const { found, isWhole } = options.kind
    ? { found: [], isWhole: true }
    : await occurrencesOf(store, written);
  const inTexts = found
    .filter(({ uri, line }) => ofTests(uri) && !seen.has(`${uri}:${line}`))
    .map((each) => ({ ...each, kind: 'text', certainty: 'certain' }) as const);
  const texts = lineTexts(store);
  const shown = [...inCode, ...inTexts].slice(0, options.limit ?? defaultLimit);
  if (shown.length === 0) throw unknownName(view, written, wanted);
  const mentions = await Promise.all(
    shown.map(async (each) => ({ ...each, text: each.text || (await texts(each.uri, each.line)) })),
  );
  const cut = new QuarryError(
    'index-stale',
    `"${written}" occurs in more texts than were searched.`,
    'Search for it as it stands: quarry search --route exact',
  );
  return {
    definitions: [],
    mentions,
    counts: { certain: inCode.length + inTexts.length, possible: 0 },
    warnings: isWhole ? warnings : [...warnings, cut],
  };
}

function namedInCode({ view }: AskedGraph, name: string): CodeMention[] {
  const references = createReferences(view);
  const found = view.mentionsOf(name).flatMap(({ document, sites }) => {
    const uri = view.document(document)?.uri ?? '';
    return sites.map(({ kind, line, column, within }) => {
      const around = within < 0 ? undefined : view.definitionsIn(document)[within];
      return {
        uri,
        line,
        column,
        kind,
        ...(around && { within: placeOf(references, around) }),
        certainty: 'certain' as const,
        text: '',
      };
    });
  });
  return found.sort((one, other) =>
    one.uri === other.uri ? one.line - other.line : one.uri < other.uri ? -1 : 1,
  );
}

/** What a definition calls. */
export async function calleesIn(
  asked: AskedGraph,
  written: string,
  options: GraphOptions,
): Promise<CalleesOutcome> {
  const { view, warnings } = asked;
  const references = createReferences(view);
  const definitions = defined(asked, written);
  const { callees, foreign } = calleesOf(references, definitions);
  return {
    definitions: definitions.map((each) => placeOf(references, each)),
    callees: callees.slice(0, options.limit ?? defaultLimit).map(({ definition, certainty, lines }) => ({
      ...placeOf(references, definition),
      certainty,
      calledAt: lines,
    })),
    foreign,
    warnings,
  };
}

/** What is in a file. */
export async function outlineAt(
  { view, store, warnings }: AskedGraph,
  path: string,
): Promise<OutlineOutcome> {
  const folder = await folderAt(store, path);
  if (folder) return { uri: folder.name, entries: await folderOutline(view, folder), warnings };
  const uri = await fileAt(store, path);
  const { entries, gap } = await fileOutline(store, view, uri);
  const lack =
    gap === undefined
      ? []
      : [
          new QuarryError(
            'document-unsupported',
            `The outline of ${uri} is not whole: ${gap}`,
            'Read the file itself.',
          ),
        ];
  return { uri, entries, warnings: [...warnings, ...lack] };
}

/** What belongs to a name, a place or a whole file. */
export async function relatedTo(
  asked: AskedGraph,
  written: string,
  options: GraphOptions,
): Promise<RelatedOutcome> {
  const { view, warnings } = asked;
  const references = createReferences(view);
  const isPlace = /:\d|#/.test(written);
  const path = isPlace ? undefined : await knownFile(asked.store, written);
  const file = view.documentAt(path ?? written);
  const notes = isPlace ? undefined : await noteRelations(asked.store, path ?? written);
  const found = file ? view.definitionsIn(file.id) : await definedUnless(notes !== undefined, asked, written);
  const definitions = file ? found.filter(({ within }) => within === undefined) : found;
  const all = references.of(found);
  const uris = file ? [file.uri] : [...new Set(definitions.map((each) => references.uriOf(each)))];
  const limit = options.limit ?? 20;
  const outside = file ? all.filter(({ uri }) => uri !== file.uri) : all;
  const callers = outside.filter(({ kind, isTest }) => kind === 'call' && !isTest);
  const { callees } = calleesOf(references, definitions);
  const around = uris.map((uri) => filesAround(view, uri, all));
  return {
    definitions: definitions.map((each) => placeOf(references, each)),
    callers: await mentionsOf(asked, references, callers.slice(0, limit)),
    callees: callees
      .filter(({ uri, certainty }) => (!file || uri !== file.uri) && certainty === 'certain')
      .slice(0, limit)
      .map(({ definition, certainty, lines }) => ({
        ...placeOf(references, definition),
        certainty,
        calledAt: lines,
      })),
    tests: testsOf(view, uris, all),
    imports: [...new Set(around.flatMap(({ imports }) => imports))],
    importedBy: [...new Set(around.flatMap(({ importedBy }) => importedBy))],
    links: notes?.links ?? [],
    linkedBy: notes?.linkedBy ?? [],
    missingLinks: notes?.missing ?? [],
    warnings,
  };
}

/** One line for each place; empty where nothing is defined there, or too little is known of it. */
export async function factsAt(
  { view, isNearlyWhole }: AskedGraph,
  places: readonly string[],
): Promise<string[]> {
  // A graph that lacks much would say too little as if it were all.
  if (!isNearlyWhole) return places.map(() => '');
  const references = createReferences(view);
  return places.map((place) => {
    const [definition] = findDefinitions(view, wantedName(place));
    return definition ? factsOf(view, definition, references) : '';
  });
}

/** Names that a mistyped one may mean; none where it is defined itself. */
export async function namesNear({ view }: AskedGraph, name: string): Promise<readonly string[]> {
  return view.definitionsOf(name).length > 0 ? [] : mistypedNames(view, name);
}

/** What files of code define; of those that the graph has. */
export async function namesAt({ view }: AskedGraph, paths: readonly string[]): Promise<FileNames[]> {
  return paths.flatMap((path) => namesIn(view, path));
}

function defined({ view }: AskedGraph, written: string): readonly KeptDefinition[] {
  const wanted = wantedName(written);
  const definitions = findDefinitions(view, wanted);
  if (definitions.length > 0) return definitions;
  throw unknownName(view, written, wanted);
}

/** The same; nothing where a note has the name, and no code. */
async function definedUnless(
  isNote: boolean,
  asked: AskedGraph,
  written: string,
): Promise<readonly KeptDefinition[]> {
  const definitions = findDefinitions(asked.view, wantedName(written));
  if (definitions.length > 0 || isNote) return definitions;
  // What looks like a file is missed as one: `notes.md` is no member `md` of `notes`.
  if (/^[^#:]*(?:[\\/][^#:]*|\.[a-z]\w{0,4})$/.test(written)) await fileAt(asked.store, written);
  return defined(asked, written);
}

function mentionsOf(
  { store }: AskedGraph,
  references: References,
  found: readonly FoundReference[],
): Promise<CodeMention[]> {
  const texts = lineTexts(store);
  return Promise.all(
    found.map(async ({ uri, line, column, kind, within, certainty }) => ({
      uri,
      line,
      column,
      kind,
      ...(within && { within: placeOf(references, within) }),
      certainty,
      text: await texts(uri, line),
    })),
  );
}

function placeOf(references: References, definition: KeptDefinition): CodeSymbolPlace {
  const { name, scope, kind, firstLine, lastLine, signature } = definition;
  return { name, scope, kind, uri: references.uriOf(definition), lines: [firstLine, lastLine], signature };
}

/** The same; undefined where there is none, or more than one. */
async function knownFile(store: AskedGraph['store'], path: string): Promise<string | undefined> {
  return fileAt(store, path).catch((thrown: unknown) => {
    if (asQuarryError(thrown).code !== 'document-not-found') throw thrown;
    return undefined;
  });
}

/** The uri of a path, or of the only one that ends with it. */
async function fileAt(store: AskedGraph['store'], path: string): Promise<string> {
  const { stored, paths } = await holdingsOf(store);
  const uri = path.replace(/^(?:\.\/)+/, '').replace(/:\d[\d-]*$/, '');
  if (stored.has(uri)) return uri;
  // A name that no line can hold is named as it is shown.
  const ending = paths.filter((each) => each.endsWith(`/${uri}`) || shownLine(each) === uri);
  if (ending.length === 1 && ending[0] !== undefined) return ending[0];
  const near = (ending.length > 0 ? ending : nearestPaths(uri, paths)).slice(0, 5).map(shownLine).join(', ');
  throw new QuarryError(
    'document-not-found',
    `There is no "${path}" in the index.`,
    near === ''
      ? 'Name a path as a search shows it, relative to the project.'
      : `Perhaps one of these is meant: ${near}.`,
  );
}
