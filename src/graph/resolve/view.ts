import type { CompiledPlace, CompiledRows } from '../compiled/compiled-rows.ts';
import {
  folderOf,
  type GraphContents,
  type GraphDocument,
  type GraphRows,
  type GraphVersion,
  type KeptDefinition,
  type Mentions,
} from '../file/graph-rows.ts';

/** One state of the graph: what is read once is not read again, and of files that have changed nothing is seen. */
export interface GraphView extends Pick<GraphRows, 'definedNames'> {
  document(id: number): GraphDocument | undefined;
  documentAt(uri: string): GraphDocument | undefined;
  documentsOfStem(stem: string): readonly { readonly id: number; readonly uri: string }[];
  /** Those of them that lie in a folder of this name. */
  documentsOfStemIn(stem: string, folder: string): readonly { readonly id: number; readonly uri: string }[];
  /** Files whose folder has this name. */
  filesInFolder(name: string): readonly { readonly id: number; readonly uri: string }[];
  definitionsIn(document: number): readonly KeptDefinition[];
  /** The definition at a position of a file. */
  definitionAt(document: number, position: number): KeptDefinition | undefined;
  definitionsOf(name: string): readonly KeptDefinition[];
  /** Those of a name in one file: of a name that many files define, all would be gone through for each. */
  definitionsNamed(name: string, document: number): readonly KeptDefinition[];
  mentionsOf(name: string): readonly Mentions[];
  mentionsIn(document: number): readonly Mentions[];
  /** The names that files give to what they import under this one. */
  aliasesOf(name: string): readonly { readonly local: string; readonly document: number }[];
  /** Where a compiler says that what is mentioned at a place is defined; nothing where it says nothing of it. */
  compiledAt(uri: string, line: number, column: number): readonly CompiledPlace[];
  /** How many things it has read and keeps. */
  size(): number;
}

/** Sees these files and no others. What a compiler has understood is seen where it is given. */
export function viewOf(rows: GraphRows, files: GraphFiles, compiled?: CompiledRows): GraphView {
  const passes = (id: number): boolean => files.byId.has(id);
  let size = 0;
  const kept = <Key, Value>(ask: (key: Key) => Value): ((key: Key) => Value) =>
    once((key: Key) => {
      size += 1;
      return ask(key);
    });
  const inDocument = ({ document }: { readonly document: number }): boolean => passes(document);
  const definitionsOf = kept((name: string) => rows.definitionsOf(name).filter(inDocument));
  const byDocument = kept((name: string) =>
    Map.groupBy(definitionsOf(name), ({ document }: KeptDefinition) => document),
  );
  const definitionsAt = kept((key: number) =>
    rows.definitionAt(Math.floor(key / maxPosition), key % maxPosition),
  );
  const mentioned = mentionsByFile((uri) => compiled?.mentionsIn(uri) ?? new Map());
  const compiledPlaces = kept((symbol: number) => compiled?.definitionsOf(symbol) ?? []);
  const contents = kept((id: number) => rows.contents(id));
  const documents = once((id: number) => {
    const file = files.byId.get(id);
    return file && documentOf(file, contents);
  });
  const documentsOfStem = kept((stem: string) => rows.documentsOfStem(stem).filter(({ id }) => passes(id)));
  const byFolder = once((stem: string) => Map.groupBy(documentsOfStem(stem), ({ uri }) => folderOf(uri)));
  return {
    document: documents,
    documentAt(uri) {
      const file = files.byUri.get(uri);
      return file && documents(file.id);
    },
    documentsOfStem,
    documentsOfStemIn: (stem, folder) => byFolder(stem).get(folder) ?? [],
    filesInFolder: kept((name: string) => rows.filesInFolder(name).filter(({ id }) => passes(id))),
    definitionsIn: kept((document: number) => (passes(document) ? rows.definitionsIn(document) : [])),
    definitionAt(document, position) {
      if (!passes(document)) return undefined;
      return definitionsAt(document * maxPosition + position);
    },
    definitionsOf,
    definitionsNamed: (name, document) => byDocument(name).get(document) ?? [],
    mentionsOf: (name) => rows.mentionsOf(name).filter(inDocument),
    mentionsIn: (document) => (passes(document) ? rows.mentionsIn(document) : []),
    aliasesOf: kept((name: string) => rows.aliasesOf(name).filter(inDocument)),
    definedNames: (lengths) => rows.definedNames(lengths),
    size: () => size + mentioned.size(),
    compiledAt(uri, line, column) {
      const symbol = compiled && mentioned.in(uri).get(`${line}:${column}`);
      return symbol === undefined ? [] : compiledPlaces(symbol);
    },
  };
}

/** The files that a view sees: of twenty thousand, asking for each would take longer than the answer. */
export interface GraphFiles {
  readonly byId: ReadonlyMap<number, GraphVersion>;
  readonly byUri: ReadonlyMap<string, GraphVersion>;
}

function documentOf(
  { id, uri, language }: GraphVersion,
  contents: (id: number) => GraphContents,
): GraphDocument {
  return {
    id,
    uri,
    language,
    // Unpacked when they are asked for: of most files that mention a name they are not.
    get imports() {
      return contents(id).imports;
    },
    get chains() {
      return contents(id).chains;
    },
    get gap() {
      return contents(id).gap;
    },
  };
}

/** Mentions of files that are kept: an answer may go through thousands of files, each with as many as a stranger likes. */
const maxMentions = 10_000;

/** What a compiler says of files, kept until it is too much. */
function mentionsByFile(ask: (uri: string) => ReadonlyMap<string, number>) {
  const known = new Map<string, ReadonlyMap<string, number>>();
  let size = 0;
  return {
    size: () => size,
    in(uri: string): ReadonlyMap<string, number> {
      const before = known.get(uri);
      if (before) return before;
      const mentions = ask(uri);
      if (size + mentions.size > maxMentions) {
        known.clear();
        size = 0;
      }
      known.set(uri, mentions);
      size += mentions.size + 1;
      return mentions;
    },
  };
}

/** Files have fewer definitions. */
const maxPosition = 2 ** 20;

/** A function that is asked once for each argument. */
export function once<Key, Value>(ask: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    if (known.has(key)) return known.get(key) as Value; // It was set with this type.
    const value = ask(key);
    known.set(key, value);
    return value;
  };
}
