import type { TokenSketch } from '../core/vectors/token-sketch.ts';

/** Sketches of chunks, made with the vectors of the embedder in use and kept with them. */
export interface ChunkSketches {
  /** Those that are kept: one or undefined for each text, in order. */
  kept(texts: readonly string[]): Promise<(TokenSketch | undefined)[]>;
  /** Makes one, and keeps it with its vector; absent where no query is to wait for that. */
  make?(text: string, signal: AbortSignal): Promise<TokenSketch>;
  /** Has them made and kept after the query was answered. */
  later?(texts: readonly string[]): void;
}
