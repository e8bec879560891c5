import type { Embedder } from '../contracts/embedder.ts';
import type { Store, StoreMatch } from '../contracts/store.ts';
import type { Chunk } from '../core/chunk.ts';
import type { DocumentRecord } from '../core/document.ts';
import { asQuarryError, leavesText, type QuarryError } from '../core/errors.ts';
import { chunkPasses, documentPasses, type Filter } from '../core/filter.ts';
import type { RecentValues } from '../platform/recent-values.ts';
import type { PathMention } from './path-mention.ts';

/** Who turns queries into vectors. */
export interface QueryEmbedders {
  /** Opens the embedder; where that fails text search answers alone. */
  readonly embedder: () => Promise<Embedder>;
  /** Stands in while the embedder fails, where the index holds vectors of its space too. */
  readonly fallback?: () => Promise<Embedder | undefined>;
  /** Vectors of queries by fingerprint and query; they never go stale. */
  readonly vectors?: RecentValues<Float32Array>;
}

/** What vector search found, and in which space. */
export interface DenseMatches {
  readonly space: string;
  readonly matches: readonly StoreMatch[];
  /** The share in the fused score that the embedder asks for. */
  readonly suited?: number;
}

/** How much each searcher looks for. */
export interface Bounds {
  readonly limit: number;
  readonly filter?: Filter;
}

/** Nothing found, in no space. */
export const noMatches: DenseMatches = { space: '', matches: [] };

/** The nearest chunks; whatever keeps the embedders from answering becomes a warning. */
export async function searchDense(
  store: Store,
  embedders: QueryEmbedders,
  query: string,
  bounds: Bounds,
  { signal, warnings }: { readonly signal?: AbortSignal | undefined; readonly warnings: QuarryError[] },
): Promise<DenseMatches> {
  const searchWith = async (embedder: Embedder): Promise<DenseMatches> => {
    const { fingerprint: space, denseWeight } = embedder;
    const key = `${space}\n${query}`;
    let vector = embedders.vectors?.get(key);
    if (!vector) {
      [vector] = await embedder.embed([query], { as: 'query', ...(signal && { signal }) });
      if (vector) embedders.vectors?.set(key, vector);
    }
    const matches = vector ? await store.searchVector(space, vector, bounds) : [];
    return { space, matches, ...(denseWeight !== undefined && { suited: denseWeight }) };
  };
  try {
    return await searchWith(await embedders.embedder());
  } catch (thrown) {
    warnings.push(asWarning(thrown));
  }
  try {
    const standIn = await embedders.fallback?.();
    if (standIn && (await store.dimensions(standIn.fingerprint)) !== undefined)
      return await searchWith(standIn);
  } catch (thrown) {
    warnings.push(asWarning(thrown));
  }
  return noMatches;
}

/** Without a model the text search still answers; without a store nothing does. */
function asWarning(thrown: unknown): QuarryError {
  const error = asQuarryError(thrown);
  if (!leavesText(error)) throw error;
  return error;
}

/** Documents that a query may mean by one name. */
const mostPerMention = 5;

/** The beginnings of the files that mentions mean, or the places in them: first those named first, each place once. */
export async function findPaths(
  store: Store,
  mentions: readonly PathMention[],
  filter: Filter = {},
): Promise<StoreMatch[]> {
  const found = new Map<string, StoreMatch>();
  for (const { uris = new Set<string>(), line } of mentions) {
    for (const document of await documentsAt(store, [...uris].slice(0, mostPerMention))) {
      const chunk = await chunkAt(store, document.id, line);
      if (chunk && documentPasses(filter, document) && chunkPasses(filter, chunk))
        found.set(chunkKey(chunk), { document, chunk, score: 1 });
    }
  }
  return [...found.values()];
}

/** Where the quoted texts stand, each chunk once: those first in which they occur most often together. */
export async function findQuotes(
  store: Store,
  quoted: readonly string[],
  bounds: Bounds,
): Promise<StoreMatch[]> {
  const found = new Map<string, StoreMatch>();
  for (const text of quoted) {
    for (const match of await store.searchPattern({ text, isRegex: false, ignoreCase: false }, bounds)) {
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

function literalGlob(uri: string): string {
  return uri.replace(/[\\*?[\]{}()!+@|]/g, '\\$&');
}

/** The chunk with this line, or the first one. */
async function chunkAt(store: Store, document: string, line: number | undefined): Promise<Chunk | undefined> {
  const after = line === undefined ? 0 : Number.MAX_SAFE_INTEGER;
  const chunks = await store.neighbours(document, 0, { before: 0, after });
  const holds = ({ span }: Chunk) => line !== undefined && span.firstLine <= line && line <= span.lastLine;
  return chunks.find(holds) ?? chunks[0];
}
