import type { Embedder } from '../contracts/embedder.ts';

/**
 * The same embedder with some of its calls replaced; all that it says of itself is asked of it each time. Who replaces
 * `embed` says what becomes of `embedWithSketches`, which is otherwise no longer offered.
 */
export function wrapped(embedder: Embedder, calls: Partial<EmbedderCalls>): Embedder {
  return {
    get fingerprint() {
      return embedder.fingerprint;
    },
    get dimensions() {
      return embedder.dimensions;
    },
    get maxTokens() {
      return embedder.maxTokens;
    },
    get limits() {
      return embedder.limits;
    },
    get facts() {
      return embedder.facts;
    },
    ...(embedder.denseWeight !== undefined && { denseWeight: embedder.denseWeight }),
    get isLoaded() {
      return embedder.isLoaded ?? false;
    },
    countTokens: (text) => embedder.countTokens(text),
    ...(embedder.load && { load: embedder.load.bind(embedder) }),
    embed: (texts, options) => embedder.embed(texts, options),
    ...(embedder.embedWithSketches &&
      !calls.embed && { embedWithSketches: embedder.embedWithSketches.bind(embedder) }),
    ...(embedder.tokenVectors && { tokenVectors: embedder.tokenVectors.bind(embedder) }),
    close: () => embedder.close(),
    ...calls,
  };
}

/** What an embedder does, beside what it says of itself. */
export type EmbedderCalls = Pick<Embedder, 'embed' | 'close'> &
  Required<Pick<Embedder, 'load' | 'tokenVectors' | 'embedWithSketches'>>;

/** The same embedder, which makes vectors and no sketches with them. */
export function withoutSketches(embedder: Embedder): Embedder {
  return wrapped(embedder, { embed: (texts, options) => embedder.embed(texts, options) });
}
