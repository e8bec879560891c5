import type { Connection } from '../file/connection.ts';
import { quoted } from './expression.ts';

/** Words whose number of rows is remembered. */
const maxWords = 2_000;
/** A number is counted again when the index has grown or shrunk by this share. */
export const tolerance = 0.05;

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

/** How many of all rows hold a word, about: the number is remembered while the index stays about as large. */
export function rowsWith(connection: Connection, word: string, rows: number): number {
  const counts = countsOf(connection);
  const known = counts.get(word);
  if (known && Math.abs(known.ofRows - rows) <= tolerance * rows) return (known.count * rows) / known.ofRows;
  const count = countRows(connection, word, Math.floor(rows / 2) + 1);
  if (counts.size >= maxWords) counts.clear();
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

function countRows(connection: Connection, word: string, max: number): number {
  const row = connection.get(
    'SELECT count(*) AS count FROM (SELECT 1 FROM chunk_terms WHERE chunk_terms MATCH ? LIMIT ?)',
    quoted(word),
    max,
  );
  return Number(row?.count);
}
