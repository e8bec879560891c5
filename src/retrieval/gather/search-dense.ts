import type { Embedder } from '../../contracts/embedder.ts';
import type { IndexState, SearchBounds, Store, StoreMatch } from '../../contracts/store.ts';
import { asQuarryError, leavesText, type QuarryError } from '../../core/errors.ts';
import { beginningOf } from '../../core/query.ts';
import { embeddedIn } from '../../index/state.ts';
import type { RecentValues } from '../../platform/recent-values.ts';

/** What turns queries into vectors. */
export interface QueryEmbedders {
  /** Opens the embedder; if that fails, text search answers alone. */
  readonly embedder: () => Promise<Embedder>;
  /** The fallback while the embedder fails, if the index also holds vectors of its space. */
  readonly fallback?: () => Promise<Embedder | undefined>;
  /** Vectors of queries by fingerprint and query; they never go stale. */
  readonly vectors?: RecentValues<Float32Array>;
}

/** What vector search found, and in which space. */
export interface DenseMatches {
  readonly space: string;
  readonly matches: readonly StoreMatch[];
  /** That of the query; absent where vectors were not asked. */
  readonly vector?: Float32Array;
  /** The share in the fused score that the embedder asks for. */
  readonly suited?: number;
  /** Share of all chunks that have a vector. */
  readonly covered: number;
}

/** Nothing found, in no space. */
export const noMatches: DenseMatches = { space: '', matches: [], covered: 1 };

/** How vector search is asked. */
export interface DenseContext {
  readonly signal?: AbortSignal | undefined;
  /** Filled with what keeps the embedders from answering. */
  readonly warnings: QuarryError[];
  /** Where a smaller share of the chunks has a vector, nothing is found: those few would pass for the best of all. */
  readonly minCovered: number;
  /** The index as it stands, where the caller knows it. */
  readonly state?: IndexState | undefined;
  /** Called before the query gets its vector, with the space that is searched, where chunks lack a vector in it. */
  readonly onMissing?: (space: string) => void;
}

/** The nearest chunks; a failure of the embedders becomes a warning. */
export async function searchDense(
  store: Store,
  embedders: QueryEmbedders,
  query: string,
  bounds: SearchBounds,
  { signal, warnings, minCovered, onMissing, state: known }: DenseContext,
): Promise<DenseMatches> {
  const state = known ?? (await store.state());
  const searchWith = async (embedder: Embedder): Promise<DenseMatches> => {
    const { fingerprint: space, denseWeight } = embedder;
    const covered = coveredShare(state, space);
    if (covered < minCovered) return noMatches;
    if (covered < 1) onMissing?.(space);
    const beginning = beginningOf(query);
    const key = `${space}\n${beginning}`;
    let vector = embedders.vectors?.get(key);
    if (!vector) {
      [vector] = await embedder.embed([beginning], { as: 'query', ...(signal && { signal }) });
      if (vector) embedders.vectors?.set(key, vector);
    }
    const matches = vector ? await store.searchVector(space, vector, bounds) : [];
    return {
      space,
      matches,
      covered,
      ...(vector && { vector }),
      ...(denseWeight !== undefined && { suited: denseWeight }),
    };
  };
  try {
    return await searchWith(await embedders.embedder());
  } catch (thrown) {
    warnings.push(asWarning(thrown));
  }
  try {
    const standIn = await embedders.fallback?.();
    if (standIn && state.spaces.has(standIn.fingerprint)) return await searchWith(standIn);
  } catch (thrown) {
    warnings.push(asWarning(thrown));
  }
  return noMatches;
}

/** Without a model the text search still answers; without a store nothing does. */
export function asWarning(thrown: unknown): QuarryError {
  const error = asQuarryError(thrown);
  if (!leavesText(error)) throw error;
  return error;
}

/** Share of the chunks that have a vector in a space. */
function coveredShare(state: IndexState, space: string): number {
  return state.chunks === 0 ? 1 : embeddedIn(state, space) / state.chunks;
}
