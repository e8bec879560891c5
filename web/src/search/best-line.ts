import type { SearchHit } from '../../../src/operations/find/hit-as-data.ts';
import { piecesOf } from '../code/marks.ts';
import { isMarkdown, withoutMarkup } from '../kinds/without-markup.ts';

/** Lines of a text that are looked at. */
const maxLines = 400;

/** The one line of a hit that says most of what was asked, for a list: the line that it is about, else the one with most of the words. */
export function bestLine(
  {
    text = '',
    path = '',
    lines,
    focus,
    place,
  }: Pick<SearchHit, 'text' | 'lines' | 'focus'> & Partial<Pick<SearchHit, 'path' | 'place'>>,
  marks: RegExp | undefined,
): string {
  // Of a message, what its writer says: who that is, when and about what stands beside it.
  const said =
    place?.kind === 'messages'
      ? text.replace(/^(?:[A-Z][\w-]{1,40}: .*\n)+\n*/, '').replace(/^[ \t]*>.*$/gm, '')
      : text;
  const all = (said.trim() === '' ? text : said).split('\n', maxLines).map((line) => line.trim());
  const [first] = lines ?? [];
  const [from, to] = focus && first !== undefined ? [focus[0] - first, focus[1] - first] : [0, all.length];
  const wordsIn = (line: string): number =>
    new Set(piecesOf(line, marks).flatMap((piece) => (piece.isMarked ? [piece.text.toLowerCase()] : [])))
      .size;
  let best = '';
  let max = 0;
  for (const line of all.slice(from, to + 1)) {
    const words = wordsIn(line);
    if (words > max) [best, max] = [line, words];
  }
  const line = best || (all.slice(from).find(saysSomething) ?? '');
  return isMarkdown(path) ? withoutMarkup(line) : line;
}

/** Whether a line has more than the marks of a comment or a bracket. */
function saysSomething(line: string): boolean {
  return /[\p{L}\p{N}]{2}/u.test(line);
}
