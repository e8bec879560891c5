import type { Span } from './chunk.ts';
import type { DocumentRecord } from './document.ts';
import type { Hit } from './hit.ts';
import type { Place } from './place.ts';

/** The line that marks a gap: text of the document that the passage leaves out. */
export const gapMark = '[…]';

/** A stretch of a document without a gap. */
export interface PassagePiece {
  readonly span: Span;
  /** As long as its span. White space between chunks has the right length and lines, but its characters are inferred. */
  readonly text: string;
}

/** What is shown of one place of a document: hits that lie together, with their surroundings, nothing twice. */
export interface Passage {
  readonly document: DocumentRecord;
  /** The hits it is made from, best first; never empty. */
  readonly hits: readonly Hit[];
  /** The relevance of its most relevant hit. */
  readonly relevance: number;
  /** From the first piece to the last. */
  readonly span: Span;
  /** Where it is in the file, from its first chunk to its last. */
  readonly place: Place;
  /** In the order of the document; joined by gap marks they are the text. */
  readonly pieces: readonly PassagePiece[];
  readonly text: string;
  /** Signatures of the definitions around its beginning, one per line, outermost first; not part of the text. */
  readonly context: string;
  /** Heading path or scope of its best hit. */
  readonly section: string;
  /** Tokens of context and text. */
  readonly tokens: number;
  /** Whether a hit was too large for the budget, so that its end is left out. */
  readonly isCut: boolean;
}
