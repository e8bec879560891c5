import type { QuarryError } from '../core/errors.ts';
import type { TokenSketch } from '../core/vectors/token-sketch.ts';

/** A chunk with its vector, and with the sketch of its tokens where there is one. */
export interface CacheEntry {
  readonly text: string;
  readonly vector: Float32Array;
  readonly sketch?: TokenSketch;
}

/**
 * Vectors of chunks by vector space and text, shared by all projects of a user. It holds hashes and vectors, never
 * text or paths. What it gives is bit for bit what it was given. `get` and `put` never fail: where the file cannot be
 * used they find and keep nothing, and `problem` says why.
 */
export interface VectorCache {
  /** The first failure, if there was one. */
  readonly problem: QuarryError | undefined;
  /** One vector or undefined for each text, in order; `space` is the embedder's fingerprint. */
  get(space: string, texts: readonly string[]): Promise<(Float32Array | undefined)[]>;
  /** The sketches that were kept with vectors of `space`: one or undefined for each text, in order. */
  sketches(space: string, texts: readonly string[]): Promise<(TokenSketch | undefined)[]>;
  /**
   * Keeps vectors, in the place of earlier ones of the same texts; those not finite or not of unit length are not. Returns
   * whether the file took them.
   */
  put(space: string, entries: readonly CacheEntry[]): Promise<boolean>;
  stats(): Promise<VectorCacheStats>;
  /** Writes all vectors to a portable file, without their sketches. */
  exportTo(file: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<ExportReport>;
  /**
   * Adds the vectors of an exported file, after all of it has been checked and as far as they fit. A hash cannot prove that a
   * vector belongs to its text, so import only from someone you trust.
   */
  importFrom(file: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<ImportReport>;
  /** Forgets all vectors and counts and gives the space back; returns how many vectors there were. */
  clear(): Promise<number>;
  /** Writes pending counts and closes the file; a second call does nothing. */
  close(): Promise<void>;
}

/** What a cache holds and how it has served, over all processes since it was made. */
export interface VectorCacheStats {
  readonly file: string;
  readonly entries: number;
  /** Size of the file. */
  readonly bytes: number;
  /** Bytes that the file may have. */
  readonly limit: number;
  readonly spaces: readonly VectorCacheSpace[];
  /** The hour in which the least recently used vector was last used, in milliseconds since 1970; absent if empty. */
  readonly oldestUse?: number;
  /** Lookups that found a vector. Approximate, like `misses`: the counts of a killed process are lost. */
  readonly hits: number;
  readonly misses: number;
  /** Rows that were found damaged and removed. */
  readonly damaged: number;
}

/** A vector space in the cache. */
export interface VectorCacheSpace {
  /** The fingerprint that names it. */
  readonly name: string;
  readonly dimensions: number;
  readonly entries: number;
}

/** What an export wrote. */
export interface ExportReport {
  readonly entries: number;
  readonly bytes: number;
  readonly spaces: readonly VectorCacheSpace[];
}

/** What an import did. */
export interface ImportReport {
  /** Vectors in the file. */
  readonly entries: number;
  /** Vectors that the cache did not have. */
  readonly added: number;
  /** Vectors that the cache had; they stay as they were. */
  readonly known: number;
  /** Vectors for which there was no room, or that do not fit the space they claim. */
  readonly leftOut: number;
}
