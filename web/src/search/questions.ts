import type { InputOf } from '../api/operations.ts';

/** What is asked for. It is kept in the address, so that a search can be reloaded, gone back to and bookmarked. */
export interface Question {
  readonly query: string;
  readonly type: string;
  /** A folder, or a file. */
  readonly in: string;
  readonly path: string;
  readonly language: string;
  readonly author: string;
  readonly tag: string;
  readonly since: string;
  /** Names of projects, or `*` for all; empty for the one that is shown. */
  readonly projects: string;
  readonly route: string;
  readonly top: string;
}

/** What of an address is part of a question, in its order. */
const names = [
  'query',
  'type',
  'in',
  'path',
  'language',
  'author',
  'tag',
  'since',
  'projects',
  'route',
  'top',
] as const;

/** The question in the words of an address. */
export function questionIn(words: URLSearchParams): Question {
  return Object.fromEntries(names.map((name) => [name, words.get(name) ?? ''])) as Record<
    (typeof names)[number],
    string
  >;
}

/** The words of a question that an address needs. */
export function wordsOf(asked: Question): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (asked[name] === '' ? [] : [[name, asked[name]]])));
}

/** A question as it is kept: as an address has it, without how many hits were wanted. */
export function keptForm(asked: Question): string {
  return String(new URLSearchParams(wordsOf({ ...asked, query: asked.query.trim(), top: '' })));
}

/** A kept question in a few words. */
export function shownForm(kept: string): string {
  const asked = questionIn(new URLSearchParams(kept));
  const filters = filterNames.map((name) => asked[name]);
  return [asked.query, ...filters, asked.projects === '*' ? 'all projects' : asked.projects]
    .filter((part) => part !== '')
    .join(' · ');
}

export const noFilters = {
  type: '',
  in: '',
  path: '',
  language: '',
  author: '',
  tag: '',
  since: '',
  route: '',
} as const;

/** The filters, as the address and the flags of the command line name them. */
export const filterNames = ['type', 'in', 'path', 'language', 'author', 'tag', 'since'] as const;
export type FilterName = (typeof filterNames)[number];

/** How many filters are set. */
export function filtersIn(asked: Question): number {
  return filterNames.filter((name) => asked[name] !== '').length;
}

/** The filters, as operations take them. */
export function filterFor(asked: Question): Pick<InputOf<'search'>, FilterName> {
  const list = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '');
  const one = (text: string): string[] => (text === '' ? [] : [text]);
  return {
    type: list(asked.type),
    // The name of a folder or of a person may have spaces.
    in: one(asked.in),
    author: one(asked.author),
    tag: one(asked.tag),
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
