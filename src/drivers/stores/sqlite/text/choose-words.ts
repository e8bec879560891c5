import type { Connection } from '../file/connection.ts';
import type { WordChoice } from './expression.ts';
import { rowsWith, tolerance } from './term-counts.ts';
import { textRows } from './text-upkeep.ts';

/** Below this many rows every word is found in a few milliseconds. */
const minRows = 5_000;
/** Words in more rows than this share of all are many: they may lift what rarer words find, and find nothing alone. */
const manyShare = 0.1;
/** Rarer words have to find so many times what is asked for. */
const enough = 5;
/** Scoring so few rows takes a millisecond: nothing is to be gained. */
const minScored = 1_000;
/** A first search is worth its time where it scores no more than this part of what a whole one would. */
const worthTrying = 0.15;
/** A second one is narrowed where that leaves no more than this part. */
const worthNarrowing = 0.6;
/** A word adds to a score less than its rarity times this: the saturation of BM25 plus one. */
const maxPerRarity = 2.2;

/** A word of a search: where it stands among the others, and its number of rows, about. */
interface CountedWord {
  readonly word: string;
  readonly place: number;
  readonly count: number;
}

/** How a text search goes about its words. */
export interface SearchPlan {
  /** Finds the best rows, if nothing narrower does. */
  readonly whole: WordChoice;
  /** A first search that costs far less; absent where there is none. */
  readonly first?: WordChoice;
  /** What to look for after the first search, whose last score is `min`; undefined where it found the best already. */
  next(min: number): WordChoice | undefined;
}

/**
 * Words whose search does not make FTS5 go through most of the index. A word in more than half of all rows has no weight
 * to FTS5 and is left out where the others find as much as is wanted; one in many rows is looked for only in what rarer
 * words find, where those find plenty: what has nothing but common words stands behind all of that. `isNarrow` holds
 * where a filter may leave too little of it.
 *
 * Beyond that nothing is left to chance: once rare words have found as many rows as wanted, words that cannot lift a row
 * above the last of these by themselves need not be looked for elsewhere. The answer is the same, to the last place.
 */
export function planSearch(
  connection: Connection,
  words: readonly string[],
  wanted: number,
  isNarrow: boolean,
): SearchPlan {
  const rows = textRows(connection);
  const whole = { required: words, optional: [] };
  if (rows < minRows || words.length < 2) return unpruned(whole);
  const counted = words
    .map((word, place): CountedWord => ({ word, place, count: rowsWith(connection, word, rows) }))
    .sort((one, other) => one.count - other.count);
  const common = isNarrow ? { required: counted, optional: [] } : withoutCommon(counted, rows, wanted);
  return pruned(common.required, common.optional, rows, wanted);
}

/** The words without those that are too common to find anything alone. */
function withoutCommon(words: readonly CountedWord[], rows: number, wanted: number) {
  const selective = words.filter(({ count }) => 2 * count <= rows);
  if (!finds(selective, wanted)) return { required: words, optional: [] };
  const rare = selective.filter(({ count }) => count <= manyShare * rows);
  if (!finds(rare, enough * wanted)) return { required: selective, optional: [] };
  return { required: rare, optional: selective.filter(({ count }) => count > manyShare * rows) };
}

function pruned(
  required: readonly CountedWord[],
  optional: readonly CountedWord[],
  rows: number,
  wanted: number,
): SearchPlan {
  const whole = choice(required, optional);
  const cost = scored(required);
  const enoughAt = required.findIndex(({ count }) => count >= enough * wanted);
  const tried = required.slice(0, enoughAt + 1);
  if (cost < minScored || enoughAt < 0 || scored(tried) > worthTrying * cost) return unpruned(whole);
  return {
    whole,
    first: choice(tried, [...required.slice(tried.length), ...optional]),
    next(min) {
      const needed = required.slice(0, neededWords(required, rows, min));
      if (needed.length <= tried.length) return undefined;
      if (scored(needed) > worthNarrowing * cost) return whole;
      return choice(needed, [...required.slice(needed.length), ...optional]);
    },
  };
}

function unpruned(whole: WordChoice): SearchPlan {
  return { whole, next: () => whole };
}

/** How many of the words, rarest first, a row has to hold one of to reach a score: the others together fall short. */
function neededWords(words: readonly CountedWord[], rows: number, min: number): number {
  let reachable = 0;
  for (let needed = words.length; needed > 0; needed -= 1) {
    reachable += maxPerRarity * rarity(words[needed - 1]?.count ?? 0, rows);
    if (reachable >= min) return needed;
  }
  return 0;
}

/** The weight of a word to FTS5, at most: its number of rows may have fallen since it was counted. */
function rarity(count: number, rows: number): number {
  const min = count * (1 - 2 * tolerance);
  return Math.max(1e-6, Math.log((rows - min + 0.5) / (min + 0.5)));
}

function finds(words: readonly CountedWord[], min: number): boolean {
  return words.some(({ count }) => count >= min);
}

function scored(words: readonly CountedWord[]): number {
  return words.reduce((sum, { count }) => sum + count, 0);
}

function choice(required: readonly CountedWord[], optional: readonly CountedWord[]): WordChoice {
  return { required: inPlace(required), optional: inPlace(optional) };
}

/** The words in the order in which they were given: the last digit of a score hangs on it. */
function inPlace(words: readonly CountedWord[]): string[] {
  return words.toSorted((one, other) => one.place - other.place).map(({ word }) => word);
}
