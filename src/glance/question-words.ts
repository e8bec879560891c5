import { isAscii } from 'node:buffer';
import { queryTerms } from '../core/text/terms.ts';

/** A word of a question, as it is looked for in raw text. */
export interface QuestionWord {
  readonly word: string;
  /** What every form of it begins with. */
  readonly stem: string;
  /** Whether it is of a script that puts nothing between words. */
  readonly isUnbounded: boolean;
}

/** More words find no better files. */
const maxWords = 32;
/** Letters that a form of a word has after its stem at most: `compare`, `comparisons`. */
const maxEnding = 5;
/** Bytes of a file that are not text have a zero among the first. */
const headBytes = 1024;

/** The words of a question that files are looked through for; the same as the text index asks for, each once. */
export function questionWords(question: string): QuestionWord[] {
  const words = [...new Set(queryTerms(question))].slice(0, maxWords);
  return words.map((word) => ({
    word,
    stem: stemOf(word),
    isUnbounded:
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u.test(word),
  }));
}

/** How often each word stands in these bytes; undefined where they are not plain text. */
export function countWords(bytes: Uint8Array, words: readonly QuestionWord[]): number[] | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.subarray(0, headBytes).includes(0)) return undefined;
  return countInText(
    isAscii(buffer) ? buffer.toString('latin1') : withoutAccents(buffer.toString('utf8')),
    words,
  );
}

/** How often each word stands in a text or a path, parts of names included: `lock` in `takeLock` and `lock_file`, not in `clock`. */
export function countInText(text: string, words: readonly QuestionWord[]): number[] {
  const lower = text.toLowerCase();
  // Very few letters change their length with their case; there the place of a capital is not known.
  const cased = lower.length === text.length ? text : lower;
  return words.map((word) => countOne(lower, cased, word));
}

function countOne(lower: string, cased: string, { stem, isUnbounded }: QuestionWord): number {
  let count = 0;
  for (let at = lower.indexOf(stem); at >= 0; at = lower.indexOf(stem, at + stem.length))
    if (isUnbounded || (beginsAt(cased, at) && endsSoonAfter(lower, cased, at + stem.length))) count += 1;
  return count;
}

function beginsAt(cased: string, at: number): boolean {
  return at === 0 || !isLetter(cased.charCodeAt(at - 1)) || isCapital(cased.charCodeAt(at));
}

function endsSoonAfter(lower: string, cased: string, end: number): boolean {
  for (let at = end; at <= end + maxEnding; at += 1)
    if (at >= lower.length || !isLetter(cased.charCodeAt(at)) || isCapital(cased.charCodeAt(at))) return true;
  return false;
}

/** Digits end a word: names are cut there. */
function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code > 127;
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

const endings = /(?:isations?|izations?|ations?|ments?|ness|ings?|ions?|ers?|ors?|able|ed|es|ly|s|e|y)$/;
/** Letters of a stem at least: shorter ones begin too many other words. */
const minStem = 4;

function stemOf(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word;
  const stem = word.replace(endings, '');
  return stem.length >= minStem ? stem : word;
}

function withoutAccents(text: string): string {
  return text.normalize('NFKD').replace(/[\u0300-\u036f]+/g, '');
}
