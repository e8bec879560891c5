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
