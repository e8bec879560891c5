import type { Embedder } from '../../contracts/embedder.ts';
import type { TextToEmbed, VectorOutcome } from '../../contracts/vector-source.ts';
import { interrupted } from '../../core/errors.ts';
import { onAbort, unlessAborted } from '../../platform/abort.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import type { ReadAheadWindow } from './call-limits.ts';
import { EmbedRun } from './embed-run.ts';
import { createThroughput, type Throughput } from './throughput.ts';

/** How a stream of texts is embedded. */
export interface EmbedStreamOptions {
  /** Stops the stream with `interrupted`, and the calls in flight with it. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** What earlier streams have learned about this embedder; a new one learns by itself. */
  readonly throughput?: Throughput;
  /** Otherwise what suits the backend's limits, in bounded memory. */
  readonly window?: Partial<ReadAheadWindow>;
}

/**
 * Embeds any number of texts in calls that suit the backend, and delivers an outcome for every text exactly once, in no
 * particular order. A text that the model refuses is an outcome too; anything else that a call fails with is thrown,
 * after what was made has been delivered and every call in flight has ended. The model is loaded when the first text
 * arrives.
 */
export async function* embedStream<Owner>(
  embedder: Embedder,
  texts: AsyncIterable<TextToEmbed<Owner>>,
  options: EmbedStreamOptions = {},
): AsyncGenerator<VectorOutcome<Owner>, void, undefined> {
  const { signal, clock = systemClock, throughput = createThroughput(clock), window = {} } = options;
  if (signal?.aborted) throw interrupted(signal.reason);
  const iterator = texts[Symbol.asyncIterator]();
  let first: IteratorResult<TextToEmbed<Owner>>;
  try {
    first = await unlessAborted(() => iterator.next(), signal);
    if (first.done) return;
    await unlessAborted(async () => embedder.load?.(), signal);
  } catch (thrown) {
    // Not waited for, since it may be stuck in a read.
    Promise.resolve(iterator.return?.()).catch(() => {});
    throw thrown;
  }
  const run = new EmbedRun({ embedder, texts: iterator, clock, throughput, window });
  const stop = (): void => run.stop(interrupted(signal?.reason));
  const ignore = onAbort(signal, stop);
  try {
    yield* run.outcomes(first.value);
  } finally {
    ignore();
    // A caller that stopped reading early needs no more vectors; calls in flight are ended and waited for.
    stop();
    await run.end();
  }
}
