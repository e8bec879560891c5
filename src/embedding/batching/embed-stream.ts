import type { Embedder } from '../../contracts/embedder.ts';
import type { TextToEmbed, VectorOutcome } from '../../contracts/vector-source.ts';
import { interrupted } from '../../core/errors.ts';
import { onAbort, unlessAborted } from '../../platform/abort.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { BatchCalls } from './batch-calls.ts';
import { BatchSupply } from './batch-supply.ts';
import { callLimitsOf } from './call-limits.ts';
import { CallMeter } from './call-meter.ts';
import { measureFor } from './measured-text.ts';
import { type BackendPace, createBackendPace } from './pace.ts';
import { ReadAhead, type ReadAheadWindow } from './read-ahead.ts';

/** How a stream of texts is embedded. */
export interface EmbedStreamOptions {
  /** Stops the stream with `interrupted`, and the calls in flight with it. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** What earlier streams have learned about this embedder; a new one learns by itself. */
  readonly pace?: BackendPace;
  /** How much may be read and not yet told; otherwise what suits the backend's limits, in bounded memory. */
  readonly window?: Partial<ReadAheadWindow>;
}

/**
 * Embeds any number of texts in calls that suit the backend, and tells of every text exactly once, in no particular
 * order. A text that the model refuses is told of as refused; anything else that a call fails with is thrown, after what
 * was made has been told and every call in flight has ended. The model is loaded when the first text arrives.
 */
export async function* embedStream<Owner>(
  embedder: Embedder,
  texts: AsyncIterable<TextToEmbed<Owner>>,
  options: EmbedStreamOptions = {},
): AsyncGenerator<VectorOutcome<Owner>, void, undefined> {
  const { signal } = options;
  if (signal?.aborted) throw interrupted(signal.reason);
  const iterator = texts[Symbol.asyncIterator]();
  const first = await unlessAborted(() => iterator.next(), signal).catch((thrown: unknown) => {
    closeUnread(iterator);
    throw thrown;
  });
  if (first.done) return;
  const stream = await openStream(embedder, iterator, options).catch((thrown: unknown) => {
    closeUnread(iterator);
    throw thrown;
  });
  yield* tell(stream, first.value, signal);
}

interface OpenStream<Owner> {
  readonly reader: ReadAhead<Owner>;
  readonly calls: BatchCalls<Owner>;
}

async function openStream<Owner>(
  embedder: Embedder,
  texts: AsyncIterator<TextToEmbed<Owner>>,
  { signal, clock = systemClock, pace = createBackendPace(clock), window }: EmbedStreamOptions,
): Promise<OpenStream<Owner>> {
  await unlessAborted(async () => embedder.load?.(), signal);
  // Only a loaded embedder knows its limits for sure.
  const limits = callLimitsOf(embedder, window);
  pace.budget.aim({ limit: limits.tokens, searches: limits.gainsFromSize });
  const stop = new AbortController();
  const onChange = (): void => calls.advance();
  const measure = measureFor(embedder, embedder.limits);
  const reader = new ReadAhead({ texts, window: limits.window, measure, clock, onChange });
  const supply = new BatchSupply({
    reader,
    limits,
    budget: pace.budget,
    clock,
    signal: stop.signal,
    onPatienceLost: onChange,
  });
  const calls = new BatchCalls({ embedder, limits, pace, meter: new CallMeter(clock), stop }, supply);
  return { reader, calls };
}

async function* tell<Owner>(
  { reader, calls }: OpenStream<Owner>,
  first: TextToEmbed<Owner>,
  signal: AbortSignal | undefined,
): AsyncGenerator<VectorOutcome<Owner>, void, undefined> {
  const stop = (): void => calls.stop(interrupted(signal?.reason));
  const ignore = onAbort(signal, stop);
  try {
    reader.begin(first);
    calls.advance();
    for (let isDone = false; !isDone; ) {
      isDone = calls.isDone;
      for (const made of calls.takeMade()) {
        yield made.outcome;
        calls.told(made);
      }
      if (!isDone && !calls.isDone) await calls.changed();
    }
    if (calls.failure) throw calls.failure;
  } finally {
    ignore();
    // Whoever stopped reading early needs no more vectors; calls in flight are ended and waited for.
    stop();
    await reader.close();
    while (calls.inFlight > 0) await calls.changed();
  }
}

/** Lets a source go that will not be read; it is not waited for, since it may be stuck in a read. */
function closeUnread(iterator: AsyncIterator<unknown>): void {
  Promise.resolve(iterator.return?.()).catch(() => {});
}
