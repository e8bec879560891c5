import type { Embedder } from '../contracts/embedder.ts';
import { asQuarryError, QuarryError } from '../core/errors.ts';
import { wrapped } from './wrapped.ts';

/** Failures of a backend as a whole, during which another one may stand in. */
const backendFailures: readonly string[] = [
  'provider-unreachable',
  'provider-limited',
  'provider-key',
  'consent-missing',
];

/** Whether a failure is of the backend, not of what it was asked. */
export function isBackendFailure(error: QuarryError): boolean {
  return backendFailures.includes(error.code);
}

/** Milliseconds for which a backend that failed is not asked again while another one stands in. */
const restAfterFailure = 60_000;

/**
 * An embedder that lets another one of the same vector space stand in when its backend fails; that one is opened only
 * then. Vectors of different spaces cannot be compared: where the spaces differ nothing stands in, and the error says so.
 */
export function withFallback(
  first: Embedder,
  openSecond: () => Promise<Embedder>,
  now: () => number = () => performance.now(),
): Embedder {
  let restsUntil = 0;
  const attempt = async <Value>(work: (embedder: Embedder) => Promise<Value>): Promise<Value> => {
    if (now() < restsUntil) return work(await openSecond());
    try {
      return await work(first);
    } catch (thrown) {
      const error = asQuarryError(thrown);
      if (!isBackendFailure(error)) throw error;
      const second = await inPlaceOf(error, first.fingerprint, openSecond);
      restsUntil = now() + restAfterFailure;
      return work(second);
    }
  };
  return wrapped(first, {
    load: () => attempt(async (embedder) => embedder.load?.()),
    embed: (texts, options) => attempt((embedder) => embedder.embed(texts, options)),
  });
}

/** The embedder that stands in for one that failed, if it makes vectors of the same space; the error otherwise. */
export async function inPlaceOf(
  error: QuarryError,
  space: string | undefined,
  openSecond: (() => Promise<Embedder>) | undefined,
): Promise<Embedder> {
  if (!openSecond) throw error;
  const second = await openSecond();
  if (second.fingerprint === space) return second;
  throw new QuarryError(
    error.code,
    `${error.message} The fallback ${second.fingerprint} makes vectors of another space, so it cannot be used instead.`,
    error.remedy,
    { cause: error },
  );
}
