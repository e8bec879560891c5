import type { Connection } from '../file/connection.ts';
import { textRows } from './text-upkeep.ts';

/** Below this many rows every word is found in a few milliseconds. */
const fewestRows = 5_000;
/** Words whose number of rows is remembered. */
const mostWords = 2_000;
/** A number is counted again when the index has grown or shrunk by this share. */
const tolerance = 0.05;

/** Rows with a word when it was counted, up to half of all. */
interface TermCount {
  readonly count: number;
  readonly ofRows: number;
}

interface CountedWords {
  /** In another file every number is another. */
  readonly opening: number;
  readonly counts: Map<string, TermCount>;
}

const counted = new WeakMap<Connection, CountedWords>();

/** Words in more rows than this share of all are many: they may lift what rarer words find, and find nothing alone. */
const manyShare = 0.1;
/** Rarer words have to find so many times what is asked for. */
const enough = 5;

/** An expression of FTS5, and how many times each term counts in it. */
export interface TermExpression {
  readonly match: string;
  readonly factor: number;
}

/**
 * An expression for any of the terms that does not make FTS5 go through most of the index. A word in more than half of
 * all rows has no weight to FTS5 and is left out where the others find as much as is wanted; one in many rows is looked
 * for only in what rarer words find, where those find plenty: what has nothing but common words stands behind all of
 * that. `wanted` is undefined where a filter may leave too little of it.
 */
export function expressionOf(
  connection: Connection,
  words: readonly string[],
  wanted: number | undefined,
): TermExpression {
  const rows = textRows(connection);
  if (rows < fewestRows || words.length < 2) return { match: anyOf(words), factor: 1 };
  const counts = new Map(words.map((word) => [word, rowsWith(connection, word, rows)]));
  const countOf = (word: string) => counts.get(word) ?? 0;
  const finds = (some: readonly string[], least: number) => Math.max(0, ...some.map(countOf)) >= least;
  const telling = words.filter((word) => 2 * countOf(word) <= rows);
  if (wanted === undefined || !finds(telling, wanted)) return { match: anyOf(words), factor: 1 };
  const rare = telling.filter((word) => countOf(word) <= manyShare * rows);
  const common = telling.filter((word) => countOf(word) > manyShare * rows);
  if (common.length === 0 || !finds(rare, enough * wanted)) return { match: anyOf(telling), factor: 1 };
  // Rare ones stand in both parts and count twice, so common ones are named twice.
  return { match: `(${anyOf(rare)}) AND (${anyOf([...rare, ...common, ...common])})`, factor: 2 };
}

function anyOf(words: readonly string[]): string {
  return words.map(quoted).join(' OR ');
}

function rowsWith(connection: Connection, word: string, rows: number): number {
  const counts = countsOf(connection);
  const known = counts.get(word);
  if (known && Math.abs(known.ofRows - rows) <= tolerance * rows) return (known.count * rows) / known.ofRows;
  const count = countRows(connection, word, Math.floor(rows / 2) + 1);
  if (counts.size >= mostWords) counts.clear();
  counts.set(word, { count, ofRows: rows });
  return count;
}

function countsOf(connection: Connection): Map<string, TermCount> {
  const { opening } = connection;
  const known = counted.get(connection);
  if (known?.opening === opening) return known.counts;
  const counts = new Map<string, TermCount>();
  counted.set(connection, { opening, counts });
  return counts;
}

function countRows(connection: Connection, word: string, most: number): number {
  const row = connection.get(
    'SELECT count(*) AS count FROM (SELECT 1 FROM chunk_terms WHERE chunk_terms MATCH ? LIMIT ?)',
    quoted(word),
    most,
  );
  return Number(row?.count);
}

/** A term as a string in which nothing but the quote itself has a meaning to FTS5. */
function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}
