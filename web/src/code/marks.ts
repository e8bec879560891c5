/** Words that say nothing about where an answer is. */
const common = new Set(
  'a an and are as at be by do does for from has have how i in into is it its of on or that the this to was were what when where which who why will with'.split(
    ' ',
  ),
);
const maxMarks = 24;

/** What is marked in the texts of hits: the words of the query, or the literal text. A pattern is not run in the page. */
export function marksFor(query: string, route: string): RegExp | undefined {
  if (route === 'regex') return undefined;
  const words = route === 'exact' ? [query.trim()] : wordsOf(query);
  const parts = words
    .filter((word) => word !== '')
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const any = parts.join('|');
  return any === '' ? undefined : new RegExp(route === 'exact' ? any : `(?<word>${any})`, 'giu');
}

function wordsOf(query: string): string[] {
  const words = query.match(/[\p{L}\p{N}_$]{2,}/gu) ?? [];
  const distinctive = words.filter((word) => !common.has(word.toLowerCase()));
  // The longest first: an alternative that matches earlier would hide it.
  return [...new Set(distinctive.length > 0 ? distinctive : words)]
    .sort((a, b) => b.length - a.length)
    .slice(0, maxMarks);
}

/** A text in pieces, each marked or not. */
export function piecesOf(text: string, marks: RegExp | undefined): { text: string; isMarked: boolean }[] {
  if (!marks) return [{ text, isMarked: false }];
  const pieces: { text: string; isMarked: boolean }[] = [];
  let end = 0;
  for (const match of text.matchAll(marks)) {
    if (match[0] === '' || (match.groups?.word !== undefined && !isWord(text, match.index, match[0])))
      continue;
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isMarked: false });
    pieces.push({ text: match[0], isMarked: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMarked: false });
  return pieces;
}

/** Letters that an ending may have: `lock` stands in `locked` too, and "we" not in "Weber". */
const maxEnding = 3;

/** Whether a word of the query stands here as a word, or as a part of a name, and not within another word. */
function isWord(text: string, at: number, word: string): boolean {
  const before = text[at - 1] ?? '';
  const begins = !/[\p{L}\p{N}]/u.test(before) || (/\p{Ll}/u.test(before) && /^\p{Lu}/u.test(word));
  const [rest = ''] = /^\p{Ll}*/u.exec(text.slice(at + word.length)) ?? [];
  return begins && (rest.length === 0 || (word.length > maxEnding && rest.length <= maxEnding));
}
