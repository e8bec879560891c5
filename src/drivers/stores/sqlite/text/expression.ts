/** Words that a search looks for: a row must hold one of the required ones, the optional ones only add to its score. */
export interface WordChoice {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** An expression of FTS5, and how many times each term counts in it. */
export interface TermExpression {
  readonly match: string;
  readonly factor: number;
}

/** The expression that finds a choice of words. */
export function expressionOf({ required, optional }: WordChoice): TermExpression {
  if (optional.length === 0) return { match: anyOf(required), factor: 1 };
  // Required ones stand in both parts and count twice, so optional ones are named twice.
  const all = [...required, ...optional, ...optional];
  return { match: `(${anyOf(required)}) AND (${anyOf(all)})`, factor: 2 };
}

/** A term as a string in which nothing but the quote itself has a meaning to FTS5. */
export function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}

function anyOf(words: readonly string[]): string {
  return words.map(quoted).join(' OR ');
}
