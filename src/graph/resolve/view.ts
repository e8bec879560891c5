import type { GraphDocument, GraphRows, KeptDefinition, Mentions } from '../file/graph-rows.ts';

/** The graph during one answer: what is read once is not read again, and of files that have changed nothing is seen. */
export interface GraphView extends Pick<GraphRows, 'definedNames'> {
  document(id: number): GraphDocument | undefined;
  documentAt(uri: string): GraphDocument | undefined;
  documentsOfStem(stem: string): readonly { readonly id: number; readonly uri: string }[];
  /** Files whose folder has this name. */
  filesInFolder(name: string): readonly { readonly id: number; readonly uri: string }[];
  definitionsIn(document: number): readonly KeptDefinition[];
  definitionsOf(name: string): readonly KeptDefinition[];
  mentionsOf(name: string): readonly Mentions[];
  mentionsIn(document: number): readonly Mentions[];
  /** The names that files give to what they import under this one. */
  aliasesOf(name: string): readonly { readonly local: string; readonly document: number }[];
}

/** Sees only what passes: undefined lets all of it pass. */
export function viewOf(rows: GraphRows, isCurrent: ((id: number) => boolean) | undefined): GraphView {
  const passes = isCurrent ?? (() => true);
  const inDocument = ({ document }: { readonly document: number }): boolean => passes(document);
  return {
    document: kept((id: number) => (passes(id) ? rows.document(id) : undefined)),
    documentAt: kept((uri: string) => {
      const found = rows.documentAt(uri);
      return found && passes(found.id) ? found : undefined;
    }),
    documentsOfStem: kept((stem: string) => rows.documentsOfStem(stem).filter(({ id }) => passes(id))),
    filesInFolder: kept((name: string) => rows.filesInFolder(name).filter(({ id }) => passes(id))),
    definitionsIn: kept((document: number) => (passes(document) ? rows.definitionsIn(document) : [])),
    definitionsOf: kept((name: string) => rows.definitionsOf(name).filter(inDocument)),
    mentionsOf: (name) => rows.mentionsOf(name).filter(inDocument),
    mentionsIn: (document) => (passes(document) ? rows.mentionsIn(document) : []),
    aliasesOf: kept((name: string) => rows.aliasesOf(name).filter(inDocument)),
    definedNames: () => rows.definedNames(),
  };
}

/** A function that is asked once for each argument. */
export function kept<Key, Value>(ask: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    if (known.has(key)) return known.get(key) as Value; // It was set with this type.
    const value = ask(key);
    known.set(key, value);
    return value;
  };
}
