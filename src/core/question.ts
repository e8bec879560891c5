import { QuarryError } from './errors.ts';

/** Fails unless the question has any text. */
export function requireQuestion(question: string): void {
  if (question.trim() !== '') return;
  throw new QuarryError('query-empty', 'The question is empty.', 'Ask with at least one word.');
}
