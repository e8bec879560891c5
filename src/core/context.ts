import type { QuarryError } from './errors.ts';
import type { FirstLook } from './first-look.ts';
import type { IndexSummary } from './index-summary.ts';
import type { Place } from './place.ts';

/** How a context block is written: for a prompt, as working memory, as numbered sources with a question, or as Markdown. */
export const contextFormats = ['context', 'memory', 'sources', 'markdown'] as const;

/** One of the formats of a context block. */
export type ContextFormat = (typeof contextFormats)[number];

/** A text that may stand in a context block: a chunk, several with their surroundings, or a file that the user named. */
export interface ContextText {
  readonly uri: string;
  readonly title: string;
  readonly type: string;
  /** Heading path or scope; empty for a whole file. */
  readonly section: string;
  readonly text: string;
  /** Signatures of the definitions around it, one per line; shown before the text, and no part of it. */
  readonly signatures: string;
  /** Absent where the user named the file. */
  readonly relevance?: number;
  /** Ordinals of its first and last chunk; absent for a whole file. */
  readonly chunks?: readonly [first: number, last: number];
  /** Where it is in the file; absent for a whole file. */
  readonly place?: Place;
  /** SHA-256 of the bytes that the text was read from. */
  readonly revision?: string;
  /** The stretches of the document that the text is made of, each `document.text.slice(start, end)`. */
  readonly spans?: readonly TextSpan[];
}

/** A stretch of a document, with its text. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A text as it stands in a block, under its number. */
export interface ContextSource extends ContextText {
  /** Counted from 1, in the order of the block. */
  readonly number: number;
  /** Whether its end is left out because it did not fit. */
  readonly isCut: boolean;
}

/** Retrieved texts, ready to be put into a prompt. */
export interface ContextBlock {
  /** Empty where there is no text to show. */
  readonly text: string;
  /** What it shows, in its order. */
  readonly sources: readonly ContextSource[];
  /** Tokens of the text. */
  readonly tokens: number;
  /** Texts that did not fit. */
  readonly left: number;
}

/** Retrieved texts for a prompt, and what is known of the search behind them. */
export interface ContextOutcome extends ContextBlock {
  /** Why something may be missing. */
  readonly warnings: readonly QuarryError[];
  /** Chunks that vector search does not cover yet. */
  readonly pending: number;
  /** Summary of the run that brought the index up to date before the search. */
  readonly indexed?: IndexSummary;
  /** How much was seen, where the answer did not wait until all files are indexed. */
  readonly firstLook?: FirstLook;
}
