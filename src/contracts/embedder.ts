/** How a text is used; some models embed questions and passages differently. */
export type EmbeddingRole = 'query' | 'passage';

/** What one call may carry; the pipeline batches within it. */
export interface EmbedderLimits {
  /** Most texts in one call. */
  readonly batchTexts: number;
}

/** Turns texts into vectors of one space. A vector is a function of its text and role alone. */
export interface Embedder {
  /** Names the vector space: vectors with equal fingerprints may be compared, others may not. */
  readonly fingerprint: string;
  readonly dimensions: number;
  /** Tokens that one vector can take in at full attention; longer text is windowed, never cut. */
  readonly maxTokens: number;
  readonly limits: EmbedderLimits;
  /** Length of a text in this embedder's tokens, without the special tokens around it. */
  countTokens(text: string): number;
  /** Makes ready what the first call would otherwise wait for. */
  load?(): Promise<void>;
  /** One unit-length vector per text, in order. Rejects as a whole when any text cannot be embedded. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** How a call to `embed` is meant. */
export interface EmbedOptions {
  readonly as: EmbeddingRole;
  readonly signal?: AbortSignal;
}
