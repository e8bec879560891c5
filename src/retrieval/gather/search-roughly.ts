import type { SearchBounds, Store, StoreMatch } from '../../contracts/store.ts';
import type { QuarryError } from '../../core/errors.ts';
import { cosine } from '../../core/vectors/cosine.ts';
import { compareRoughly, type OpenRoughVectors, type RoughComparison } from './compare-roughly.ts';
import { asWarning, type DenseMatches } from './search-dense.ts';

/** What a comparison without a model found. */
export interface RoughMatches {
  readonly dense: DenseMatches;
  /** The same hits by what is found of their whole documents: single chunks tell less by words than they do by a model. */
  readonly documents: readonly StoreMatch[];
}

/** The share that suits it; of the table over a whole index it is less, since there it also finds what has no word of the question. */
const suited = 0.5;

/** Compares the best hits by words with a question, each and as parts of their documents; undefined, with a warning, where the table cannot be read. */
export async function searchRoughly(
  store: Store,
  open: OpenRoughVectors,
  query: string,
  bounds: SearchBounds,
  warnings: QuarryError[],
): Promise<RoughMatches | undefined> {
  const compared = await compareRoughly(store, open, query, bounds).catch((thrown: unknown) => {
    warnings.push(asWarning(thrown));
  });
  if (!compared) return undefined;
  const { space, asked, hits, near } = compared;
  const likeness = likenessOfDocuments(compared);
  const documents = hits.map((match) => ({ ...match, score: likeness.get(match.document.id) ?? 0 }));
  const best = (matches: readonly StoreMatch[]): StoreMatch[] =>
    matches.toSorted((one, other) => other.score - one.score).slice(0, bounds.limit);
  return {
    dense: { space, matches: best(near), vector: asked, suited, covered: 1 },
    documents: best(documents),
  };
}

/** How much the hits of each document together are like the question. */
function likenessOfDocuments({ asked, hits, vectors }: RoughComparison): ReadonlyMap<string, number> {
  const sums = new Map<string, Float32Array>();
  for (const [at, { document }] of hits.entries()) {
    const sum = sums.get(document.id) ?? new Float32Array(asked.length);
    sums.set(document.id, sum);
    for (const [column, value] of vectors[at]?.entries() ?? []) sum[column] = (sum[column] ?? 0) + value;
  }
  return new Map([...sums].map(([id, sum]) => [id, cosine(asked, sum)]));
}
