import { QuarryError } from './errors.ts';

/** Fails unless the query has any text. */
export function requireQuery(query: string): void {
  if (query.trim() !== '') return;
  throw new QuarryError('query-empty', 'The query is empty.', 'Ask with at least one word.');
}

/** What a query looks like: a name from code, a path, an error message, about somebody or something named, or other. */
export const queryKinds = ['symbol', 'path', 'error', 'named', 'plain'] as const;

/** One of the kinds of queries. */
export type QueryKind = (typeof queryKinds)[number];

/** Ways to find: both searchers together, one of them alone, or the text as it stands. */
export const routes = ['hybrid', 'dense', 'text', 'exact', 'regex'] as const;

/** One of the ways to find. */
export type Route = (typeof routes)[number];

/** Steps of a search that can be left out, in the order in which they are taken. */
export const optionalStages = [
  'paths',
  'quotes',
  'kinds',
  'rules',
  'coherence',
  'noise',
  'duplicates',
  'spread',
  'rerank',
] as const;

/** One of the optional steps. */
export type OptionalStage = (typeof optionalStages)[number];

/** How the lists of several searchers become one: by their scores, or by reciprocal ranks. */
export const fusions = ['score', 'rank'] as const;

/** One of the ways to unite lists. */
export type Fusion = (typeof fusions)[number];
