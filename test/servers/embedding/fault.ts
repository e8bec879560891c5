/** One way in which an embedding service can fail a call. */
export type Fault =
  /** Refuses the key. */
  | { readonly kind: 'key-refused' }
  /** Does not know the model. */
  | { readonly kind: 'model-unknown' }
  /** Rejects the call as too large. */
  | { readonly kind: 'call-too-large' }
  /** Refuses one of the texts with this message. */
  | { readonly kind: 'text-refused'; readonly words: string }
  /** Rejects the call because of a rate limit; `retryAfter` is the value of the header, in seconds or a date. */
  | { readonly kind: 'limited'; readonly retryAfter?: string }
  /** Fails with a server error. */
  | { readonly kind: 'failing'; readonly status: number; readonly retryAfter?: string }
  /** Accepts the call and never answers. */
  | { readonly kind: 'silent' }
  /** Closes the connection in the middle of its answer. */
  | { readonly kind: 'cut' }
  /** Answers with something that is not JSON. */
  | { readonly kind: 'invalid-json' }
  /** Answers with an endless body. */
  | { readonly kind: 'endless' }
  /** Redirects the caller. */
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
