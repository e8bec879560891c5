import type { Embedder } from '../contracts/embedder.ts';

/** Everything of an embedder that may send something. */
const calls = ['load', 'embed', 'tokenVectors'] as const satisfies readonly (keyof Embedder)[];

/**
 * The same embedder, but before each call the user's consent is asked for anew: what is withdrawn while a process runs
 * holds from the next call on.
 */
export function withConsent(embedder: Embedder, requireConsent: () => Promise<void>): Embedder {
  const guarded = calls
    .filter((name) => embedder[name] !== undefined)
    .map((name) => {
      const call = embedder[name] as (...given: unknown[]) => Promise<unknown>;
      const value = async (...given: unknown[]): Promise<unknown> => {
        await requireConsent();
        return call.apply(embedder, given);
      };
      return [name, { value }];
    });
  // Everything else is looked up in the embedder itself.
  return Object.create(embedder, Object.fromEntries(guarded)) as Embedder;
}
