import type { ChunkEntry, Store, VectorEntry } from '../contracts/store.ts';
import type { TextToEmbed, VectorSource } from '../contracts/vector-source.ts';
import { embeddedText } from '../core/chunk.ts';
import { asQuarryError, interrupted, leavesText, QuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';

/** Vectors written in one transaction: few enough to lose little time when killed, enough to keep commits rare. */
const vectorsPerCommit = 32;
/** Texts fetched from the store at a time. */
const textsPerPage = 512;
/** Counting is not free in a large index: progress is told this often at most. */
const tellEveryMilliseconds = 250;

/** What embedding did, filled in while it runs. */
export interface EmbeddingTally {
  /** Vectors that the model made. */
  embedded: number;
  /** Vectors that the shared cache had. */
  cached: number;
  /** Seconds spent waiting for vectors. */
  seconds: number;
}

/** A tally of nothing yet. */
export function emptyTally(): EmbeddingTally {
  return { embedded: 0, cached: 0, seconds: 0 };
}

/** Makes every vector that is still missing, as far as there is a model to make them; they are kept as they come. */
export async function* embedMissing(
  store: Store,
  open: () => Promise<VectorSource>,
  tally: EmbeddingTally,
  signal?: AbortSignal,
): AsyncGenerator<IndexEvent> {
  const source = await open().catch(asQuarryError);
  if (source instanceof QuarryError) {
    if (!leavesText(source)) throw source;
    const { chunks } = await store.counts();
    if (chunks > 0) yield { type: 'vectors-failed', error: source, pending: chunks };
    return;
  }
  const space = source.embedder.fingerprint;
  const before = await store.counts(space);
  const total = before.chunks - before.embedded;
  if (total === 0) return;
  const progress = async (): Promise<IndexEvent> => {
    const now = await store.counts(space);
    return { type: 'vectors-added', done: now.embedded - before.embedded, total };
  };
  yield { type: 'model-loading', name: space };
  const started = performance.now();
  let told = 0;
  try {
    const refused: QuarryError[] = [];
    for await (const _ of takeVectors(store, source, missingTexts(store, space), {
      tally,
      refused,
      signal,
    })) {
      if (told === 0) yield { type: 'model-ready', name: space, seconds: secondsSince(started) };
      if (performance.now() - told < tellEveryMilliseconds) continue;
      told = performance.now();
      yield await progress();
    }
    if (told > 0) yield await progress();
    if (source.problem) yield { type: 'cache-failed', error: source.problem };
    if (refused.length > 0) throw refusal(refused);
  } catch (thrown) {
    const error = asQuarryError(thrown);
    if (!leavesText(error)) throw error;
    const now = await store.counts(space);
    yield { type: 'vectors-failed', error, pending: now.chunks - now.embedded };
  }
}

/** Vectors for given chunks at once, whatever else is still missing. */
export async function embedChunks(
  store: Store,
  source: VectorSource,
  chunks: readonly ChunkEntry[],
  signal?: AbortSignal,
): Promise<void> {
  const refused: QuarryError[] = [];
  const options = { tally: emptyTally(), refused, signal };
  for await (const _ of takeVectors(store, source, textsOf(chunks), options));
  if (refused.length > 0) throw refusal(refused);
}

interface Taking {
  readonly tally: EmbeddingTally;
  /** Filled with the reasons of texts that have no vector. */
  readonly refused: QuarryError[];
  readonly signal: AbortSignal | undefined;
}

/** Writes vectors as they come, and yields after each commit; what came before a failure is kept. */
async function* takeVectors(
  store: Store,
  source: VectorSource,
  texts: AsyncIterable<TextToEmbed<string>>,
  { tally, refused, signal }: Taking,
): AsyncGenerator<void> {
  const waiting: VectorEntry[] = [];
  const commit = async (): Promise<void> => {
    if (waiting.length > 0) await store.addVectors(source.embedder.fingerprint, waiting.splice(0));
  };
  let since = performance.now();
  try {
    for await (const outcome of source.vectorsFor(texts, signal ? { signal } : {})) {
      tally.seconds += secondsSince(since);
      if (signal?.aborted) throw interrupted(signal.reason);
      if (outcome.kind === 'refused') refused.push(outcome.error);
      else {
        for (const { owner, vector } of outcome.entries) waiting.push({ embeddingKey: owner, vector });
        tally[outcome.from === 'cache' ? 'cached' : 'embedded'] += outcome.entries.length;
      }
      if (waiting.length >= vectorsPerCommit) {
        await commit();
        yield;
      }
      since = performance.now();
    }
  } finally {
    await commit();
  }
  yield;
}

async function* missingTexts(store: Store, space: string): AsyncGenerator<TextToEmbed<string>> {
  for (let after = 0; ; ) {
    const page = await store.missingVectors(space, textsPerPage, after);
    for (const { text, embeddingKey, position } of page) {
      yield { text, owner: embeddingKey };
      after = position;
    }
    if (page.length === 0) return;
  }
}

async function* textsOf(chunks: readonly ChunkEntry[]): AsyncGenerator<TextToEmbed<string>> {
  for (const { chunk, embeddingKey } of chunks) yield { text: embeddedText(chunk), owner: embeddingKey };
}

function refusal(refused: readonly QuarryError[]): QuarryError {
  const [first] = refused;
  return new QuarryError(
    'embedding-failed',
    `The model refused ${refused.length} of the texts: ${first?.message ?? ''}`,
    'Run: quarry index, to try them again.',
    { cause: first },
  );
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1000;
}
