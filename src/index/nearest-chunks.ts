import type { SearchBounds, StoreMatch } from '../contracts/store.ts';
import type { NearKey, VectorEngine } from '../contracts/vector-engine.ts';
import { cosine } from '../core/vectors/cosine.ts';
import type { Marks, Table } from './vector-marks.ts';

/** Texts that a filter admits, up to which their vectors are compared one by one. */
const maxCompared = 500;

/**
 * The nearest chunks that pass the filter; undefined where the engine has lost their space. Where a filter admits few, these
 * are compared. Otherwise the engine is asked for the nearest of all, and for four times as many until enough of them
 * pass: some are of documents that the filter leaves out, or that are gone.
 */
export async function nearestChunks(
  table: Table,
  engine: VectorEngine,
  { engineSpace }: Marks,
  vector: Float32Array,
  { limit, filter }: SearchBounds,
): Promise<StoreMatch[] | undefined> {
  const max = Math.trunc(Math.max(0, limit || 0));
  const passing = filter && (await table.keysPassing(filter, maxCompared + 1));
  if (max === 0 || passing?.length === 0) return [];
  const isFew = passing !== undefined && passing.length <= maxCompared;
  for (let asked = max; ; asked *= 4) {
    const near = isFew
      ? await compare(engine, engineSpace, vector, passing)
      : await engine.nearest(engineSpace, vector, asked);
    if (!near) return undefined;
    const scores = new Map(near.map(({ embeddingKey, score }) => [embeddingKey, score]));
    const found = await table.chunksWithKeys([...scores.keys()], filter);
    if (found.length < max && !isFew && near.length >= asked) continue;
    return found.slice(0, max).map(({ chunk, document, embeddingKey }) => ({
      chunk,
      document,
      score: scores.get(embeddingKey) ?? 0,
    }));
  }
}

async function compare(
  engine: VectorEngine,
  space: string,
  vector: Float32Array,
  keys: readonly string[],
): Promise<NearKey[] | undefined> {
  const entries = await engine.read(space, keys);
  return entries
    ?.map((entry) => ({ embeddingKey: entry.embeddingKey, score: cosine(vector, entry.vector) }))
    .sort((one, other) => other.score - one.score);
}
