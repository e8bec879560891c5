import type { Embedder } from '../contracts/embedder.ts';
import { asQuarryError, QuarryError } from '../core/errors.ts';

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

/**
 * An embedder that lets another one of the same vector space stand in when its backend fails. Vectors of different
 * spaces cannot be compared: where the spaces differ nothing stands in, and the error says so.
 */
export function withFallback(first: Embedder, second: Embedder): Embedder {
  const isSameSpace = first.fingerprint === second.fingerprint;
  return {
    fingerprint: first.fingerprint,
    get dimensions() {
      return first.dimensions ?? (isSameSpace ? second.dimensions : undefined);
    },
    maxTokens: Math.min(first.maxTokens, second.maxTokens),
    get limits() {
      return first.limits;
    },
    get facts() {
      return first.facts;
    },
    countTokens: (text) => first.countTokens(text),
    async load() {
      await first.load?.().catch((thrown: unknown) => standIn(thrown, async () => second.load?.()));
    },
    embed: (texts, options) =>
      first
        .embed(texts, options)
        .catch((thrown: unknown) => standIn(thrown, () => second.embed(texts, options))),
    async close() {
      await first.close();
      await second.close();
    },
  };

  function standIn<Value>(thrown: unknown, work: () => Promise<Value>): Promise<Value> {
    const error = asQuarryError(thrown);
    if (!isBackendFailure(error)) throw error;
    if (isSameSpace) return work();
    throw new QuarryError(
      error.code,
      `${error.message} The fallback ${second.fingerprint} makes vectors of another space and cannot stand in.`,
      error.remedy,
      { cause: error },
    );
  }
}
