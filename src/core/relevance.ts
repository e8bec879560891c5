/** What people read in place of a number. */
export type RelevanceWord = 'strong' | 'possible' | 'weak';

/**
 * From here on a hit is strong: more than half of such hits were judged right, and what plainly has the words of a query
 * has no less.
 */
export const strongFrom = 0.5;
/** From here on a hit is possible: prompts and answers are made of it. What is weaker is shown, and nothing is built on it. */
export const possibleFrom = 0.15;

/** The word for a relevance. */
export function relevanceWord(relevance: number): RelevanceWord {
  if (relevance >= strongFrom) return 'strong';
  return relevance >= possibleFrom ? 'possible' : 'weak';
}
