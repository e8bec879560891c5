import type { SearchOutcome } from '../calls/project.ts';
import type { Chunk } from '../core/chunk.ts';
import type { DocumentRecord } from '../core/document.ts';
import { citationOf } from '../core/text/citation.ts';

/** What a framework is told about a text beside the text. */
export interface TextFacts {
  /** Path from the project's folder, or `virtual:NAME`. */
  readonly source: string;
  /** Path and place, for a person. */
  readonly citation: string;
  readonly section: string;
  readonly title: string;
  readonly type: string;
  /** Likelihood that it is relevant, 0 to 1; absent where nothing was asked. */
  readonly relevance?: number;
}

/** A text as frameworks take it. */
export interface FoundText {
  readonly id: string;
  readonly text: string;
  readonly facts: TextFacts;
  readonly document: DocumentRecord;
}

/** What a search found, best first: passages where a window was asked for, else chunks. */
export function foundTexts({ hits, passages }: SearchOutcome): FoundText[] {
  if (passages)
    return passages.map(({ document, hits: [best], place, section, text, relevance }) => ({
      id: best?.chunk.id ?? document.id,
      text,
      facts: { ...factsOf(document), citation: citationOf(document.uri, place), section, relevance },
      document,
    }));
  return hits.map(({ chunk, document, relevance }) => {
    const { id, text, facts } = chunkText(chunk, document);
    return { id, text, facts: { ...facts, relevance }, document };
  });
}

/** A chunk that nobody asked for. */
export function chunkText({ id, text, place, section }: Chunk, document: DocumentRecord): FoundText {
  const citation = citationOf(document.uri, place);
  return { id, text, facts: { ...factsOf(document), citation, section }, document };
}

/** A whole document. */
export function wholeText(text: string, document: DocumentRecord): FoundText {
  return { id: document.id, text, facts: factsOf(document), document };
}

function factsOf({ uri, title, type }: DocumentRecord): TextFacts {
  return { source: uri, citation: uri, section: '', title, type };
}
