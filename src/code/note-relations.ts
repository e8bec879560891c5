import type { Store } from '../contracts/store.ts';
import { keptLinks } from '../core/documents/note-links.ts';
import { namedDocuments } from '../index/named-documents.ts';

/** What a document links to, and what links to it. */
export interface NoteRelations {
  readonly uri: string;
  /** Documents of the project, each once, in the order of the text. */
  readonly links: readonly string[];
  /** What it links to that is not in the index, as it is written. */
  readonly missing: readonly string[];
  readonly linkedBy: readonly string[];
}

/** The links of the document that a text names: by its path, the end of one, its title or an alias; undefined where there is none. */
export async function noteRelations(store: Store, written: string): Promise<NoteRelations | undefined> {
  const documents = await store.documents();
  const names = namedDocuments(documents);
  const own = names.meantBy(written.replace(/^(?:\.\/)+/, '').replace(/^\[\[(.*)\]\]$/, '$1'), '');
  if (!own) return undefined;
  const links = new Set<string>();
  const missing = new Set<string>();
  for (const link of keptLinks(own.metadata)) {
    const target = names.meantBy(link, own.uri);
    if (!target) missing.add(link);
    else if (target.uri !== own.uri) links.add(target.uri);
  }
  const linkedBy = documents.filter(
    ({ uri, metadata }) =>
      uri !== own.uri && keptLinks(metadata).some((link) => names.meantBy(link, uri)?.uri === own.uri),
  );
  return { uri: own.uri, links: [...links], missing: [...missing], linkedBy: linkedBy.map(({ uri }) => uri) };
}
