import type { Chunker } from '../../contracts/chunker.ts';
import { proseCut, sectionDrafts, type TextSection } from './sections.ts';
import { createTokenMeter } from './token-meter.ts';

/** Events or contacts with a form feed between them: a chunk for each, a long one between its paragraphs. */
export function createEntriesChunker(): Chunker {
  return {
    async chunk({ text, title, uri }, limits) {
      const named = uri.endsWith(title) ? '' : title;
      const meter = createTokenMeter(text, limits);
      return { drafts: sectionDrafts(text, entriesOf(text, named), limits, meter, proseCut(text, limits)) };
    },
  };
}

export default createEntriesChunker;

function entriesOf(text: string, title: string): TextSection[] {
  const entries: TextSection[] = [];
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\f', start);
    const end = feed < 0 ? text.length : feed;
    const name = /\S[^\n]*/.exec(text.slice(start, Math.min(end, start + 500)))?.[0] ?? '';
    entries.push({ start, end, name, header: [title, name].filter(Boolean).join(' > ') });
    start = end + 1;
  }
  return entries;
}
