import type { Embedder } from '../contracts/embedder.ts';
import type { Store, StoreMatch } from '../contracts/store.ts';
import type { Chunk } from '../core/chunk.ts';
import type { DocumentRecord } from '../core/document.ts';
import { asQuarryError, leavesText, type QuarryError } from '../core/errors.ts';
import { chunkPasses, documentPasses, type Filter } from '../core/filter.ts';
import type { QuestionVectors } from './query-cache.ts';
import type { PathMention } from './question.ts';
import { endsWithPath } from './rules/rules.ts';

/** Who turns questions into vectors. */
export interface QuestionEmbedders {
  /** Opens the embedder; where that fails text search answers alone. */
  readonly embedder: () => Promise<Embedder>;
  /** Stands in while the embedder fails, where the index holds vectors of its space too. */
  readonly fallback?: () => Promise<Embedder | undefined>;
  readonly vectors?: QuestionVectors;
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
  embedders: QuestionEmbedders,
  question: string,
  bounds: Bounds,
  { signal, warnings }: { readonly signal?: AbortSignal | undefined; readonly warnings: QuarryError[] },
): Promise<DenseMatches> {
  const searchWith = async (embedder: Embedder): Promise<DenseMatches> => {
    const { fingerprint: space, denseWeight } = embedder;
    const key = `${space}\n${question}`;
    let vector = embedders.vectors?.get(key);
    if (!vector) {
      [vector] = await embedder.embed([question], { as: 'query', ...(signal && { signal }) });
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

/** Documents that a question may mean by one name. */
const mostPerMention = 5;

/** The beginnings of the files that a question names, or the places in them: first those named first. */
export async function findPaths(
  store: Store,
  mentions: readonly PathMention[],
  filter: Filter = {},
): Promise<StoreMatch[]> {
  if (mentions.length === 0) return [];
  const uris = await store.paths();
  const found: StoreMatch[] = [];
  for (const { path, line } of mentions) {
    const named = uris.filter((uri) => endsWithPath(uri, path)).slice(0, mostPerMention);
    for (const document of await documentsAt(store, named)) {
      const chunk = await chunkAt(store, document.id, line);
      if (chunk && documentPasses(filter, document) && chunkPasses(filter, chunk))
        found.push({ document, chunk, score: 1 });
    }
  }
  return found;
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
