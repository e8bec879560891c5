import type { CodeSymbol } from './chunk.ts';
import type { QuarryError } from './errors.ts';
import type { Place } from './place.ts';
import type { WordBox } from './word-box.ts';

/** A place where something is defined. */
export interface Definition {
  readonly uri: string;
  readonly place: Place;
  readonly symbol: CodeSymbol;
}

/** Lines of a document that are left out of a text, which has one line in their place. */
export interface LeftOut {
  /** First and last, as they are asked for: of the file where it has lines, else of its text. */
  readonly lines: readonly [first: number, last: number];
  /** What begins in them: definitions, or headings. */
  readonly names: readonly string[];
}

/** A stretch of one document, as the index holds it. */
export interface Reading {
  readonly uri: string;
  readonly place: Place;
  /** First and last line of the document's text; of a file that is read as it stands these are its lines. */
  readonly textLines: readonly [first: number, last: number];
  /** Last line of the whole document, counted as the place counts lines. */
  readonly totalLines: number;
  readonly text: string;
  readonly tokens: number;
  /** Whether the end of what was asked for did not fit. */
  readonly isCut: boolean;
  /** The line to continue with after a cut; absent where lines lead no further. */
  readonly nextLine?: number;
  /** What of the text a question folded: one line stands in the text for each. */
  readonly folded?: readonly LeftOut[];
  /** What the search for that question had to do without. */
  readonly warnings?: readonly QuarryError[];
  /** Heading path or scope where it begins. */
  readonly section: string;
  /** What was asked for: all of the document, or the definition of a name; absent for anything else. */
  readonly asked?: { readonly kind: 'document' } | { readonly kind: 'definition'; readonly name: string };
  /** Where each word of the text stands on its page, of what was read from a picture; none where a question folded it. */
  readonly words: readonly WordBox[];
  /** Further definitions of the name that was asked for. */
  readonly others: readonly Definition[];
}
