import { posix } from 'node:path';
import type { DocumentRecord } from '../core/document.ts';
import { aliasesOf } from '../core/documents/own-fields.ts';

/** The documents of an index by what people call them. */
export interface NamedDocuments {
  /** The document that a link in a file means; a note of the nearest folder where several have the name. */
  meantBy(link: string, from: string): DocumentRecord | undefined;
  /** The only document with this title or alias. */
  titled(name: string): DocumentRecord | undefined;
}

/** Documents by path, name of file, title and alias, in any case. */
export function namedDocuments(documents: readonly DocumentRecord[]): NamedDocuments {
  const byUri = new Map(documents.map((document) => [document.uri, document]));
  const byName = new Map<string, DocumentRecord[]>();
  const put = (name: string, document: DocumentRecord): void => {
    const known = byName.get(name);
    if (known) known.push(document);
    else byName.set(name, [document]);
  };
  for (const document of documents) {
    const file = fileName(document.uri);
    const own = [file, stemOf(file), pageName(file), document.title, ...aliasesOf(document.metadata)];
    for (const name of new Set(own.map(plain))) put(name, document);
  }
  const atPath = (path: string): DocumentRecord | undefined => byUri.get(path) ?? byUri.get(`${path}.md`);
  return {
    meantBy(link, from) {
      const folder = posix.dirname(from);
      if (/^\.{1,2}\//.test(link)) return atPath(posix.join(folder, link));
      if (link.startsWith('/')) return atPath(posix.normalize(link.slice(1)));
      const whole = atPath(posix.normalize(link));
      if (whole) return whole;
      const ending = plain(link.endsWith('.md') ? link : `${link}.md`);
      const named = byName.get(plain(fileName(link))) ?? byName.get(plain(stemOf(fileName(link)))) ?? [];
      const fitting = link.includes('/')
        ? named.filter(
            ({ uri }) => plain(uri).endsWith(`/${ending}`) || plain(uri).endsWith(`/${plain(link)}`),
          )
        : named;
      return nearest(fitting, folder) ?? nearest(byName.get(plain(link)) ?? [], folder);
    },
    titled(name) {
      const [only, ...others] = (byName.get(plain(name)) ?? []).filter(({ title, metadata }) =>
        [title, ...aliasesOf(metadata)].some((each) => plain(each) === plain(name)),
      );
      return others.length === 0 ? only : undefined;
    },
  };
}

/** That of the same folder, else the one with the shortest path. */
function nearest(documents: readonly DocumentRecord[], folder: string): DocumentRecord | undefined {
  const beside = documents.find(({ uri }) => posix.dirname(uri) === folder);
  return beside ?? documents.toSorted((one, other) => one.uri.length - other.uri.length)[0];
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function stemOf(file: string): string {
  return file.replace(/\.[^.]*$/, '');
}

/** The name of a page of Logseq, whose file has `___` or `%2F` where the name has a slash. */
function pageName(file: string): string {
  return stemOf(file).replaceAll('___', '/').replace(/%2F/gi, '/');
}

function plain(text: string): string {
  return text.trim().toLowerCase();
}
