import { QuarryError } from './errors.ts';

/** Fails unless the question has any text. */
export function requireQuestion(question: string): void {
  if (question.trim() !== '') return;
  throw new QuarryError('query-empty', 'The question is empty.', 'Ask with at least one word.');
}

/** What a question looks like: a name from code, a path, an error message, about somebody or something named, or other. */
export const questionKinds = ['symbol', 'path', 'error', 'named', 'plain'] as const;

/** One of the kinds of questions. */
export type QuestionKind = (typeof questionKinds)[number];

/** Ways to find: both searchers together, one of them alone, or the text as it stands. */
export const routes = ['hybrid', 'dense', 'text', 'exact', 'regex'] as const;

/** One of the ways to find. */
export type Route = (typeof routes)[number];
