import type { CodeSymbol } from '../core/chunk.ts';
import type { FileGraph } from '../core/code-graph.ts';
import type { Document, Metadata } from '../core/document.ts';
import type { Place } from '../core/place.ts';

/** Sizes in tokens of the embedder in use. */
export interface ChunkLimits {
  /** Smaller pieces are merged with a neighbour. */
  readonly minTokens: number;
  /** The size to aim at where structure leaves a choice. */
  readonly targetTokens: number;
  /** No chunk is larger, except a fence, table or message that is kept whole. */
  readonly maxTokens: number;
  /** A message of e-mail up to this size is kept whole; where absent, up to the maximum. */
  readonly messageTokens?: number;
  /** Tokens repeated from the previous chunk where prose is cut. */
  readonly overlapTokens: number;
  /** What the file defines and mentions is not asked for: that takes a third of the time. */
  readonly withoutGraph?: boolean;
  countTokens(text: string): number;
}

/** A chunk as a chunker proposes it; identity, lines and text follow from the document. */
export interface ChunkDraft {
  readonly start: number;
  readonly end: number;
  /** Context to embed with the chunk: heading path, or scope and signature. The path is put before it. */
  readonly header: string;
  readonly section: string;
  readonly symbol?: CodeSymbol;
  readonly metadata?: Metadata;
  /** Where it is in the file, where the chunker can say it better than the lines do. */
  readonly place?: Place;
}

/** The chunks of a document in order, and what was lost while cutting, for a person. */
export interface Chunking {
  readonly drafts: readonly ChunkDraft[];
  readonly degraded?: string;
  /** What the file defines and mentions, where it was cut by its syntax. */
  readonly graph?: FileGraph;
}

/** Cuts a document into chunks. Everything that is not white space is in some chunk. */
export interface Chunker {
  chunk(document: Document, limits: ChunkLimits): Promise<Chunking>;
}
