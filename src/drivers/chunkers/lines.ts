import type { ChunkDraft, ChunkLimits } from '../../contracts/chunker.ts';
import {
  createTokenMeter,
  isLowSurrogate,
  type TokenMeter,
  trimmedEnd,
  trimmedStart,
} from './token-meter.ts';

/** A part of a text, in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

interface Line extends TextRange {
  readonly tokens: number;
  /** Columns before the first character; tabs count as four. */
  readonly indentation: number;
  /** Whether the line before it is empty. */
  readonly afterBlank: boolean;
}

/** Weight of a boundary without a blank line, in columns of indentation. */
const noBlankLine = 8;

/**
 * Cuts a text into pieces at line ends, preferably at blank lines and low indentation.
 * Pieces are in order, do not overlap, hold everything but white space, and never exceed `maxTokens`:
 * a line that is too long by itself is cut at white space or, without any, between two characters.
 */
export function chunkLines(text: string, limits: ChunkLimits, range?: TextRange): readonly ChunkDraft[] {
  const whole = range ?? { start: 0, end: text.length };
  return cutLines(text, limits, createTokenMeter(text, limits), whole).map((part) => ({
    ...part,
    header: '',
    section: '',
  }));
}

/** The ranges `chunkLines` would give, for a caller that has measured the text already. */
export function cutLines(
  text: string,
  limits: ChunkLimits,
  meter: TokenMeter,
  range: TextRange,
): readonly TextRange[] {
  const lines = linesOf(text, limits, meter, range);
  const parts: TextRange[] = [];
  let first = 0;
  while (first < lines.length) {
    const next = bestBoundary(lines, first, limits);
    parts.push({ start: lines[first]?.start ?? 0, end: lines[next - 1]?.end ?? 0 });
    first = next;
  }
  return joinStubs(parts, limits, meter);
}

/** Index of the line where the next piece begins. */
function bestBoundary(lines: readonly Line[], first: number, limits: ChunkLimits): number {
  let tokens = 0;
  let best = first + 1;
  let bestCost = Number.POSITIVE_INFINITY;
  for (let index = first; index < lines.length; index += 1) {
    tokens += lines[index]?.tokens ?? 0;
    if (tokens > limits.maxTokens) return best;
    const following = lines[index + 1];
    if (following === undefined) {
      return tokens <= limits.targetTokens || bestCost === Number.POSITIVE_INFINITY ? lines.length : best;
    }
    const distance = Math.abs(tokens - limits.targetTokens) / limits.targetTokens;
    const cost =
      following.indentation + (following.afterBlank ? 0 : noBlankLine) + distance * 4 * noBlankLine;
    if (cost <= bestCost) {
      best = index + 1;
      bestCost = cost;
    }
    if (tokens > limits.targetTokens * 1.5) return best;
  }
  return lines.length;
}

function linesOf(text: string, limits: ChunkLimits, meter: TokenMeter, range: TextRange): readonly Line[] {
  const lines: Line[] = [];
  let afterBlank = true;
  let at = range.start;
  while (at < range.end) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline < 0 || newline >= range.end ? range.end : newline + 1;
    const start = trimmedStart(text, at, lineEnd);
    const end = trimmedEnd(text, start, lineEnd);
    if (start < end) {
      const indentation = columns(text.slice(at, start));
      for (const piece of fitLine(text, limits, meter, { start, end })) {
        lines.push({ ...piece, tokens: meter.tokens(piece.start, piece.end), indentation, afterBlank });
        afterBlank = false;
      }
    } else {
      afterBlank = true;
    }
    at = lineEnd;
  }
  return lines;
}

function columns(indent: string): number {
  let count = 0;
  for (const character of indent) count += character === '\t' ? 4 : 1;
  return count;
}

/** The line itself, or pieces of it that fit the maximum. */
function fitLine(
  text: string,
  limits: ChunkLimits,
  meter: TokenMeter,
  line: TextRange,
): readonly TextRange[] {
  const pieces: TextRange[] = [];
  let start = line.start;
  while (start < line.end) {
    const end = fittingEnd(text, limits, meter, start, line.end);
    pieces.push({ start, end: trimmedEnd(text, start, end) });
    start = trimmedStart(text, end, line.end);
  }
  return pieces;
}

function fittingEnd(
  text: string,
  limits: ChunkLimits,
  meter: TokenMeter,
  start: number,
  lineEnd: number,
): number {
  // No tokeniser makes more than a few tokens of a character: a first bound that keeps each measure short.
  let end = Math.min(lineEnd, start + Math.max(1, limits.maxTokens * 16));
  for (let tokens = meter.tokens(start, end); tokens > limits.maxTokens; tokens = meter.tokens(start, end)) {
    const length = Math.floor((end - start) * Math.min(0.9, limits.maxTokens / tokens));
    if (length < 2) return Math.min(lineEnd, start + (isLowSurrogate(text, start + 1) ? 2 : 1));
    end = start + length;
  }
  if (end >= lineEnd) return lineEnd;
  const space = lastSpace(text, start + Math.floor((end - start) / 2), end);
  if (space > 0) return space;
  return isLowSurrogate(text, end) && end - 1 > start ? end - 1 : end;
}

function lastSpace(text: string, from: number, to: number): number {
  for (let at = to; at > from; at -= 1) {
    if (trimmedStart(text, at, at + 1) > at) return at;
  }
  return -1;
}

/** Joins a piece under the minimum with the one before it, if the two fit the maximum. */
function joinStubs(
  parts: readonly TextRange[],
  limits: ChunkLimits,
  meter: TokenMeter,
): readonly TextRange[] {
  const joined: TextRange[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    const small = (range: TextRange) => meter.tokens(range.start, range.end) < limits.minTokens;
    if (
      before !== undefined &&
      (small(part) || small(before)) &&
      meter.tokens(before.start, part.end) <= limits.maxTokens
    ) {
      joined[joined.length - 1] = { start: before.start, end: part.end };
    } else {
      joined.push(part);
    }
  }
  return joined;
}
