import type { Message } from '../../contracts/generator.ts';
import { queryTerms } from '../../core/text/terms.ts';

/** Words that point to something said before. */
const pointing =
  /\b(?:it|its|they|them|their|that|those|this|these|he|she|him|her|there|one|ones|previous|latter|same|else)\b/i;
/** Beginnings of a question that follows from another. */
const goingOn = /^\s*(?:and|but|or|so|then|also|what about|how about|why not|what else)\b/i;
/** A question with fewer content words seldom stands alone. */
const fewWords = 2;
/** Previous questions that are put before one that follows from them. */
const maxPrevious = 2;

/** The question as it is searched for: one that leans on the conversation is preceded by what it leans on. */
export function rewriteQuery(question: string, history: readonly Message[]): string {
  const previous = history.filter(({ role }) => role === 'user').map(({ content }) => content);
  const leading: string[] = [];
  let current = question;
  while (leading.length < maxPrevious && previous.length > 0 && leansOnOthers(current)) {
    current = previous.pop() ?? '';
    leading.unshift(current);
  }
  return [...leading, question].join(' ');
}

/** Whether a question points to something that was said before, or says too little to stand alone. */
export function leansOnOthers(question: string): boolean {
  return pointing.test(question) || goingOn.test(question) || queryTerms(question).length <= fewWords;
}
