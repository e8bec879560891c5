import type { ChunkLimits } from '../../contracts/chunker.ts';

/** Measures any range of one text in tokens, tokenising each of its lines only once. */
export interface TokenMeter {
  /** Tokens between two offsets, white space at the edges aside; the sum over the lines of the range. */
  tokens(start: number, end: number): number;
}

/** Longer lines are measured in slices, so that a range within a huge line is not tokenised as a whole. */
const maxSlice = 512;
/** How far back a slice looks for the end of a word; a longer run is data, not words. */
const maxWordLength = 128;

/** Measures `text` once, line by line; ranges are then sums. */
export function createTokenMeter(text: string, limits: Pick<ChunkLimits, 'countTokens'>): TokenMeter {
  const bounds = sliceBounds(text);
  const sums = new Float64Array(bounds.length);
  const partial = (start: number, end: number): number =>
    isBlank(text, start, end) ? 0 : limits.countTokens(text.slice(start, end));
  for (let index = 1; index < bounds.length; index += 1) {
    sums[index] = (sums[index - 1] ?? 0) + partial(bounds[index - 1] ?? 0, bounds[index] ?? 0);
  }
  return {
    tokens(start, end) {
      const from = trimmedStart(text, start, end);
      const to = trimmedEnd(text, from, end);
      if (from >= to) return 0;
      const first = sliceAt(bounds, from);
      const last = sliceAt(bounds, to - 1);
      const firstEnd = bounds[first + 1] ?? text.length;
      const lastStart = bounds[last] ?? 0;
      if (first === last) {
        const whole = isBlank(text, lastStart, from) && isBlank(text, to, firstEnd);
        return whole ? (sums[last + 1] ?? 0) - (sums[last] ?? 0) : partial(from, to);
      }
      const head = isBlank(text, bounds[first] ?? 0, from)
        ? (sums[first + 1] ?? 0) - (sums[first] ?? 0)
        : partial(from, firstEnd);
      const lastEnd = bounds[last + 1] ?? text.length;
      const tail = isBlank(text, to, lastEnd)
        ? (sums[last + 1] ?? 0) - (sums[last] ?? 0)
        : partial(lastStart, to);
      return head + (sums[last] ?? 0) - (sums[first + 1] ?? 0) + tail;
    },
  };
}

/** The first offset in the range that is not white space, or `end`. */
export function trimmedStart(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isSpace(text, at)) at += 1;
  return at;
}

/** The offset after the last character in the range that is not white space, or `start`. */
export function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isSpace(text, at - 1)) at -= 1;
  return at;
}

function isBlank(text: string, start: number, end: number): boolean {
  return trimmedStart(text, start, end) >= end;
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 32 || (code >= 9 && code <= 13)) return true;
  return code > 127 && text.charAt(at).trim() === '';
}

/** Offsets where slices begin, and the end of the text; no slice splits a surrogate pair. */
function sliceBounds(text: string): readonly number[] {
  const bounds = [0];
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    const lineEnd = newline < 0 ? text.length : newline + 1;
    while (lineEnd - start > maxSlice) {
      start = betweenWords(text, start + maxSlice);
      bounds.push(start);
    }
    start = lineEnd;
    bounds.push(start);
  }
  return bounds;
}

/** The offset or one before it where no word is cut in two: only there do the tokens of two slices add up. */
function betweenWords(text: string, offset: number): number {
  for (let at = offset; at > offset - maxWordLength; at -= 1) {
    if (!isPartOfWord(text, at - 1) || !isPartOfWord(text, at)) return at;
  }
  return isLowSurrogate(text, offset) ? offset - 1 : offset;
}

/** Everything but white space and ASCII punctuation; both halves of a character beyond the basic plane. */
function isPartOfWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code > 127) return !isSpace(text, at);
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** Whether the offset lies between the two halves of one character. */
export function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

function sliceAt(bounds: readonly number[], offset: number): number {
  let low = 0;
  let high = bounds.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((bounds[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
