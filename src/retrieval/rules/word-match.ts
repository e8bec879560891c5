import { identifierParts } from '../../core/text/terms.ts';

/**
 * How much of a name the words of a query cover, 0 to 1: `createStore` is covered by `store creation`. Words match when
 * they differ only in their ending; parts of one letter do not count.
 */
export function coveredShare(words: readonly string[], name: string): number {
  const parts = [...new Set(identifierParts(name))].filter((part) => part.length > 2);
  if (parts.length === 0) return 0;
  return parts.filter((part) => words.some((word) => meet(word, part))).length / parts.length;
}

/** What is left of a word without its ending has at least so many letters, so that forms of one word begin alike. */
const minStem = 3;
/** How much of a word its beginning must be to stand for it: `config` for `configuration`, not `con`. */
const minShare = 0.4;

/** Whether two words are forms of one: `config` and `configuration`, `parses` and `parsing`. */
export function meet(one: string, other: string): boolean {
  if (one === other) return true;
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one];
  if (shorter.length < minStem || !longer.startsWith(shorter.slice(0, minStem))) return false;
  // A short beginning is not the word: `con` begins `configuration` and `connection`.
  const isBeginning = longer.startsWith(shorter) && shorter.length >= minShare * longer.length;
  return isBeginning || withoutEnding(shorter) === withoutEnding(longer);
}

function withoutEnding(word: string): string {
  const stem = word.replace(/(?:ations?|ing|ers?|ors?|ed|es|s|e)$/, '');
  return stem.length >= minStem ? stem : word;
}
