import type { Embedder } from '../contracts/embedder.ts';
import { QuarryError } from '../core/errors.ts';

/** The same embedder, but a call that takes longer than this is given up as `provider-unreachable`. */
export function withDeadline(embedder: Embedder, milliseconds: number): Embedder {
  return Object.create(embedder, {
    embed: {
      value: async (...[texts, options]: Parameters<Embedder['embed']>) => {
        const deadline = AbortSignal.timeout(milliseconds);
        const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
        try {
          return await embedder.embed(texts, { ...options, signal });
        } catch (thrown) {
          if (deadline.aborted && options.signal?.aborted !== true) throw tooSlow(milliseconds);
          throw thrown;
        }
      },
    },
  }) as Embedder; // Everything but `embed` is looked up in the embedder itself.
}

function tooSlow(milliseconds: number): QuarryError {
  return new QuarryError(
    'provider-unreachable',
    `The embedding server did not answer a question within ${milliseconds / 1000} s.`,
    'Check whether the server is overloaded, or ask again.',
  );
}
