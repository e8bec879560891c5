import { wordFrequencies } from '../words.ts';

/** Weighted frequencies from which on a word has one more token. */
const levels = [3, 7] as const;

/**
 * What the text index holds of a chunk: each of its words once, and again with a mark where it is frequent. LanceDB takes the
 * occurrences of a word in rows that its index does not cover yet for rows with that word, and hides rows with words of more
 * occurrences than there are rows: so no token occurs twice in a row.
 */
export function indexTokens(lines: string): string[] {
  return [...wordFrequencies(lines)].flatMap(([word, frequency]) => [
    word,
    ...levels.filter((level) => frequency >= level).map((level) => marked(word, level)),
  ]);
}

/** The tokens by which a word is looked for: those who hold more of them come first. */
export function queryTokens(words: Iterable<string>): string[] {
  return [...words].flatMap((word) => [word, ...levels.map((level) => marked(word, level))]);
}

function marked(word: string, level: number): string {
  return `${word}~${level}`;
}
