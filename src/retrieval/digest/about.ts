import type { Hit } from '../../core/hit.ts';
import { linesOf } from '../../core/text/citation.ts';
import { readCode } from '../../core/text/comments.ts';
import { shortened } from '../../core/text/shortened.ts';
import { bestLines } from './excerpt.ts';

/** Characters of one line about a hit. */
const maxLength = 110;
/** Lines before which a comment is about what follows, or what it stands in. */
const leadingLines = 3;

/** What a chunk is about, on one line: the first sentence of its comment, else the line that matches the query best. */
export function aboutOf(hit: Hit, query: string): string {
  const said = hit.chunk.symbol ? firstSentence(hit.chunk.text) : '';
  return said === '' ? bestLine(hit, query) : oneLine(said);
}

/** The line that matches the query best, with its number in the file. */
export function bestLine({ chunk: { text, place }, focus }: Hit, query: string): string {
  const lines = text.split('\n');
  const range = linesOf(place);
  const isVerbatim = range !== undefined && range[1] - range[0] + 1 >= lines.length;
  const best = bestLines(lines, query);
  const isInFocus = (at: number): boolean =>
    focus !== undefined && range !== undefined && at >= focus[0] - range[0] && at <= focus[1] - range[0];
  const at = best.find(isInFocus) ?? best[0] ?? lines.findIndex((line) => /\p{L}/u.test(line));
  const line = oneLine(lines[Math.max(0, at)] ?? '');
  return isVerbatim && at >= 0 ? `${range[0] + at}: ${line}` : line;
}

/** The first sentence of the comment that a definition begins with; empty where it has none. */
function firstSentence(text: string): string {
  const { comments } = readCode(text);
  const lines = comments.split('\n');
  const first = lines.findIndex((line) => /\p{L}/u.test(line));
  if (first < 0 || first > leadingLines) return '';
  const end = lines.findIndex((line, at) => at > first && line === '');
  const paragraph = lines.slice(first, end < 0 ? undefined : end).join(' ');
  return /^.*?[.!?:](?=\s+[\p{Lu}\d`"(]|\s*$)/u.exec(paragraph)?.[0] ?? paragraph;
}

function oneLine(text: string): string {
  return shortened(text.replace(/\s+/g, ' ').trim(), maxLength);
}
