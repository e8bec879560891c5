import { computed } from '@preact/signals';
import type { InputOf } from '../api/operations.ts';
import { goTo, linkTo, route } from '../shell/route.ts';

/** What is asked for. It is kept in the address, so that a search can be reloaded, gone back to and bookmarked. */
export interface Question {
  readonly query: string;
  readonly type: string;
  readonly path: string;
  readonly language: string;
  readonly since: string;
  readonly route: string;
  readonly top: string;
}

export const noFilters = { type: '', path: '', language: '', since: '', route: '' } as const;

/** The question in the address. */
export const question = computed<Question>(() => {
  const { words } = route.value;
  const word = (name: string): string => words.get(name) ?? '';
  return {
    query: word('query'),
    type: word('type'),
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

/** How many filters are set. */
export function filtersIn(asked: Question): number {
  return [asked.type, asked.path, asked.language, asked.since].filter((value) => value !== '').length;
}

/** The filters, as operations take them. */
export function filterFor(asked: Question): Pick<InputOf<'search'>, 'type' | 'path' | 'language' | 'since'> {
  const list = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '');
  return {
    type: list(asked.type),
    path: list(asked.path),
    language: list(asked.language),
    ...(asked.since !== '' && { since: asked.since }),
  };
}

/** The input of the operation. */
export function inputFor(asked: Question): InputOf<'search'> {
  return {
    query: asked.query,
    ...filterFor(asked),
    ...(asked.route !== '' && { route: asked.route as NonNullable<InputOf<'search'>['route']> }),
    top_k: Number(asked.top) || 10,
    explain: true,
    full: true,
  };
}
