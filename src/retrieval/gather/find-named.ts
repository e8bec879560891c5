import type { SearchBounds, Store, StoreMatch, TextPattern } from '../../contracts/store.ts';
import type { Chunk } from '../../core/chunk.ts';
import type { DocumentRecord } from '../../core/document.ts';
import { QuarryError } from '../../core/errors.ts';
import { chunkPasses, documentPasses, type Filter } from '../../core/filter.ts';
import { literalGlob } from '../../core/globs/glob.ts';
import { holdsLine } from '../../core/text/citation.ts';
import { queryTerms } from '../../core/text/terms.ts';
import type { PathMention } from '../query/path-mention.ts';

/** Documents that a query may mean by one name. */
const maxPerMention = 5;

/** The beginnings of the mentioned files, or the mentioned lines, in the order of the mentions, each once. */
export async function findPaths(
  store: Store,
  mentions: readonly PathMention[],
  filter: Filter = {},
): Promise<StoreMatch[]> {
  const found = new Map<string, StoreMatch>();
  for (const { uris = new Set<string>(), line } of mentions) {
    for (const document of await documentsAt(store, [...uris].slice(0, maxPerMention))) {
      const chunk = await chunkAt(store, document.id, line);
      if (chunk && documentPasses(filter, document) && chunkPasses(filter, chunk, document))
        found.set(chunkKey(chunk), { document, chunk, score: 1 });
    }
  }
  return [...found.values()];
}

/**
 * The chunks with a literal text or a regular expression. With a store that cannot search for patterns there is a warning,
 * and a literal is searched among the results of text search: those are right, but some may be missing.
 */
export async function findPattern(
  store: Store,
  pattern: TextPattern,
  bounds: SearchBounds,
  warnings: QuarryError[],
): Promise<readonly StoreMatch[]> {
  if (store.searchPattern) return store.searchPattern(pattern, bounds);
  warnings.push(patternsMissing());
  if (pattern.isRegex) return [];
  const near = await store.searchText(queryTerms(pattern.text), bounds);
  return near
    .map((match) => ({ ...match, score: match.chunk.text.split(pattern.text).length - 1 }))
    .filter(({ score }) => score > 0);
}

function patternsMissing(): QuarryError {
  return new QuarryError(
    'requirement-missing',
    'This store cannot search for literal texts, so some places may be missing.',
    'Use the store sqlite, or ask in other words.',
  );
}

/** The chunks with the quoted texts, each once, those with most occurrences first. */
export async function findQuotes(
  store: Store,
  quoted: readonly string[],
  bounds: SearchBounds,
  warnings: QuarryError[],
): Promise<StoreMatch[]> {
  const found = new Map<string, StoreMatch>();
  for (const text of quoted) {
    for (const match of await findPattern(
      store,
      { text, isRegex: false, ignoreCase: false },
      bounds,
      warnings,
    )) {
      const key = chunkKey(match.chunk);
      found.set(key, { ...match, score: match.score + (found.get(key)?.score ?? 0) });
    }
  }
  return [...found.values()].sort((one, other) => other.score - one.score);
}

function chunkKey({ documentId, id }: Chunk): string {
  return `${documentId} ${id}`;
}

async function documentsAt(store: Store, uris: readonly string[]): Promise<DocumentRecord[]> {
  if (uris.length === 0) return [];
  const documents = await store.documents({ paths: uris.map(literalGlob) });
  return documents.filter(({ uri }) => uris.includes(uri));
}

/** The chunk with this line, or the first one. */
async function chunkAt(store: Store, document: string, line: number | undefined): Promise<Chunk | undefined> {
  const last = line === undefined ? 0 : Number.MAX_SAFE_INTEGER;
  const [chunks = []] = await store.chunksIn([{ documentId: document, first: 0, last }]);
  return chunks.find(({ place }) => line !== undefined && holdsLine(place, line)) ?? chunks[0];
}
