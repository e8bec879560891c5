import type { InputOf } from '../api/operations.ts';

/** What is asked for. It is kept in the address, so that a search can be reloaded, gone back to and bookmarked. */
export interface Question {
  readonly query: string;
  readonly type: string;
  /** A folder, or a file. */
  readonly in: string;
  readonly path: string;
  readonly language: string;
  readonly since: string;
  readonly route: string;
  readonly top: string;
}

export const noFilters = { type: '', in: '', path: '', language: '', since: '', route: '' } as const;

/** The filters, as the address and the flags of the command line name them. */
export const filterNames = ['type', 'in', 'path', 'language', 'since'] as const;
export type FilterName = (typeof filterNames)[number];

/** How many filters are set. */
export function filtersIn(asked: Question): number {
  return filterNames.filter((name) => asked[name] !== '').length;
}

/** The filters, as operations take them. */
export function filterFor(asked: Question): Pick<InputOf<'search'>, FilterName> {
  const list = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '');
  return {
    type: list(asked.type),
    // The name of a folder may have spaces.
    in: asked.in === '' ? [] : [asked.in],
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
