import type { Metadata } from './document.ts';
import type { Place } from './place.ts';

/** A range of a document's text; `text.slice(start, end)` in UTF-16 units is the chunk. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** First line of the document's text that the span touches, counted from 1; `place` says where it is in the file. */
  readonly firstLine: number;
  /** Last line of the text that the span touches. */
  readonly lastLine: number;
}

/** What a piece of code defines. */
export interface CodeSymbol {
  readonly name: string;
  /** `function`, `class`, `method`, `interface`, `type`, `enum`, `module`, `constant`, … */
  readonly kind: string;
  /** The declaration without its body, on one line. */
  readonly signature: string;
  /** Names of the enclosing definitions, outermost first. */
  readonly scope: readonly string[];
  /** Whether other modules can use it, where the language says so. */
  readonly exported?: boolean;
}

/** A stretch of a document that is indexed, found and cited as one. */
export interface Chunk {
  /** 16 hex digits from path and content, unique within its document. */
  readonly id: string;
  readonly documentId: string;
  /** Position within the document, counted from 0. */
  readonly ordinal: number;
  readonly span: Span;
  /** Where it is in the file, for a citation. */
  readonly place: Place;
  /** When it was written, in milliseconds since 1970; absent where that is the document's `modifiedAt`. */
  readonly writtenAt?: number;
  readonly text: string;
  /** Path, headings or scope and signature, embedded with the text but no part of it; empty when there is none. */
  readonly header: string;
  /** Heading path or scope, outermost first, joined by ` > `; empty at the top level. */
  readonly section: string;
  readonly symbol?: CodeSymbol;
  readonly metadata: Metadata;
}

/** The header of a chunk: its path, then what its chunker adds. */
export function contextHeader(uri: string, header: string): string {
  const path = uri.replace(/^(?:virtual|conversation):|^commit:[0-9a-f]+$/, '').replace(/\.[^./]*$/, '');
  return [...path.split('/'), header].filter((part) => part !== '').join(' > ');
}

/** The text that is turned into the chunk's vector; how deep it is indented says nothing. */
export function embeddedText({ header, text }: Pick<Chunk, 'header' | 'text'>): string {
  const body = text.replace(/^[ \t]+/, '');
  return header === '' ? body : `${header}\n\n${body}`;
}
