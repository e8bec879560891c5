// The casts of this file have one reason: the index lies within the list.

/** A text as numbers: equal texts have equal sketches, and similar texts share most of their shingles. */
export interface TextSketch {
  /** Of all words in order; case, white space and the marks of quotes and comments before a line do not count. */
  readonly whole: number;
  readonly words: number;
  /** Hash of the numbers and negations, in order: one of them can change the meaning of a sentence. */
  readonly critical: number;
  /** Distinct hashes of five words in a row, sorted. */
  readonly shingles: Uint32Array;
}

/** Words in a shingle. */
const shingleWords = 5;
const seed = 0x811c9dc5;
const prime = 0x01000193;
/** The factor of the oldest word of a shingle when it is taken out. */
const leavingFactor = Array.from({ length: shingleWords }).reduce<number>(
  (power) => Math.imul(power, prime),
  1,
);
const negations = new Set(
  (
    'not no never without cannot none nor nicht kein keine nie pas jamais ' +
    "don't doesn't didn't isn't aren't can't won't shouldn't mustn't"
  )
    .split(' ')
    .map(hashOf),
);

/** The sketch of a text; shingles are needed only to find similar texts, not equal ones. */
export function sketchText(text: string, withShingles: boolean): TextSketch {
  const hashes = new Uint32Array((text.length >> 1) + 1);
  let whole = seed;
  let critical = seed;
  const words = forEachWord(text, (hash, hasDigit, index) => {
    hashes[index] = hash;
    whole = Math.imul(whole, prime) ^ hash;
    if (hasDigit || negations.has(hash)) critical = Math.imul(critical, prime) ^ hash;
  });
  const shingles = withShingles ? shinglesOf(hashes.subarray(0, words)) : hashes.subarray(0, 0);
  return { whole, critical, words, shingles };
}

/** The share of values that two sorted lists have in common, 0 to 1. */
export function resemblance(one: Uint32Array, other: Uint32Array): number {
  let shared = 0;
  let at = 0;
  let otherAt = 0;
  while (at < one.length && otherAt < other.length) {
    const [first, second] = [one[at] as number, other[otherAt] as number];
    if (first === second) shared += 1;
    if (first <= second) at += 1;
    if (first >= second) otherAt += 1;
  }
  const all = one.length + other.length - shared;
  return all === 0 ? 0 : shared / all;
}

/** The words that the sketch of a text counts, each followed by a space. */
export function wordsOf(text: string): string {
  let words = '';
  forEachWord(text, (_hash, _hasDigit, _index, start, end) => {
    words += `${text.slice(start, end)} `;
  });
  return words;
}

/** A polynomial over the last five words: the newest comes in, the oldest goes out. */
function shinglesOf(hashes: Uint32Array): Uint32Array {
  const shingles = new Uint32Array(Math.max(0, hashes.length - shingleWords + 1));
  let rolling = 0;
  for (let index = 0; index < hashes.length; index += 1) {
    rolling = Math.imul(rolling, prime) + (hashes[index] as number);
    if (index >= shingleWords) rolling -= Math.imul(hashes[index - shingleWords] as number, leavingFactor);
    rolling |= 0;
    if (index + 1 >= shingleWords) shingles[index + 1 - shingleWords] = scattered(rolling);
  }
  return distinct(shingles);
}

/** Sorts the values in place and returns the part with each of them once. */
function distinct(values: Uint32Array): Uint32Array {
  values.sort();
  let count = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number;
    if (count === 0 || value !== values[count - 1]) values[count++] = value;
  }
  return values.subarray(0, count);
}

/** Called for each word: its hash in lower case, its number among the words, and its offsets. */
type WordVisitor = (hash: number, hasDigit: boolean, index: number, start: number, end: number) => void;

/** Calls back for each run of characters that are not white space, and returns how many there are. */
function forEachWord(text: string, found: WordVisitor): number {
  let words = 0;
  let isLineStart = true;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      if (code === 10 || code === 13) isLineStart = true;
      at += 1;
      continue;
    }
    const start = isLineStart ? skipLineMarks(text, at) : at;
    if (start > at) {
      at = start;
      continue;
    }
    isLineStart = false;
    let hash = seed;
    let hasDigit = false;
    for (; at < text.length; at += 1) {
      const next = text.charCodeAt(at);
      if (isSpace(next)) break;
      hash = Math.imul(hash ^ (next >= 65 && next <= 90 ? next + 32 : next), prime);
      if (next >= 48 && next <= 57) hasDigit = true;
    }
    found(scattered(hash), hasDigit, words, start, at);
    words += 1;
  }
  return words;
}

/** The offset behind the marks of a quote or a comment that begin a line; the same offset where there are none. */
function skipLineMarks(text: string, start: number): number {
  let at = start;
  while (isLineMark(text.charCodeAt(at))) at += 1;
  const next = text.charCodeAt(at);
  if (at === start || Number.isNaN(next) || isSpace(next)) return at;
  // Mail quotes need no space after the mark. Other marks without a space belong to the text: `*pointer`, `#include`.
  return text.charCodeAt(at - 1) === 62 && text.charCodeAt(start) === 62 ? at : start;
}

/** `#`, `*`, `/`, `;`, `>`, `|`. */
function isLineMark(code: number): boolean {
  return code === 35 || code === 42 || code === 47 || code === 59 || code === 62 || code === 124;
}

function isSpace(code: number): boolean {
  if (code < 128) return code === 32 || (code >= 9 && code <= 13);
  return code === 0xa0 || code === 0x3000 || code === 0xfeff || (code >= 0x2000 && code <= 0x200b);
}

function hashOf(word: string): number {
  let hash = seed;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), prime);
  return scattered(hash);
}

/** Mixes high and low bits, so that the order of hashes has nothing to do with the words behind them. */
function scattered(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
