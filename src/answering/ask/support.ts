import { queryTerms, terms } from '../../core/text/terms.ts';
import { type Clause, clausesOf, denies } from './denial.ts';

/**
 * The share of a sentence's words that a source must have close together for the sentence to count as supported. Chosen on
 * claims with known evidence; `docs/decisions/` has the figures.
 */
export const supportBound = 0.5;

/** Words of a source that are looked at together: some sentences. A long source has most words somewhere. */
const windowWords = 90;
const windowStep = 15;

/** Fewer content words say nothing that could be checked. */
const minWords = 3;

/** Citations are no part of what a sentence says. */
const citations = /\[\d[\d, ]*\]/g;

/** What a sentence says, as words and clauses that a source can be asked for. */
export interface Claim {
  readonly words: readonly string[];
  readonly clauses: readonly Clause[];
}

/** What a sentence says; undefined where that is too little to check. */
export function claimOf(sentence: string): Claim | undefined {
  const said = sentence.replace(citations, ' ');
  const words = [...new Set(queryTerms(said).map(stemmed))];
  return words.length < minWords ? undefined : { words, clauses: clausesOf(said, stemmed) };
}

/** A source, prepared to be asked for words. */
export interface Evidence extends Claim {
  readonly all: ReadonlySet<string>;
}

export function evidenceOf(text: string): Evidence {
  const words = terms(text).map(stemmed);
  return { words, all: new Set(words), clauses: clausesOf(text, stemmed) };
}

/** Whether a source has a quoted text word by word: then it says it, whatever else it says. */
export function hasQuote(text: string, { words }: Evidence): boolean {
  const opening = text.indexOf('“');
  const quoted = opening < 0 ? '' : text.slice(opening + 1, Math.max(0, text.lastIndexOf('”')));
  const said = terms(quoted).map(stemmed);
  return said.length >= minWords && ` ${words.join(' ')} `.includes(` ${said.join(' ')} `);
}

/**
 * How far a source supports a claim, 0 to 1: the share of the claim's words that stand close together in it. A number that
 * the source does not have anywhere is never supported by it, nor is the opposite of what it says.
 */
export function supportOf({ words: claim, clauses }: Claim, source: Evidence): number {
  const { words, all } = source;
  if (claim.some((word) => /^\d+$/.test(word) && !all.has(word))) return 0;
  const wanted = claim.filter((word) => all.has(word));
  if (wanted.length / claim.length < 0.2) return wanted.length / claim.length;
  const asked = new Set(wanted);
  let best = 0;
  for (let start = 0; start === 0 || start + windowWords - windowStep < words.length; start += windowStep) {
    const found = new Set<string>();
    for (const word of words.slice(start, start + windowWords)) if (asked.has(word)) found.add(word);
    best = Math.max(best, found.size);
    if (best === asked.size) break;
  }
  return denies(source.clauses, clauses) ? 0 : best / claim.length;
}

/** A word without its ending, so that `steeped` and `steeping` are one. */
export function stemmed(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  const cut = word.replace(/(?:ations?|ingly|ings?|edly|ed|ies|ers?|ors?|ly|es|s|e|y)$/, '');
  return cut.length > 2 ? cut : word;
}
