import type { ContextText } from '../../core/context.ts';

/** A retrieved text with what a test says of it. */
export function retrieved(uri: string, text: string, more: Partial<ContextText> = {}): ContextText {
  return {
    uri,
    title: uri.slice(uri.lastIndexOf('/') + 1),
    type: 'doc',
    section: '',
    text,
    signatures: '',
    relevance: 0.5,
    chunks: [0, 0],
    place: { kind: 'lines', first: 1, last: 1 },
    ...more,
  };
}

/** A file that the user named. */
export function named(uri: string, text: string): ContextText {
  const { relevance: _, chunks: _chunks, place: _place, ...rest } = retrieved(uri, text);
  return rest;
}

/** As many tokens as words and marks. */
export function countWords(text: string): number {
  return text.match(/\w+|[^\s\w]/g)?.length ?? 0;
}
