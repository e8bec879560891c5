import type { Embedder } from '../contracts/embedder.ts';
import type { ErrorCode } from '../core/error-catalogue.ts';
import { asQuarryError, interrupted } from '../core/errors.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { wrapped } from './wrapped.ts';

/** How long to continue when a backend is busy or away. */
export interface RetryOptions {
  /** Most tries of one call, the first included. */
  readonly attempts?: number;
  /** Milliseconds that one call may spend waiting between its tries, all together. */
  readonly patience?: number;
  readonly clock?: Clock;
  /** A number from 0 up to and without 1, so that many clients do not come back at the same moment. */
  readonly random?: () => number;
}

const firstPause = 500;
const maxPause = 60_000;

/** What the same call may succeed after. */
const mayPass: ReadonlySet<ErrorCode> = new Set(['provider-limited', 'provider-unreachable']);

/**
 * The same embedder, but a call that failed with `provider-limited` or `provider-unreachable` is repeated after a pause:
 * as long as the other side asks for, and at least twice as long each time. Everything else fails at once.
 */
export function retrying(embedder: Embedder, options: RetryOptions = {}): Embedder {
  const { embedWithSketches } = embedder;
  const closing = new AbortController();
  const repeat = <Value>(work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> =>
    withRetries(work, signal ? AbortSignal.any([signal, closing.signal]) : closing.signal, options);
  return wrapped(embedder, {
    ...(embedder.load && { load: () => repeat(async () => embedder.load?.()) }),
    embed: (texts, embedOptions) => repeat(() => embedder.embed(texts, embedOptions), embedOptions.signal),
    ...(embedWithSketches && {
      embedWithSketches: (texts, embedOptions) =>
        repeat(() => embedWithSketches.call(embedder, texts, embedOptions), embedOptions.signal),
    }),
    close: () => {
      closing.abort();
      return embedder.close();
    },
  });
}

async function withRetries<Value>(
  work: () => Promise<Value>,
  signal: AbortSignal,
  { attempts = 6, patience = 300_000, clock = systemClock, random = Math.random }: RetryOptions,
): Promise<Value> {
  let waited = 0;
  for (let attempt = 1; ; attempt += 1) {
    if (signal.aborted) throw interrupted(signal.reason);
    try {
      return await work();
    } catch (thrown) {
      const { code, retryAfter = 0 } = asQuarryError(thrown);
      const pause = Math.max(retryAfter, pauseAfter(attempt, random));
      waited += pause;
      // Waiting only to give up afterwards helps nobody.
      if (!mayPass.has(code) || attempt >= attempts || waited > patience) throw thrown;
      await clock.wait(pause, signal);
    }
  }
}

/** Between half and all of a span that doubles with each try. */
function pauseAfter(attempt: number, random: () => number): number {
  const span = Math.min(maxPause, firstPause * 2 ** (attempt - 1));
  return (span / 2) * (1 + random());
}
