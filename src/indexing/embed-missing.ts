import type { Embedder } from '../contracts/embedder.ts';
import type { MissingVector, Store, VectorEntry } from '../contracts/store.ts';
import { asQuarryError, interrupted } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';

/** Vectors written in one transaction: few enough to lose little time when killed, enough to keep commits rare. */
const vectorsPerCommit = 32;

/** What embedding did, filled in while it runs. */
export interface EmbeddingTally {
  embedded: number;
  /** Seconds inside the model. */
  seconds: number;
}

/** Makes every vector that is still missing, in batches that are kept as they come. */
export async function* embedMissing(
  store: Store,
  embedder: Embedder,
  tally: EmbeddingTally,
  signal?: AbortSignal,
): AsyncGenerator<IndexEvent> {
  const space = embedder.fingerprint;
  const counts = await store.counts(space);
  const total = counts.chunks - counts.embedded;
  let batch = await store.missingVectors(space, vectorsPerCommit);
  if (batch.length === 0) return;
  yield { type: 'model-loading', name: space };
  const started = performance.now();
  try {
    await embedder.embed([''], { as: 'passage', ...(signal && { signal }) });
    yield { type: 'model-ready', name: space, seconds: secondsSince(started) };
    while (batch.length > 0) {
      if (signal?.aborted) throw interrupted(signal.reason);
      await store.addVectors(space, await embedBatch(embedder, batch, tally, signal));
      tally.embedded += batch.length;
      yield { type: 'vectors-added', done: Math.min(tally.embedded, total), total };
      batch = await store.missingVectors(space, vectorsPerCommit);
    }
  } catch (thrown) {
    const error = asQuarryError(thrown);
    if (error.code === 'interrupted') throw error;
    const now = await store.counts(space);
    yield { type: 'vectors-failed', error, pending: now.chunks - now.embedded };
  }
}

async function embedBatch(
  embedder: Embedder,
  batch: readonly MissingVector[],
  tally: EmbeddingTally,
  signal?: AbortSignal,
): Promise<VectorEntry[]> {
  const entries: VectorEntry[] = [];
  const { batchTexts } = embedder.limits;
  for (let at = 0; at < batch.length; at += batchTexts) {
    const part = batch.slice(at, at + batchTexts);
    const started = performance.now();
    const vectors = await embedder.embed(
      part.map(({ text }) => text),
      { as: 'passage', ...(signal && { signal }) },
    );
    tally.seconds += secondsSince(started);
    vectors.forEach((vector, index) => {
      const missing = part[index];
      if (missing) entries.push({ embeddingKey: missing.embeddingKey, vector });
    });
  }
  return entries;
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1000;
}
