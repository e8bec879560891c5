import type { SearchHit } from '../../../src/operations/find/hit-as-data.ts';
import { piecesOf } from '../code/marks.ts';
import { isMarkdown, withoutMarkup } from '../kinds/without-markup.ts';

/** Lines of a text that are looked at. */
const maxLines = 400;
/** Lines of one file that are shown. */
const maxShown = 3;

type Place = Pick<SearchHit, 'text' | 'lines' | 'focus'> & Partial<Pick<SearchHit, 'place'>>;

/** A line of a hit; its number where the text has lines that people count. */
export interface BestLine {
  readonly text: string;
  readonly number?: number;
}

interface Candidate extends BestLine {
  readonly words: ReadonlySet<string>;
  /** Whether it is of what the hit is about. */
  readonly isFocus: boolean;
}

/**
 * The lines of a hit for a list, in their order: the one that says most of what was asked, and up to two further ones that say
 * something else of it: with another word of the query, or with more than half as many of its words.
 */
export function bestLines(
  hit: Place & Partial<Pick<SearchHit, 'path' | 'more'>>,
  marks: RegExp | undefined,
): readonly BestLine[] {
  const own = candidatesIn(hit, marks);
  const best = fullest(own.filter(({ isFocus }) => isFocus));
  const shown = best ? [best] : [];
  const others = [...own, ...(hit.more ?? []).flatMap((each) => candidatesIn(each, marks))];
  while (best && shown.length < maxShown) {
    const known = new Set(shown.flatMap(({ words }) => [...words]));
    const further = others.filter(
      ({ text, words }) =>
        shown.every((each) => each.text !== text) &&
        (words.size * 2 > best.words.size || [...words].some((word) => !known.has(word))),
    );
    const next = fullest(further);
    if (!next) break;
    shown.push(next);
  }
  const lines = shown.length > 0 ? shown : [firstLine(hit)];
  const inOrder = lines.toSorted((one, other) => (one.number ?? 0) - (other.number ?? 0));
  return inOrder.map(({ text, number }) => ({
    text: isMarkdown(hit.path ?? '') ? withoutMarkup(text) : text,
    ...(number !== undefined && { number }),
  }));
}

/** The first of those with the most words of the query. */
function fullest(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.reduce<Candidate | undefined>(
    (best, each) => (each.words.size > (best?.words.size ?? 0) ? each : best),
    undefined,
  );
}

/** The lines that have a word of the query. */
function candidatesIn(place: Place, marks: RegExp | undefined): Candidate[] {
  const [from, to] = focusOf(place);
  return linesOf(place).flatMap(({ text, number }, at) => {
    const marked = piecesOf(text, marks).filter(({ isMarked }) => isMarked);
    const words = new Set(marked.map((piece) => piece.text.toLowerCase()));
    return words.size > 0
      ? [{ text, words, isFocus: at >= from && at <= to, ...(number && { number }) }]
      : [];
  });
}

/** Words that a line of a message has at least which says more than "Dear all,". */
const saysFrom = 4;

/** The line that stands for a hit with none of the words: the first that has more than the marks of a comment or a bracket, and of a message more than a greeting. */
function firstLine(place: Place): BestLine {
  const [from] = focusOf(place);
  const says = (line: BestLine): boolean => /[\p{L}\p{N}]{2}/u.test(line.text);
  const isMore = ({ text }: BestLine): boolean => (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) >= saysFrom;
  const lines = linesOf(place).slice(from).filter(says);
  return (place.place?.kind === 'messages' && lines.find(isMore)) || lines[0] || { text: '' };
}

/** Characters before the first marked word from which on a line begins later, and those that it then keeps before it. */
const comesLate = 60;
const keptBefore = 24;

/** A line from near its first marked word on, where that would be cut off at the end of a narrow list. */
export function fromMatch(text: string, marks: RegExp | undefined): string {
  let at = 0;
  for (const piece of piecesOf(text, marks)) {
    if (piece.isMarked) break;
    at += piece.text.length;
  }
  if (at < comesLate || at >= text.length) return text;
  const blank = text.indexOf(' ', at - keptBefore);
  return blank >= 0 && blank < at ? `… ${text.slice(blank + 1)}` : text;
}

/** First and last of the lines that a hit is about, from its beginning. */
function focusOf({ lines, focus }: Place): [number, number] {
  const [first] = lines ?? [];
  return focus && first !== undefined ? [focus[0] - first, focus[1] - first] : [0, Number.POSITIVE_INFINITY];
}

function linesOf({ text = '', lines, place }: Place): BestLine[] {
  const isMessage = place?.kind === 'messages';
  // Of a message, what its writer says: who that is, when and about what stands beside it.
  const said = isMessage
    ? text.replace(/^(?:[A-Z][\w-]{1,40}: .*\n)+\n*/, '').replace(/^[ \t]*>.*$/gm, '')
    : text;
  const shown = (said.trim() === '' ? text : said).split('\n', maxLines);
  const first = isMessage ? undefined : lines?.[0];
  return shown.map((line, at) => ({
    text: line.trim(),
    ...(first !== undefined && { number: first + at }),
  }));
}
