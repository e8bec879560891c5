import type { QuarryError } from '../core/errors.ts';
import type { TokenSketch } from '../core/vectors/token-sketch.ts';
import type { Embedder } from './embedder.ts';

/** A text that needs a vector, with what identifies it to its caller. */
export interface TextToEmbed<Owner> {
  readonly text: string;
  readonly owner: Owner;
}

/** A text's vector, with a sketch of its tokens where one was made with it. */
export interface VectorEntry<Owner> {
  readonly owner: Owner;
  readonly vector: Float32Array;
  readonly sketch?: TokenSketch;
}

/** An outcome: some texts with their vectors, or one refused text with the reason. */
export type VectorOutcome<Owner> =
  | {
      readonly kind: 'vectors';
      /** Whether the model made them now, or the cache had them. */
      readonly from: 'model' | 'cache';
      readonly entries: readonly VectorEntry<Owner>[];
    }
  | { readonly kind: 'refused'; readonly owner: Owner; readonly error: QuarryError };

/** Vectors for any number of chunks, from the cache or made by a model in suitable batches. */
export interface VectorSource {
  readonly embedder: Embedder;
  /** Why vectors cannot be cached, if so; the work continues without the cache. */
  readonly problem?: QuarryError | undefined;
  /**
   * Yields the outcome of every text exactly once, in no particular order, and reads ahead no further than it needs. Throws when the
   * backend as a whole cannot continue, after it has yielded what was made.
   */
  vectorsFor<Owner>(
    texts: AsyncIterable<TextToEmbed<Owner>>,
    options?: { readonly signal?: AbortSignal },
  ): AsyncIterable<VectorOutcome<Owner>>;
}
