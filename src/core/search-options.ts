import { z } from 'zod';
import { QuarryError } from './errors.ts';
import { pathMatcher } from './globs/glob.ts';
import { routes } from './query.ts';
import type { CamelCased } from './text/camel-case.ts';
import { beginningOf } from './text/shortened.ts';

/** How many hits a search may be asked for. */
export const topKSchema = z.int().min(1).max(1000);
/** Chunks that each searcher contributes to a search. */
export const searchCandidates = 60;
/** A share, a weight or a likelihood. */
export const shareSchema = z.number().min(0).max(1);
/** Chunks shown before and after a hit. */
export const neighboursSchema = z.int().min(0).max(20);
/** A limit on the tokens of what is shown. */
export const tokensSchema = z.int().min(32).max(1_000_000);
/** A glob over the paths of a project; one that leads out of it, or is none, is `usage-invalid`. */
export const globSchema = z.string().refine((glob) => {
  if (glob.split(/[\\/]/).some((part) => part === '..' || part === '!..'))
    throw new QuarryError(
      'usage-invalid',
      `"${beginningOf(glob, 80)}" leads out of the project.`,
      'Write a glob such as src/** or *.md.',
    );
  return pathMatcher([glob]) !== undefined;
});

/**
 * What a search takes, however it is asked. An option is declared here alone: the flag, the field of the operation and the
 * option of the library are made from it, and with a line in `searchDefaults` it is a setting too.
 */
export const searchFields = {
  top_k: topKSchema.describe('How many hits a search gives.'),
  threshold: shareSchema.describe(
    'Hits that are less likely than this to be relevant, from 0 to 1, are left out; by default those that would be shown as 0.00.',
  ),
  route: z
    .enum(routes)
    .describe(
      'How to search: by vectors and words (hybrid), by one of them (dense, text), or for the literal text (exact, regex).',
    ),
  dense_weight: shareSchema.describe(
    'How much meaning counts beside words, from 0 (words alone) to 1 (meaning alone). The default depends on the kind of query and the embedder: 0.5 for plain questions and the bundled model.',
  ),
  embedder: z.string().min(1).describe('Ask this embedder of [embedders] instead of the one in use.'),
  by_document: z
    .boolean()
    .describe(
      'Show each document once, by its best chunk, with its further ones in `more`; with false each chunk is a hit.',
    ),
};

/** Options that `[search]` in the settings decides where a call does not, with what holds where neither does. */
export const searchDefaults = {
  top_k: described(searchFields.top_k.default(5), searchFields.top_k),
  by_document: described(searchFields.by_document.default(true), searchFields.by_document),
  threshold: described(searchFields.threshold.default(0.005), searchFields.threshold),
  dense_weight: described(searchFields.dense_weight.optional(), searchFields.dense_weight),
};

/** The options as a call takes them: each may be absent, and says which setting then decides. */
export const searchInput = Object.fromEntries(
  Object.entries(searchFields).map(([name, schema]) => {
    const note = name in searchDefaults ? ` (search.${name}).` : '.';
    return [name, schema.optional().describe(`${schema.description?.replace(/\.$/, '')}${note}`)];
  }),
) as { readonly [Name in keyof typeof searchFields]: z.ZodOptional<(typeof searchFields)[Name]> };

/** What a caller chose, under the names of the library. */
export type SearchChoices = Readonly<CamelCased<z.output<z.ZodObject<typeof searchInput>>>>;

function described<Schema extends z.ZodType>(schema: Schema, { description = '' }: z.ZodType): Schema {
  return schema.describe(description);
}
