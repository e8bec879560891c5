import { plainWords, terms } from '../../core/text/terms.ts';
import { type Candidate, plainTextOf } from '../candidate.ts';

/** Which words of a query the chunks have that were found for it. */
export interface Coverage {
  /** Share of the query's words that each chunk has, rare ones counting more, 0 to 1. */
  readonly shares: readonly number[];
  /** Sum of the rarities, each 0 to 1, of the words that each chunk has: five words are stronger evidence than one. */
  readonly weights: readonly number[];
}

/** Words that are used of a long query, such as a pasted log. */
const maxWords = 32;
/** Weight of a word that all chunks have. */
const minRarity = 0.05;
/** In a small index every word would be common: it is taken for a part of one with so many chunks. */
const minChunks = 200;

/**
 * Looks for the words of a query in chunks with their headers. A word is rare when few of the chunks have it:
 * a word that none of them has weighs most, which lowers queries about something else.
 */
export function coverageOf(words: readonly string[], candidates: readonly Candidate[]): Coverage {
  const covered = presenceOf(words, candidates);
  const all = Math.max(minChunks, candidates.length);
  const rarities = words.slice(0, maxWords).map((_, word) => {
    const having = covered.filter((row) => row[word]).length;
    return Math.max(minRarity, Math.log(1 + (all - having + 0.5) / (having + 0.5)) / Math.log(2 * all + 2));
  });
  const total = rarities.reduce((sum, rarity) => sum + rarity, 0);
  const weights = covered.map((row) =>
    row.reduce((sum, isThere, word) => sum + (isThere ? (rarities[word] ?? 0) : 0), 0),
  );
  return { weights, shares: weights.map((weight) => (total > 0 ? weight / total : 0)) };
}

/** Whether each chunk, with its header, has each of the words, in any of their forms. */
export function presenceOf(words: readonly string[], candidates: readonly Candidate[]): boolean[][] {
  const stems = words.slice(0, maxWords).map(withoutEnding);
  return candidates.map(({ match: { chunk } }) => {
    const text = plainTextOf(chunk);
    return stems.map((stem) => has(text, stem));
  });
}

/** The same for whole words alone, up to their endings: `axios` is not in `axiom`. */
export function wholePresenceOf(words: readonly string[], candidates: readonly Candidate[]): boolean[][] {
  const stems = words.slice(0, maxWords).map(withoutEnding);
  return candidates.map(({ match: { chunk } }) => {
    const own = new Set(plainWords(`${chunk.header}\n${chunk.text}`).map(withoutEnding));
    return stems.map((stem) => own.has(stem));
  });
}

/**
 * Whether each chunk, with its header, has each of the words as a word of its own, or as a part of a name like `putDocument`: `rate`
 * is neither in `rather` nor in `generate`. Scripts without spaces are looked through.
 */
export function ownWordPresenceOf(words: readonly string[], candidates: readonly Candidate[]): boolean[][] {
  const stems = words.slice(0, maxWords).map(withoutEnding);
  return candidates.map(({ match: { chunk } }) => {
    const all = `${chunk.header}\n${chunk.text}`;
    const own = new Set([...terms(all), ...plainWords(all)].map(withoutEnding));
    return stems.map((stem) => own.has(stem) || (/\P{ASCII}/u.test(stem) && has(plainTextOf(chunk), stem)));
  });
}

/** Long stems may occur inside a word, as in `putDocument`; short ones may not: `cat` in `location` means nothing. */
const minStem = 5;

function has(text: string, stem: string): boolean {
  let at = text.indexOf(stem);
  if (stem.length >= minStem) return at >= 0;
  while (at > 0 && /[a-z]/.test(text[at - 1] ?? '')) at = text.indexOf(stem, at + 1);
  return at >= 0;
}

function withoutEnding(word: string): string {
  const stem = word.replace(/(?:ations?|ings?|ers?|ors?|ed|ies|es|s|e|y)$/, '');
  return stem.length > 2 ? stem : word;
}
