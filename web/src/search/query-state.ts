import { computed } from '@preact/signals';
import { goTo, linkTo, route } from '../shell/route.ts';
import type { Question } from './questions.ts';

/** The question in the address. */
export const question = computed<Question>(() => {
  const { words } = route.value;
  const word = (name: string): string => words.get(name) ?? '';
  return {
    query: word('query'),
    type: word('type'),
    in: word('in'),
    path: word('path'),
    language: word('language'),
    since: word('since'),
    route: word('route'),
    top: word('top'),
  };
});

/** Changes the question; while the reader types, in place of the previous. */
export function askFor(change: Partial<Question>, { replace = false } = {}): void {
  const words = Object.entries({ ...question.value, ...change }).filter(([, value]) => value !== '');
  goTo(linkTo(route.value.project, 'search', Object.fromEntries(words)), { replace });
}
