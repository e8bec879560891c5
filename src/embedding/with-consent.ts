import type { Embedder } from '../contracts/embedder.ts';
import { wrapped } from './wrapped.ts';

/**
 * The same embedder, but before each call that may send something the user's consent is asked for again: what is withdrawn
 * while a process runs holds from the next call on.
 */
export function withConsent(embedder: Embedder, requireConsent: () => Promise<void>): Embedder {
  const { load, tokenVectors } = embedder;
  const agreed = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    await requireConsent();
    return work();
  };
  return wrapped(embedder, {
    ...(load && { load: () => agreed(() => load.call(embedder)) }),
    embed: (texts, options) => agreed(() => embedder.embed(texts, options)),
    ...(tokenVectors && {
      tokenVectors: (texts, options) => agreed(() => tokenVectors.call(embedder, texts, options)),
    }),
  });
}
