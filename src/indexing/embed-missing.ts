import type { Embedder } from '../contracts/embedder.ts';
import type { ChunkEntry, MissingVector, Store, VectorEntry } from '../contracts/store.ts';
import { embeddedText } from '../core/chunk.ts';
import { asQuarryError, interrupted, QuarryError } from '../core/errors.ts';
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
  if (counts.embedded === counts.chunks) return;
  const refused = new Set<string>();
  const next = async (): Promise<MissingVector[]> => {
    const missing = await store.missingVectors(space, vectorsPerCommit + refused.size);
    return missing.filter(({ embeddingKey }) => !refused.has(embeddingKey));
  };
  yield { type: 'model-loading', name: space };
  const started = performance.now();
  try {
    await embedder.load?.();
    yield { type: 'model-ready', name: space, seconds: secondsSince(started) };
    for (let batch = await next(); batch.length > 0; batch = await next()) {
      if (signal?.aborted) throw interrupted(signal.reason);
      const entries = await embedBatch(embedder, batch, refused, tally, signal);
      await store.addVectors(space, entries);
      tally.embedded += entries.length;
      const now = await store.counts(space);
      const total = counts.chunks - counts.embedded;
      yield { type: 'vectors-added', done: now.embedded - counts.embedded, total };
    }
    if (refused.size > 0) throw refusal(refused.size);
  } catch (thrown) {
    const error = asQuarryError(thrown);
    if (error.code === 'interrupted' || error.code.startsWith('store-')) throw error;
    const now = await store.counts(space);
    yield { type: 'vectors-failed', error, pending: now.chunks - now.embedded };
  }
}

/** Vectors for given chunks at once, whatever else is still missing. */
export async function embedChunks(
  store: Store,
  embedder: Embedder,
  chunks: readonly ChunkEntry[],
  signal?: AbortSignal,
): Promise<void> {
  const batch = chunks.map(({ chunk, embeddingKey }) => ({ embeddingKey, text: embeddedText(chunk) }));
  const refused = new Set<string>();
  const entries = await embedBatch(embedder, batch, refused, { embedded: 0, seconds: 0 }, signal);
  await store.addVectors(embedder.fingerprint, entries);
  if (refused.size > 0) throw refusal(refused.size);
}

/** Embeds a batch; texts that the model refuses are set aside, so that one of them stops no other. */
async function embedBatch(
  embedder: Embedder,
  batch: readonly MissingVector[],
  refused: Set<string>,
  tally: EmbeddingTally,
  signal?: AbortSignal,
): Promise<VectorEntry[]> {
  const { batchTexts } = embedder.limits;
  if (batch.length > batchTexts) {
    const rest = await embedBatch(embedder, batch.slice(batchTexts), refused, tally, signal);
    return [...(await embedBatch(embedder, batch.slice(0, batchTexts), refused, tally, signal)), ...rest];
  }
  const started = performance.now();
  try {
    const texts = batch.map(({ text }) => text);
    const vectors = await embedder.embed(texts, { as: 'passage', ...(signal && { signal }) });
    return vectors.map((vector, index) => ({ embeddingKey: batch[index]?.embeddingKey ?? '', vector }));
  } catch (thrown) {
    if (asQuarryError(thrown).code !== 'embedding-failed') throw thrown;
    if (batch.length === 1) {
      refused.add(batch[0]?.embeddingKey ?? '');
      return [];
    }
    const half = batch.length >> 1;
    const first = await embedBatch(embedder, batch.slice(0, half), refused, tally, signal);
    return [...first, ...(await embedBatch(embedder, batch.slice(half), refused, tally, signal))];
  } finally {
    tally.seconds += secondsSince(started);
  }
}

function refusal(count: number): QuarryError {
  return new QuarryError(
    'embedding-failed',
    `The model refused ${count} of the texts.`,
    'Run: quarry index, to try them again.',
  );
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1000;
}
