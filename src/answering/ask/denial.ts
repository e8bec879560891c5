import { queryTerms } from '../../core/text/terms.ts';

/** A part of a sentence that says one thing: its words by stem, and whether it denies it. */
export interface Clause {
  readonly words: ReadonlySet<string>;
  readonly isDenied: boolean;
}

const between =
  /(?<![.;:!?])[.;:!?]+\s|,\s|[()\n–—]|\b(?:but|because|although|though|unless|so that|which|whereas|while)\b/i;
const denying = /\b(?:not|never|no|none|nor|neither|cannot|without|nothing|nobody)\b|n['’]t\b/gi;
/** Clauses with fewer words are too short to be recognised in another text. */
const minWords = 3;
/** The share of all words of two clauses that both have, from which on they speak of the same. */
const sameFrom = 0.6;

/** The clauses of a text that say enough to be compared. */
export function clausesOf(text: string, stem: (word: string) => string): readonly Clause[] {
  return text.split(between).flatMap((part) => {
    const words = new Set(queryTerms(part.replace(denying, ' ')).map(stem));
    return words.size < minWords ? [] : [{ words, isDenied: (part.match(denying)?.length ?? 0) % 2 === 1 }];
  });
}

/** Whether a source says the opposite of a claim: what is nearest to one of its clauses has a "not" more, or one less. */
export function denies(source: readonly Clause[], claim: readonly Clause[]): boolean {
  return claim.some(({ words, isDenied }) => {
    let agreeing = 0;
    let denied = 0;
    for (const other of source) {
      const alike = likeness(words, other.words);
      if (other.isDenied === isDenied) agreeing = Math.max(agreeing, alike);
      else denied = Math.max(denied, alike);
    }
    return denied >= sameFrom && denied > agreeing;
  });
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  return shared / (one.size + other.size - shared);
}
