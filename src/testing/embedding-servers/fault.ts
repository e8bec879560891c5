/** One way in which an embedding service can fail a call. */
export type Fault =
  /** Refuses the key. */
  | { readonly kind: 'key-refused' }
  /** Does not know the model. */
  | { readonly kind: 'model-unknown' }
  /** Wants less in one call. */
  | { readonly kind: 'call-too-large' }
  /** Refuses one of the texts in these words. */
  | { readonly kind: 'text-refused'; readonly words: string }
  /** Wants fewer calls; `retryAfter` is the value of the header, in seconds or a date. */
  | { readonly kind: 'limited'; readonly retryAfter?: string }
  /** Fails by itself. */
  | { readonly kind: 'failing'; readonly status: number; readonly retryAfter?: string }
  /** Takes the call and never answers. */
  | { readonly kind: 'silent' }
  /** Cuts the connection within its answer. */
  | { readonly kind: 'cut' }
  /** Answers with what is no JSON. */
  | { readonly kind: 'invalid-json' }
  /** Answers with more than anyone asked for, without end. */
  | { readonly kind: 'endless' }
  /** Sends the caller elsewhere. */
  | { readonly kind: 'redirect'; readonly location: string }
  /** Leaves the last vector out. */
  | { readonly kind: 'wrong-count' }
  /** Gives vectors one value longer. */
  | { readonly kind: 'wrong-dimension' }
  /** Puts a value that is not finite into the first vector. */
  | { readonly kind: 'not-a-number' }
  /** Gives a vector of zeros first. */
  | { readonly kind: 'all-zeros' }
  /** Answers in reverse order, each vector with its right index. */
  | { readonly kind: 'shuffled' }
  /** Gives the first index to every vector. */
  | { readonly kind: 'repeated-index' }
  /** Gives an index that is beyond what was asked for. */
  | { readonly kind: 'index-out-of-range' }
  /** Answers with JSON of another shape. */
  | { readonly kind: 'wrong-shape' };

/** Vectors as a service with this fault would give them. */
export function spoiled(vectors: readonly Float32Array[], fault: Fault | undefined): Float32Array[] {
  const [first, ...rest] = vectors;
  if (!first) return [];
  switch (fault?.kind) {
    case 'wrong-count':
      return vectors.slice(0, -1);
    case 'wrong-dimension':
      return vectors.map((vector) => Float32Array.from([...vector, 0.5]));
    case 'not-a-number':
      return [first.with(0, Number.NaN), ...rest];
    case 'all-zeros':
      return [new Float32Array(first.length), ...rest];
    default:
      return [...vectors];
  }
}
