import type { Chunk } from './chunk.ts';
import type { DocumentRecord } from './document.ts';
import type { Place } from './place.ts';

/** What one stage of a search did with a hit. */
export interface StageTrace {
  /** `dense`, `text`, `path`, `quote`, `fuse`, `rank`, `rerank`, … */
  readonly stage: string;
  /** Place in that stage's list, counted from 1. */
  readonly rank?: number;
  /** The stage's own score, in its own unit. */
  readonly score: number;
  /** Why the score changed, for a person. */
  readonly note?: string;
}

/** A chunk that a search found, with its relevance and trace. */
export interface Hit {
  readonly chunk: Chunk;
  readonly document: DocumentRecord;
  /** The project that it is of, where several were asked; the document's uri begins with it. */
  readonly project?: string;
  /** Likelihood that the chunk is relevant, 0 to 1, comparable between embedders. */
  readonly relevance: number;
  /** The final ranking score; only its order has a meaning. */
  readonly score: number;
  readonly trace: readonly StageTrace[];
  /** A few other places with the same text; absent where there is none. */
  readonly alsoAt?: readonly TextPlace[];
  /** Of a search for a literal text or an expression: how often its document, or message of a mailbox, has it. */
  readonly occurrences?: number;
  /**
   * First and last line of the file, within the chunk, that say most of what is asked; absent where the chunk is short, has none of
   * the words, or is not placed by lines.
   */
  readonly focus?: readonly [first: number, last: number];
  /** Further chunks of the same document, or message of a mailbox, that were found, best first; absent where there is none. */
  readonly more?: readonly Hit[];
}

/** A place of a text. */
export interface TextPlace {
  readonly uri: string;
  readonly place: Place;
}
