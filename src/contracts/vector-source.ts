import type { QuarryError } from '../core/errors.ts';
import type { Embedder } from './embedder.ts';

/** A text on its way to its vector, with whatever its owner knows it by. */
export interface TextToEmbed<Owner> {
  readonly text: string;
  readonly owner: Owner;
}

/** What became of texts: some have their vectors, or one was refused and why. */
export type VectorOutcome<Owner> =
  | {
      readonly kind: 'vectors';
      /** Whether a model worked for them, or they were remembered from another time. */
      readonly from: 'model' | 'cache';
      readonly entries: readonly { readonly owner: Owner; readonly vector: Float32Array }[];
    }
  | { readonly kind: 'refused'; readonly owner: Owner; readonly error: QuarryError };

/** Vectors for any number of chunks, from wherever they come: remembered, or made in calls that suit the backend. */
export interface VectorSource {
  readonly embedder: Embedder;
  /** What keeps vectors from being remembered, if anything does; the work goes on without. */
  readonly problem?: QuarryError | undefined;
  /**
   * Tells of every text exactly once, in no particular order, and reads ahead no further than it needs. Throws, after
   * telling what was made, when the backend as a whole cannot go on.
   */
  vectorsFor<Owner>(
    texts: AsyncIterable<TextToEmbed<Owner>>,
    options?: { readonly signal?: AbortSignal },
  ): AsyncIterable<VectorOutcome<Owner>>;
}
