import type { VectorEntry } from './store.ts';

/** A text by its key, and how near its vector is. */
export interface NearKey {
  readonly embeddingKey: string;
  /** The cosine. */
  readonly score: number;
}

/**
 * Keeps vectors by the keys of their texts and finds the nearest ones, for an index that is kept elsewhere: it knows
 * nothing of documents, filters, locks or revisions. Spaces have the names that the caller gives them, of letters, digits
 * and "-". Every call has the same effect twice as once. What is asked of a space that is not there, or no more, makes
 * none: it is answered with undefined or false, so that a caller sees that its vectors are lost.
 */
export interface VectorEngine {
  /** Where it keeps its spaces, for messages. */
  readonly place: string;
  /** Makes an empty space; one that is there stays as it is. */
  create(space: string): Promise<void>;
  /** The names of the spaces that begin like this. */
  spaces(prefix: string): Promise<string[]>;
  /** Adds vectors, and replaces those of the same keys; false where the space is not there. The first one fixes their length. */
  upsert(space: string, entries: readonly VectorEntry[]): Promise<boolean>;
  /** The vectors of those of the keys that have one, in any order and with the direction in which they were given. */
  read(space: string, keys: readonly string[]): Promise<VectorEntry[] | undefined>;
  /** The nearest by cosine, best first; as many as are asked for, where there are as many. */
  nearest(space: string, vector: Float32Array, limit: number): Promise<NearKey[] | undefined>;
  /** How many vectors it holds. */
  count(space: string): Promise<number | undefined>;
  /** All keys, some at a time; none where the space is not there. */
  keys(space: string): AsyncIterable<readonly string[]>;
  /** Removes those of the keys that are there. */
  delete(space: string, keys: readonly string[]): Promise<void>;
  /** Removes a space with its vectors. */
  drop(space: string): Promise<void>;
  close(): Promise<void>;
}
