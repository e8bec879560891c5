import type { PlaceMark } from '../../../core/place.ts';

/** Text of a page with the line of the file that it begins in. */
export interface SourceText {
  readonly line: number;
  readonly text: string;
}

/** How far ahead a word is looked for: what Markdown adds between two words is shorter. */
const reach = 1000;

/**
 * The lines of the file that a stretch of Markdown comes from. Words stand in it in the order of the page: each is found
 * after the one before it, in a table with its bars escaped, and a word that was changed on the way is passed over.
 */
export function alignLines(
  markdown: string,
  start: number,
  sources: readonly SourceText[],
): PlaceMark<number>[] {
  const [first] = sources.filter(({ text }) => text.trim() !== '');
  if (!first) return [];
  const marks: PlaceMark<number>[] = [{ start, at: first.line }];
  let at = 0;
  for (const { text, line } of sources) {
    for (const [index, words] of text.split('\n').entries()) {
      for (const [word] of words.matchAll(/\S+/g)) {
        const ahead = markdown.slice(at, at + reach);
        const written = ahead.includes(word) ? word : word.replaceAll('|', '\\|');
        const found = ahead.indexOf(written);
        if (found < 0) continue;
        if (marks.at(-1)?.at !== line + index) marks.push({ start: start + at + found, at: line + index });
        at += found + written.length;
      }
    }
  }
  return marks;
}
