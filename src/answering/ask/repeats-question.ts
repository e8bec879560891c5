import { terms } from '../../core/text/terms.ts';
import { evidenceOf } from './support.ts';

/** The share of the words of one question from which on it asks what another one does. */
const nearlyAll = 0.7;
const endOfQuestion = /[?？؟]["'”’»)\]*_`]*$/u;
/** Who asks, and when: what a chat writes before a message. */
const asker = /^[^?\n]{0,80}?:\s+/u;

/** Whether a text only repeats a question: the same words, or a question with nearly all of its words from it. */
export function repeatsQuestion(text: string, question: string): boolean {
  if (hasSameWords(text, question)) return true;
  if (!endOfQuestion.test(text.trimEnd())) return false;
  const words = [...evidenceOf(text.replace(asker, '')).all];
  const { all: asked } = evidenceOf(question);
  return words.length > 0 && words.filter((word) => asked.has(word)).length >= nearlyAll * words.length;
}

/** Whether two texts are the same but for case and punctuation. */
export function hasSameWords(one: string, other: string): boolean {
  const words = terms(one);
  return words.length > 0 && words.join(' ') === terms(other).join(' ');
}
