import { QuarryError } from './errors.ts';

/** Characters of a query; a longer one is a document, and none of its words counts for much. */
export const maxQueryLength = 100_000;

/**
 * The part of a query that becomes its vector. A model takes its time with each word: it would work half a minute on the longest
 * query, and let all others wait. What follows is found by its words.
 */
export function beginningOf(query: string): string {
  return query.slice(0, 4_000).toWellFormed();
}

/** Fails unless the query has any text. */
export function requireQuery(query: string): void {
  if (query.trim() !== '') return;
  throw new QuarryError('usage-invalid', 'The query is empty.', 'Ask with at least one word.');
}

/** What a query looks like: a name from code, one plain word (which may be a name too), a path, an error message, a sentence with a name from code in it, about somebody or something named, or other. */
export const queryKinds = ['symbol', 'word', 'path', 'error', 'code', 'named', 'plain'] as const;

/** One of the kinds of queries. */
export type QueryKind = (typeof queryKinds)[number];

/** Ways to search: both searchers together, one of them alone, or for the literal text. */
export const routes = ['hybrid', 'dense', 'text', 'exact', 'regex'] as const;

/** One of the ways to search. */
export type Route = (typeof routes)[number];

/** What decides whether a search asks vectors. */
interface VectorUse {
  readonly route?: Route | undefined;
  readonly denseWeight?: number | undefined;
}

/** Whether a search by this way looks at vectors at all. */
export function usesVectors({ route = 'hybrid', denseWeight }: VectorUse): boolean {
  return route === 'dense' || (route === 'hybrid' && denseWeight !== 0);
}

/** Whether this way finds a text or a pattern as it stands, and counts where. */
export function isLiteral(route: Route | undefined): boolean {
  return route === 'exact' || route === 'regex';
}

/** Steps of a search that can be left out, in their order. */
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
