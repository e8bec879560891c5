import type { Store } from '../contracts/store.ts';
import type { Chunk } from '../core/chunk.ts';
import { documentId } from '../core/identity.ts';
import { shortened } from '../core/text/shortened.ts';
import { queryTerms } from '../core/text/terms.ts';
import { chunksOf } from '../index/chunks-of.ts';

/** A name that stands in a text, with its line. */
export interface Occurrence {
  readonly uri: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

const maxLine = 200;
/** Chunks that are looked through for a name. */
const maxChunks = 1_000;

/** The lines of files as the index holds them, each file read once. */
export function lineTexts(store: Store): (uri: string, line: number) => Promise<string> {
  const known = new Map<string, Promise<Chunk[]>>();
  return async (uri, line) => {
    const chunks = known.get(uri) ?? chunksOf(store, documentId(uri));
    known.set(uri, chunks);
    for (const { place, text } of await chunks) {
      if (place.kind !== 'lines' || line < place.first || line > place.last) continue;
      return shortened((text.split('\n')[line - place.first] ?? '').trim(), maxLine);
    }
    return '';
  };
}

/** Where a name stands in the texts of the index, whatever it is there. */
export async function occurrencesOf(
  store: Store,
  name: string,
): Promise<{ readonly found: Occurrence[]; readonly isWhole: boolean }> {
  const pattern = { text: name, isRegex: false, ignoreCase: false };
  const matches =
    (await store.searchPattern?.(pattern, { limit: maxChunks })) ??
    (await store.searchText(queryTerms(name), { limit: maxChunks }));
  const found = new Map<string, Occurrence>();
  for (const { chunk, document } of matches) {
    const { place, text, span } = chunk;
    const first = place.kind === 'lines' ? place.first : span.firstLine;
    for (const [at, line] of text.split('\n').entries()) {
      const column = line.indexOf(name);
      if (column < 0) continue;
      const occurrence = {
        uri: document.uri,
        line: first + at,
        column: column + 1,
        text: shortened(line.trim(), maxLine),
      };
      found.set(`${document.uri}:${first + at}`, occurrence);
    }
  }
  const sorted = [...found.values()].sort((one, other) =>
    one.uri === other.uri ? one.line - other.line : one.uri < other.uri ? -1 : 1,
  );
  return { found: sorted, isWhole: matches.length < maxChunks && store.searchPattern !== undefined };
}
