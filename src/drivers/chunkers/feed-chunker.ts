import type { Chunker } from '../../contracts/chunker.ts';
import { mergeSmall, proseCut, sectionDrafts, type TextSection } from './sections.ts';
import { createTokenMeter } from './token-meter.ts';

interface Pages extends TextSection {
  readonly first: number;
  readonly last: number;
}

/** Text with a form feed between parts that are called and counted so: by part, small ones together, long ones between paragraphs. */
export function createFeedChunker(noun: 'page' | 'slide'): Chunker {
  return {
    async chunk({ text, title }, limits) {
      const meter = createTokenMeter(text, limits);
      const join = (before: Pages, after: Pages): Pages =>
        pagesOf(noun, title, before.start, after.end, before.first, after.last);
      const pages = mergeSmall(filledPages(noun, text, title), limits, meter, join);
      return { drafts: sectionDrafts(text, pages, limits, meter, proseCut(text, limits)) };
    },
  };
}

function filledPages(noun: string, text: string, title: string): Pages[] {
  const pages: Pages[] = [];
  let start = 0;
  for (let number = 1; start <= text.length; number += 1) {
    const feed = text.indexOf('\f', start);
    const end = feed < 0 ? text.length : feed;
    if (text.slice(start, end).trim() !== '') pages.push(pagesOf(noun, title, start, end, number, number));
    start = end + 1;
  }
  return pages;
}

function pagesOf(
  noun: string,
  title: string,
  start: number,
  end: number,
  first: number,
  last: number,
): Pages {
  const name = first === last ? `${noun} ${first}` : `${noun}s ${first}-${last}`;
  return { start, end, first, last, name, header: title, metadata: { [noun]: first } };
}
