/** Words that say nothing about where an answer is. */
const common = new Set(
  'a an and are as at be by do does for from has have how i in into is it its of on or that the this to was were what when where which who why will with'.split(
    ' ',
  ),
);
const most = 24;

/** What is marked in the texts of hits: the words of the query, or the literal text. A pattern is not run in the page. */
export function marksFor(query: string, route: string): RegExp | undefined {
  if (route === 'regex') return undefined;
  const words = route === 'exact' ? [query.trim()] : wordsOf(query);
  const parts = words
    .filter((word) => word !== '')
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return parts.length === 0 ? undefined : new RegExp(parts.join('|'), 'giu');
}

function wordsOf(query: string): string[] {
  const words = query.match(/[\p{L}\p{N}_$]{2,}/gu) ?? [];
  const distinctive = words.filter((word) => !common.has(word.toLowerCase()));
  // The longest first: an alternative that matches earlier would hide it.
  return [...new Set(distinctive.length > 0 ? distinctive : words)]
    .sort((a, b) => b.length - a.length)
    .slice(0, most);
}

/** A text in pieces, each marked or not. */
export function piecesOf(text: string, marks: RegExp | undefined): { text: string; isMarked: boolean }[] {
  if (!marks) return [{ text, isMarked: false }];
  const pieces: { text: string; isMarked: boolean }[] = [];
  let end = 0;
  for (const match of text.matchAll(marks)) {
    if (match[0] === '') continue;
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isMarked: false });
    pieces.push({ text: match[0], isMarked: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMarked: false });
  return pieces;
}
