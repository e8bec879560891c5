import type { Condition } from '../layout/filter.ts';
import { type QuantisedQuery, quantiseQuery } from './quantise.ts';

/** What the indexes of a space are asked. */
export interface VectorQuery {
  readonly vector: Float32Array;
  readonly quantised: QuantisedQuery;
  /** How many embeddings are wanted; at least one. */
  readonly limit: number;
  /** Which chunks are admitted: an embedding counts where one of its chunks is. */
  readonly condition: Condition;
}

/** Puts a search into the form that every index understands. */
export function makeVectorQuery(vector: Float32Array, limit: number, condition: Condition): VectorQuery {
  return { vector, quantised: quantiseQuery(vector), limit, condition };
}
