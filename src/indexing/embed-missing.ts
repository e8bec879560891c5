import type { ChunkEntry, IndexState, Store, VectorEntry } from '../contracts/store.ts';
import type { TextToEmbed, VectorSource } from '../contracts/vector-source.ts';
import { embeddedText } from '../core/chunk.ts';
import { asQuarryError, interrupted, leavesText, QuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import { citationOf } from '../core/text/citation.ts';
import { embeddedIn, pendingIn } from '../index/state.ts';
import { addVectors } from '../index/write.ts';
import {
  keepRefusals,
  type RefusedChunks,
  type RefusedText,
  refusedChunks,
  refusedKeys,
  shortReason,
} from './refused-texts.ts';

/** Vectors written in one transaction: few enough to lose little time when killed, enough to keep commits rare. */
const vectorsPerCommit = 32;
/** Texts fetched from the store at a time. */
const textsPerPage = 512;
/** Counting is not free in a large index: progress is emitted this often at most. */
const reportEveryMilliseconds = 250;
/** Counting takes long in a very large index: it is done as seldom as keeps it to a twentieth of the time. */
const countingShare = 20;
/** What was refused is written down this often at most, and at the end. */
const keepEveryMilliseconds = 2000;
/** Refused chunks that an event names; the index remembers the others too. */
const maxNamed = 20;

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

/** How missing vectors are made. */
export interface EmbedOptions {
  readonly signal?: AbortSignal | undefined;
  /** Leaves out the texts that the model has refused before; otherwise they are asked for once more. */
  readonly passOverRefused?: boolean | undefined;
  /** Ends it early, as if nothing more were missing; what is made already is kept. */
  readonly giveWay?: AbortSignal | undefined;
  /** The index as it stands, where the caller knows it. */
  readonly state?: IndexState | undefined;
}

/**
 * Makes every vector that is still missing, as far as there is a model to make them; they are kept as they come. Returns
 * what kept the model from making all of them; texts that it refused are no such failure.
 */
export async function* embedMissing(
  store: Store,
  open: () => Promise<VectorSource>,
  tally: EmbeddingTally,
  { signal, passOverRefused = false, giveWay, state }: EmbedOptions = {},
): AsyncGenerator<IndexEvent, QuarryError | undefined> {
  if (giveWay?.aborted) return undefined;
  const source = await open().catch(asQuarryError);
  if (source instanceof QuarryError) {
    if (!leavesText(source)) throw source;
    const { chunks } = state ?? (await store.state());
    if (chunks > 0) yield { type: 'vectors-failed', error: source, pending: chunks };
    return source;
  }
  const space = source.embedder.fingerprint;
  const before = state ?? (await store.state());
  const total = pendingIn(before, space);
  if (total === 0) {
    await keepRefusals(store, space, [], { isComplete: true, state: before });
    return undefined;
  }
  const passedOver = passOverRefused ? await refusedKeys(store, space) : nothing;
  if (passedOver.size > 0 && (await isEmpty(missingTexts(store, space, passedOver)))) return undefined;
  const progress = async (): Promise<IndexEvent> => {
    const done = embeddedIn(await store.state(), space) - embeddedIn(before, space);
    // Another process may take out chunks meanwhile, or add some.
    return { type: 'vectors-added', done: Math.min(total, Math.max(0, done)), total };
  };
  yield { type: 'model-loading', name: space };
  const started = performance.now();
  const refusals = createRefusals(store, space, passedOver);
  const ends = [signal, giveWay].filter((end) => end !== undefined);
  const options = { tally, refused: refusals.texts, signal: AbortSignal.any(ends) };
  let emitted = 0;
  let tellAt = 0;
  let failure: QuarryError | undefined;
  try {
    for await (const _ of takeVectors(store, source, missingTexts(store, space, passedOver), options)) {
      if (emitted === 0) yield { type: 'model-ready', name: space, seconds: secondsSince(started) };
      await refusals.keepNow();
      const asked = performance.now();
      if (asked < tellAt) continue;
      yield await progress();
      emitted += 1;
      tellAt =
        performance.now() + Math.max(reportEveryMilliseconds, countingShare * (performance.now() - asked));
    }
    refusals.isComplete = passedOver.size === 0;
    if (emitted > 0) yield await progress();
    if (source.problem) yield { type: 'cache-failed', error: source.problem };
  } catch (thrown) {
    const error = asQuarryError(thrown);
    const gaveWay = error.code === 'interrupted' && giveWay?.aborted && !signal?.aborted;
    if (!gaveWay) failure = error;
    if (failure && !leavesText(failure)) throw failure;
  } finally {
    await refusals.keep();
  }
  if (failure || refusals.texts.length > 0)
    yield* await refusalEvents(store, space, failure, await refusals.known());
  return failure;
}

/** The events about vectors that a space lacks: why, and which texts were refused. */
export async function refusalEvents(
  store: Store,
  space: string,
  failure: QuarryError | undefined,
  refused: RefusedChunks | undefined,
): Promise<IndexEvent[]> {
  const error = failure ?? (refused && refusal(refused));
  if (!error) return [];
  const named = refused && { total: refused.total, chunks: refused.chunks.slice(0, maxNamed) };
  const pending = pendingIn(await store.state(), space);
  return [{ type: 'vectors-failed', error, pending, ...(named && { refused: named }) }];
}

/** Makes vectors for given chunks at once, whatever else is still missing; gives why some have none, where that is so. */
export async function embedChunks(
  store: Store,
  open: () => Promise<VectorSource>,
  chunks: readonly ChunkEntry[],
  signal?: AbortSignal,
): Promise<QuarryError | undefined> {
  try {
    const source = await open();
    const refusals = createRefusals(store, source.embedder.fingerprint);
    const options = { tally: emptyTally(), refused: refusals.texts, signal };
    try {
      for await (const _ of takeVectors(store, source, textsOf(chunks), options));
    } finally {
      if (refusals.texts.length > 0) await refusals.keep();
    }
    const refused = await refusals.known();
    return refused && refusal(refused);
  } catch (thrown) {
    const error = asQuarryError(thrown);
    if (!leavesText(error)) throw error;
    return error;
  }
}

const nothing: ReadonlySet<string> = new Set();

/** What one run was refused, and its way into the index. */
export function createRefusals(store: Store, space: string, passedOver = nothing) {
  const texts: RefusedText[] = [];
  let keptAt = 0;
  let kept = 0;
  const refusals = {
    texts,
    /** Whether every missing text was asked for. */
    isComplete: false,
    async keep(): Promise<void> {
      kept = texts.length;
      keptAt = performance.now();
      await keepRefusals(store, space, texts, { isComplete: refusals.isComplete });
    },
    /** Writes down what is new, unless that was done a moment ago. */
    async keepNow(): Promise<void> {
      const isDue = kept === 0 || performance.now() - keptAt > keepEveryMilliseconds;
      if (texts.length > kept && isDue) await refusals.keep();
    },
    /** Where the texts stand that were refused in this run or passed over; undefined where there are none. */
    async known(): Promise<RefusedChunks | undefined> {
      const keys = new Set([...passedOver, ...texts.map(({ embeddingKey }) => embeddingKey)]);
      if (keys.size === 0) return undefined;
      const found = await refusedChunks(store, (name, key) => name === space && keys.has(key));
      return found.total > 0 ? found : undefined;
    },
  };
  return refusals;
}

/** A text as it is known while its vector is made. */
interface Wanted {
  readonly embeddingKey: string;
  /** Its position among the missing ones, where that is known. */
  readonly position: number | undefined;
}

interface Taking {
  readonly tally: EmbeddingTally;
  /** Filled with the texts that have no vector, and why. */
  readonly refused: RefusedText[];
  readonly signal: AbortSignal | undefined;
}

/** Writes vectors as they come, and yields after each commit; what came before a failure is kept. */
async function* takeVectors(
  store: Store,
  source: VectorSource,
  texts: AsyncIterable<TextToEmbed<Wanted>>,
  { tally, refused, signal }: Taking,
): AsyncGenerator<void> {
  const waiting: VectorEntry[] = [];
  const commit = async (): Promise<void> => {
    if (waiting.length > 0) await addVectors(store, source.embedder.fingerprint, waiting.splice(0));
  };
  let since = performance.now();
  try {
    for await (const outcome of source.vectorsFor(texts, signal ? { signal } : {})) {
      tally.seconds += secondsSince(since);
      if (signal?.aborted) throw interrupted(signal.reason);
      if (outcome.kind === 'refused')
        refused.push({ ...outcome.owner, reason: shortReason(outcome.error.message) });
      else {
        for (const { owner, vector } of outcome.entries)
          waiting.push({ embeddingKey: owner.embeddingKey, vector });
        tally[outcome.from === 'cache' ? 'cached' : 'embedded'] += outcome.entries.length;
      }
      if (waiting.length >= vectorsPerCommit || outcome.kind === 'refused') {
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

async function* missingTexts(
  store: Store,
  space: string,
  passedOver: ReadonlySet<string>,
): AsyncGenerator<TextToEmbed<Wanted>> {
  for (let after = 0; ; ) {
    const page = await store.missingVectors(space, textsPerPage, after);
    for (const { text, embeddingKey, position } of page) {
      if (!passedOver.has(embeddingKey)) yield { text, owner: { embeddingKey, position } };
      after = position;
    }
    if (page.length === 0) return;
  }
}

async function isEmpty(items: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _ of items) return false;
  return true;
}

async function* textsOf(chunks: readonly ChunkEntry[]): AsyncGenerator<TextToEmbed<Wanted>> {
  for (const { chunk, embeddingKey } of chunks)
    yield { text: embeddedText(chunk), owner: { embeddingKey, position: undefined } };
}

function refusal({ chunks: [first], total }: RefusedChunks): QuarryError {
  const place = first ? `${citationOf(first.uri, first.place)}: ${first.reason}` : '';
  return new QuarryError(
    'embedding-failed',
    total === 1 ? `The model refused a text, ${place}` : `The model refused ${total} texts, first ${place}`,
    'Run: quarry status, to see what was refused; quarry index tries it again.',
  );
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1000;
}
