import type { ContextText } from '../../core/context.ts';
import type { Hit } from '../../core/hit.ts';
import type { Passage } from '../../core/passage.ts';

/** A hit by itself. */
export function textOfHit({ chunk, document, relevance }: Hit): ContextText {
  const { start, end } = chunk.span;
  return {
    uri: document.uri,
    title: document.title,
    type: document.type,
    section: chunk.section,
    text: chunk.text,
    signatures: '',
    relevance,
    chunks: [chunk.ordinal, chunk.ordinal],
    place: chunk.place,
    revision: document.revision,
    spans: [{ start, end, text: chunk.text }],
  };
}

/** Hits within their surroundings. */
export function textOfPassage(passage: Passage): ContextText {
  const { document, hits, pieces } = passage;
  const ordinals = hits.map(({ chunk }) => chunk.ordinal);
  return {
    uri: document.uri,
    title: document.title,
    type: document.type,
    section: passage.section,
    text: passage.text,
    signatures: passage.context,
    relevance: passage.relevance,
    chunks: [Math.min(...ordinals), Math.max(...ordinals)],
    place: passage.place,
    revision: document.revision,
    spans: pieces.map(({ span: { start, end }, text }) => ({ start, end, text })),
  };
}
