import { queryTerms } from '../../core/text/terms.ts';

/** Lines of a text without a gap: where they begin, counted from 0, and how many there are. */
export interface Stretch {
  readonly from: number;
  readonly count: number;
}

/** What is shown of a text. */
export interface Excerpt {
  readonly stretches: readonly Stretch[];
  /** Whether nothing but the rest of a comment is left out. */
  readonly isWhole: boolean;
}

/** Lines of a comment from which on it is folded. */
const longComment = 6;
/** Lines that stay of a folded comment: its first sentence or two. */
const commentLines = 3;
/** Lines around one that matches. */
const around = 3;
/** How much is shown, and what first. */
export interface ExcerptChoice {
  /** Lines. */
  readonly max: number;
  /** Lines of a comment, and of the definition below it, that are shown in any case. */
  readonly head: number;
  /** Lines that say most of what is asked, where that is known: they are shown before others that match. */
  readonly focus?: Stretch;
}

/** A shorter gap is no shorter than the mark in its place. */
const minGap = 3;

/**
 * Which lines of a text are shown: all of it, with a long comment at its beginning folded, where that is no more than
 * `max`; else its beginning and the lines that match the query, with those around them.
 */
export function excerptOf(
  lines: readonly string[],
  query: string,
  { max, head, focus = { from: 0, count: 0 } }: ExcerptChoice,
): Excerpt {
  const folded = foldedComment(lines);
  const open = lines.map((_, at) => at < folded.from || at >= folded.from + folded.count);
  if (open.filter(Boolean).length <= max) return { stretches: stretchesOf(open), isWhole: true };
  const kept = lines.map(() => false);
  let room = max;
  const keep = (at: number): void => {
    if (room <= 0 || !open[at] || kept[at]) return;
    kept[at] = true;
    room -= 1;
  };
  const body = commentEnd(lines);
  for (let at = 0; at < body && at < Math.min(head, commentLines); at += 1) keep(at);
  for (let at = body; at < body + head; at += 1) keep(at);
  for (let at = focus.from; at < focus.from + focus.count; at += 1) keep(at);
  for (const at of bestLines(lines, query)) {
    for (let distance = 0; distance <= around; distance += 1) {
      keep(at + distance);
      keep(at - distance);
    }
  }
  for (let at = body; at < lines.length; at += 1) keep(at);
  return { stretches: stretchesOf(kept), isWhole: false };
}

/** The part of a comment at the beginning that goes beyond its first sentences. */
function foldedComment(lines: readonly string[]): Stretch {
  const end = commentEnd(lines);
  if (end < longComment) return { from: 0, count: 0 };
  return { from: commentLines, count: end - commentLines };
}

/** How many lines a comment at the beginning of a text has. */
function commentEnd(lines: readonly string[]): number {
  const [first = ''] = lines;
  if (/^\s*\/\*/.test(first)) {
    const end = lines.findIndex((line) => line.includes('*/'));
    return end < 0 ? 0 : end + 1;
  }
  const mark = /^\s*(?:\/\/+|#+(?!\[)|--|;;*|%+)(?=\s|$|!)/;
  const end = lines.findIndex((line) => !mark.test(line));
  // What is nothing but comment, or a heading, is its own text.
  return end < 0 ? 0 : end;
}

/** Lines with words of the query, those with the rarest and most first. */
export function bestLines(lines: readonly string[], query: string): number[] {
  const words = [...new Set(queryTerms(query))].filter((word) => word.length > 2).map(rootOf);
  const lower = lines.map((line) => line.toLowerCase());
  const literal = query.trim().toLowerCase();
  const weights = words.map((word) => {
    const found = lower.filter((line) => line.includes(word)).length;
    return found === 0 ? 0 : 1 / Math.sqrt(found);
  });
  const scores = lower.map((line) => {
    const byWords = words.reduce((sum, word, at) => sum + (line.includes(word) ? (weights[at] ?? 0) : 0), 0);
    return byWords + (literal.length > 2 && line.includes(literal) ? words.length + 1 : 0);
  });
  return scores
    .map((score, at) => ({ score, at }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ at }) => at);
}

/** The part of a word that its forms share. */
function rootOf(word: string): string {
  return word.slice(0, Math.max(4, word.length - 2));
}

function stretchesOf(kept: readonly boolean[]): Stretch[] {
  const stretches: { from: number; count: number }[] = [];
  for (const [at, isKept] of kept.entries()) {
    if (!isKept) continue;
    const last = stretches.at(-1);
    const gap = last ? at - last.from - last.count : Number.POSITIVE_INFINITY;
    if (last && gap < minGap) last.count = at - last.from + 1;
    else stretches.push({ from: at, count: 1 });
  }
  // What follows to the end and is shorter than its mark.
  const last = stretches.at(-1);
  if (last && kept.length - last.from - last.count < minGap) last.count = kept.length - last.from;
  return stretches;
}
