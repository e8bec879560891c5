import type { Chunker } from '../../contracts/chunker.ts';
import { mergeSmall, proseCut, sectionDrafts, type TextSection } from './sections.ts';
import { createTokenMeter } from './token-meter.ts';

interface Pages extends TextSection {
  readonly first: number;
  readonly last: number;
}

/** Text with a form feed between its pages: by page, small pages together, long ones between paragraphs. */
export function createPagesChunker(): Chunker {
  return {
    async chunk({ text, title }, limits) {
      const meter = createTokenMeter(text, limits);
      const join = (before: Pages, after: Pages): Pages =>
        pagesOf(title, before.start, after.end, before.first, after.last);
      const pages = mergeSmall(filledPages(text, title), limits, meter, join);
      return { drafts: sectionDrafts(text, pages, limits, meter, proseCut(text, limits)) };
    },
  };
}

export default createPagesChunker;

function filledPages(text: string, title: string): Pages[] {
  const pages: Pages[] = [];
  let start = 0;
  for (let number = 1; start <= text.length; number += 1) {
    const feed = text.indexOf('\f', start);
    const end = feed < 0 ? text.length : feed;
    if (text.slice(start, end).trim() !== '') pages.push(pagesOf(title, start, end, number, number));
    start = end + 1;
  }
  return pages;
}

function pagesOf(title: string, start: number, end: number, first: number, last: number): Pages {
  const name = first === last ? `page ${first}` : `pages ${first}-${last}`;
  return { start, end, first, last, name, header: title, metadata: { page: first } };
}
