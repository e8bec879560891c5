import type { Embedder } from '../contracts/embedder.ts';
import type { Store, StoreMatch } from '../contracts/store.ts';
import { asQuarryError, leavesText, type QuarryError } from '../core/errors.ts';
import type { Filter } from '../core/filter.ts';
import type { Hit } from '../core/hit.ts';
import { requireQuestion } from '../core/question.ts';
import { queryTerms } from '../core/terms.ts';
import { calibrate } from './calibrate.ts';
import { type Candidate, fuse } from './fuse.ts';
import { rank, spread } from './rank.ts';

/** What a search works with. */
export interface RetrievalParts {
  readonly store: Store;
  /** Opens the embedder; where that fails text search answers alone. */
  readonly embedder: () => Promise<Embedder>;
  /** Stands in while the embedder fails, where the index holds vectors of its space too. */
  readonly fallback?: () => Promise<Embedder | undefined>;
}

/** What is asked, and how much is wanted. */
export interface SearchRequest {
  readonly question: string;
  readonly topK: number;
  /** Passages each searcher contributes before ranking. */
  readonly candidates: number;
  /** Most passages of one document. */
  readonly perDocument: number;
  /** Passages below this relevance are left out. */
  readonly threshold: number;
  /** Share of vector search in the fused score: 0 is text only, 1 is vectors only. */
  readonly denseWeight: number;
  readonly filter?: Filter;
  readonly signal?: AbortSignal;
}

/** Ranked passages, and whatever kept a part of the engine out of the answer. */
export interface SearchResult {
  readonly hits: readonly Hit[];
  /** Why the answer may be incomplete, with what to do about it. */
  readonly warnings: readonly QuarryError[];
}

/** Finds the passages that answer a question: both searchers, fused, ranked, with a calibrated relevance. */
export async function search(parts: RetrievalParts, request: SearchRequest): Promise<SearchResult> {
  requireQuestion(request.question);
  const question = request.question.trim();
  const warnings: QuarryError[] = [];
  const bounds = { limit: request.candidates, ...(request.filter && { filter: request.filter }) };
  const text = request.denseWeight < 1 ? await parts.store.searchText(queryTerms(question), bounds) : [];
  const dense: Dense =
    request.denseWeight > 0
      ? await searchDense(parts, question, bounds, request.signal, warnings)
      : { space: '', matches: [] };

  const fused = withFusedRanks(fuse(dense.matches, text, request.denseWeight));
  const ranked = spread(rank(question, fused), request.perDocument);
  const relevanceOf = calibrate(dense.space);
  const floor = dense.matches.length < request.candidates ? 0 : (dense.matches.at(-1)?.score ?? 0);
  const hits = ranked
    .map((candidate) => toHit(candidate, relevanceOf(candidate, floor)))
    .filter((hit) => hit.relevance >= request.threshold)
    .slice(0, request.topK);
  return { hits, warnings };
}

/** What vector search found, and in which space. */
interface Dense {
  readonly space: string;
  readonly matches: readonly StoreMatch[];
}

async function searchDense(
  parts: RetrievalParts,
  question: string,
  bounds: { limit: number; filter?: Filter },
  signal: AbortSignal | undefined,
  warnings: QuarryError[],
): Promise<Dense> {
  const searchWith = async (embedder: Embedder): Promise<Dense> => {
    const [vector] = await embedder.embed([question], { as: 'query', ...(signal && { signal }) });
    const space = embedder.fingerprint;
    return { space, matches: vector ? await parts.store.searchVector(space, vector, bounds) : [] };
  };
  try {
    return await searchWith(await parts.embedder());
  } catch (thrown) {
    const error = asQuarryError(thrown);
    // Without a model the text search still answers; without a store nothing does.
    if (!leavesText(error)) throw error;
    warnings.push(error);
  }
  try {
    const standIn = await parts.fallback?.();
    if (standIn && (await parts.store.dimensions(standIn.fingerprint)) !== undefined)
      return await searchWith(standIn);
  } catch (thrown) {
    const error = asQuarryError(thrown);
    if (!leavesText(error)) throw error;
    warnings.push(error);
  }
  return { space: '', matches: [] };
}

function withFusedRanks(candidates: readonly Candidate[]): Candidate[] {
  return candidates.map((candidate, index) => ({
    ...candidate,
    trace: [...candidate.trace, { stage: 'fuse', rank: index + 1, score: candidate.score }],
  }));
}

function toHit({ match, score, trace }: Candidate, relevance: number): Hit {
  return { chunk: match.chunk, document: match.document, relevance, score, trace };
}
