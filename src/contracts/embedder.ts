import type { TokenSketch } from '../core/vectors/token-sketch.ts';

/** How a text is used; some models embed queries and chunks differently. */
export type EmbeddingRole = 'query' | 'chunk';

/** What one call may carry and how many may run at once; the pipeline batches within it. */
export interface EmbedderLimits {
  /** Most texts in one call. */
  readonly batchTexts: number;
  /** Most tokens in one call, where the backend states it. */
  readonly batchTokens?: number;
  /** Most bytes of text (UTF-8) in one call, where the backend states it. */
  readonly batchBytes?: number;
  /** Calls that may run at the same time. */
  readonly concurrency: number;
  /** Most calls in a minute, where the backend states it. */
  readonly callsPerMinute?: number;
  /** Whether larger calls may be faster; if so, the pipeline looks for the best size. */
  readonly gainsFromSize: boolean;
}

/** Turns texts into vectors of one space. A vector is a function of its text and role alone. */
export interface Embedder {
  /** Names the vector space: vectors with equal fingerprints may be compared, others may not. */
  readonly fingerprint: string;
  /** Length of its vectors; undefined until a backend that decides it has answered. */
  readonly dimensions: number | undefined;
  /** Tokens that the model reads for one vector. Longer text is split into windows, never cut off. */
  readonly maxTokens: number;
  readonly limits: EmbedderLimits;
  /** Share of vector search in a fused score that suits its vectors; one half where absent. */
  readonly denseWeight?: number;
  /** What it runs on, for a person: the model and its hash, the device, its threads or its address. */
  readonly facts: Readonly<Record<string, string>>;
  /** Length of a text in tokens, without the special tokens around it; an estimate where the model is elsewhere. */
  countTokens(text: string): number;
  /** Loads what the first call would otherwise wait for. */
  load?(): Promise<void>;
  /** Whether a question has no model to wait for; absent where that is not known. */
  readonly isLoaded?: boolean;
  /**
   * One unit-length vector per text, in order. Rejects as a whole: with `embedding-too-large` when the call must be
   * smaller, `embedding-failed` when a text is refused, `provider-limited` or `provider-unreachable` when the same
   * call may succeed later.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>;
  /** The same vectors, each with the sketch of its text's tokens, which the model makes on the way. */
  embedWithSketches?(texts: readonly string[], options: EmbedOptions): Promise<SketchedVectors>;
  /**
   * The unit vectors of each text's tokens, one after the other and without those of special tokens, where the model
   * gives them; fails as `embed` does. A text without a token has none.
   */
  tokenVectors?(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** Vectors and sketches, both in the order of the texts. */
export interface SketchedVectors {
  readonly vectors: Float32Array[];
  readonly sketches: TokenSketch[];
}

/** Options of a call to `embed`. */
export interface EmbedOptions {
  readonly as: EmbeddingRole;
  readonly signal?: AbortSignal;
}
