import type { Chunk } from '../../core/chunk.ts';
import type { Hit } from '../../core/hit.ts';
import type { LeftOut } from '../../core/reading.ts';
import { relevanceWord } from '../../core/relevance.ts';
import { leftOutLine } from '../../core/text/left-out.ts';
import { shortened } from '../../core/text/shortened.ts';
import { bestLines, excerptOf } from '../digest/excerpt.ts';
import {
  isVerbatim,
  type LineRange,
  linesOfChunk,
  type Stretch,
  type StretchOptions,
} from '../windows/read-stretch.ts';
import { partOf } from '../windows/symbol-stretch.ts';

/** A text with these lines or fewer is read whole. */
const shortLines = 40;
/** The share of a longer one's lines that is kept, and the min and max of lines. */
const keptShare = 1 / 4;
const [minLines, maxLines] = [40, 200];
/** Lines that are kept of one hit. */
const ofHit = 24;
/** Lines around one that matches, and those of a beginning, where no hit says more. */
const around = 3;
const beginning = 12;
/** A hit with less than this share of the best one's relevance keeps nothing. */
const farBelow = 1 / 3;
/** Lines that are kept of a comment above a definition. */
const commentLines = 3;
/** In place of fewer lines no line is put. */
const minGap = 4;
/** Names of what begins in lines that are left out, and the characters of each. */
const maxNames = 8;
const maxName = 80;

/** A text of which a question keeps a part. */
export interface Foldable extends Stretch {
  /** The chunks that the text is of. */
  readonly chunks: readonly Chunk[];
  /** Of a definition, its name: the line that has it is kept. */
  readonly name?: string | undefined;
  /** Whether headings say what its lines stand in, and not how far they are indented. */
  readonly isMarkdown: boolean;
}

/** What is kept of a text, with a line in place of each part that is not. */
export interface FoldedText extends Stretch {
  readonly folded: readonly LeftOut[];
}

/**
 * The lines of a long text that answer a question, those that open what they stand in, and of a definition its beginning; one line for
 * each part between them. Nothing where the text is short, has other lines than its document, or where not even its best line fits.
 */
export function foldForQuestion(
  foldable: Foldable,
  question: string,
  hits: readonly Hit[],
  { maxTokens, countTokens }: Pick<StretchOptions, 'maxTokens' | 'countTokens'>,
): FoldedText | undefined {
  const { text, textLines, name } = foldable;
  const lines = text.split('\n');
  if (lines.length <= shortLines || textLines[1] - textLines[0] + 1 !== lines.length) return undefined;
  const wanted = [
    ...(name === undefined ? [] : headOf(lines, name)),
    ...wantedLines(lines, textLines[0], question, hits),
  ];
  const levels = foldable.isMarkdown ? levelsOf(lines) : [];
  const openers = foldable.isMarkdown
    ? (at: number) => headingsOf(levels, at)
    : (at: number) => openersOf(lines, at);
  const room = Math.min(maxLines, Math.max(minLines, Math.floor(lines.length * keptShare)));
  for (let max = room; ; max = Math.floor(max / 2)) {
    const kept = foldedText(foldable, lines, keptOf(lines, wanted, max, openers));
    const tokens = countTokens(kept.text);
    if (tokens <= maxTokens) return { ...foldable, ...kept, tokens };
    if (max <= 1) return undefined;
  }
}

/** The line that a definition begins with, and what is said above it. */
function headOf(lines: readonly string[], name: string): number[] {
  const own = /[^.#:]+$/.exec(name)?.[0] ?? name;
  const isComment = (line = ''): boolean => /^\s*(?:\/[/*]|\*|#|--|;;|%)/.test(line);
  const at = lines.findIndex((line) => line.includes(own) && !isComment(line));
  return [Math.max(0, at), ...(isComment(lines[0]) ? range(0, commentLines) : [])];
}

/** Lines that answer, best first. */
function wantedLines(
  lines: readonly string[],
  first: number,
  question: string,
  hits: readonly Hit[],
): number[] {
  const best = hits[0]?.relevance ?? 0;
  const near = hits.filter(({ relevance }) => relevanceWord(best) === 'weak' || relevance >= farBelow * best);
  const found = near.flatMap(({ chunk, focus }) => {
    const { span } = chunk;
    const [from, to] = [
      Math.max(0, span.firstLine - first),
      Math.min(lines.length - 1, span.lastLine - first),
    ];
    const own = focus &&
      isVerbatim([chunk]) && { from: focus[0] - first - from, count: focus[1] - focus[0] + 1 };
    return from > to ? [] : linesOf(lines.slice(from, to + 1), from, question, ofHit, own || undefined);
  });
  if (found.length > 0) return found;
  const matching = bestLines(lines, question).flatMap((at) => range(at - around, 2 * around + 1));
  return matching.length > 0 ? matching.filter((at) => at in lines) : range(0, beginning);
}

/** Of some lines those that say most of what is asked. */
function linesOf(
  lines: readonly string[],
  from: number,
  question: string,
  max: number,
  focus?: { readonly from: number; readonly count: number },
): number[] {
  const { stretches } = excerptOf(lines, question, { max, head: 1, ...(focus && { focus }) });
  return stretches.flatMap((stretch) => range(from + stretch.from, stretch.count));
}

function range(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => from + at);
}

/** Which lines are kept: as many of the wanted ones as there is room for, with those that open what they stand in, the nearest first. */
function keptOf(
  lines: readonly string[],
  wanted: readonly number[],
  max: number,
  openers: (at: number) => number[],
): boolean[] {
  const kept = lines.map(() => false);
  let room = max;
  for (const at of wanted) {
    if (room === 0) break;
    // What opens it is kept then as well.
    if (kept[at]) continue;
    const added = [at, ...openers(at)].filter((each) => !kept[each]).slice(0, room);
    for (const each of added) kept[each] = true;
    room -= added.length;
  }
  return kept;
}

/** The headings that a line of prose stands below. */
function headingsOf(levels: readonly number[], at: number): number[] {
  const headings: number[] = [];
  let level = levels[at] || Number.POSITIVE_INFINITY;
  for (let above = at - 1; above >= 0 && level > 1; above -= 1) {
    const own = levels[above] ?? 0;
    if (own === 0 || own >= level) continue;
    headings.push(above);
    level = own;
  }
  return headings;
}

/** The level of each line that is a heading, from 1; 0 for any other line, and for those of code. */
function levelsOf(lines: readonly string[]): number[] {
  let fence = '';
  return lines.map((line) => {
    const [, mark = '', rest = ''] = /^\s*(`{3,}|~{3,})(.*)/.exec(line) ?? [];
    if (fence !== '') {
      if (mark.startsWith(fence) && rest.trim() === '') fence = '';
      return 0;
    }
    fence = mark;
    return /^#{1,6}(?=\s)/.exec(line)?.[0].length ?? 0;
  });
}

/** The lines that open what a line stands in, by their indentation; of one that only closes another, also what it closes. */
function openersOf(lines: readonly string[], at: number): number[] {
  const openers: number[] = [];
  let depth = indentOf(lines[at] ?? '');
  let isClosing = false;
  for (let above = at - 1; above >= 0 && (depth > 0 || isClosing); above -= 1) {
    const line = lines[above] ?? '';
    if (line.trim() === '') continue;
    const indent = indentOf(line);
    if (indent > depth || (indent === depth && !isClosing)) continue;
    openers.push(above);
    depth = indent;
    isClosing = /^\s*[)\]}{]/.test(line);
  }
  return openers;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function foldedText(
  { textLines: [first], chunks }: Foldable,
  lines: readonly string[],
  kept: readonly boolean[],
): Pick<FoldedText, 'text' | 'folded'> {
  const shown: string[] = [];
  const folded: LeftOut[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (end < lines.length && !kept[end]) end += 1;
    if (end - at < minGap) {
      shown.push(...lines.slice(at, Math.max(end, at + 1)));
      at = Math.max(end, at + 1);
      continue;
    }
    const leftOut: LeftOut = {
      lines: linesToRead(chunks, [first + at, first + end - 1]),
      names: namesIn(chunks, first + at, lines.slice(at, end)),
    };
    folded.push(leftOut);
    shown.push(leftOutLine(leftOut));
    at = end;
  }
  return { text: shown.join('\n'), folded };
}

/** Lines of the text as a reader names them: where the file has other lines, those of the chunks that hold them. */
function linesToRead(chunks: readonly Chunk[], [from, to]: LineRange): LineRange {
  if (chunks[0]?.place.kind !== 'lines' || isVerbatim(chunks)) return [from, to];
  const holding = chunks
    .filter(({ span }) => span.firstLine <= to && span.lastLine >= from)
    .map(linesOfChunk);
  return [holding[0]?.[0] ?? from, holding.at(-1)?.[1] ?? to];
}

/** Names of what begins in these lines. */
function namesIn(chunks: readonly Chunk[], first: number, lines: readonly string[]): string[] {
  const names = new Set<string>();
  for (const chunk of chunks) {
    const { firstLine, lastLine } = chunk.span;
    if (firstLine < first || firstLine >= first + lines.length) continue;
    const text = lines.slice(firstLine - first, lastLine - first + 1).join('\n');
    for (const name of namesOf(chunk))
      if (name !== '' && text.includes(name)) names.add(shortened(name.replace(/\s+/g, ' '), maxName));
  }
  const left = names.size - maxNames;
  return [...[...names].slice(0, maxNames), ...(left > 0 ? [`${left} more`] : [])];
}

function namesOf(chunk: Chunk): string[] {
  const { symbol, metadata, section } = chunk;
  if ((partOf(chunk)?.number ?? 1) > 1) return [];
  const held = Array.isArray(metadata.symbols) ? metadata.symbols.map(String) : [];
  if (symbol) return [symbol.name, ...held];
  return held.length > 0 ? held : [section.split(' > ').at(-1) ?? ''];
}
