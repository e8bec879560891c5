import { z } from 'zod';
import { type Filter, filterLists } from '../../core/filter.ts';
import { globSchema } from '../../core/search-options.ts';
import { momentOf } from '../../core/text/moment.ts';

/** The fields by which an input narrows down what is searched: those of a filter, each named for one value of it. */
export const filterFields = {
  type: repeated(filterLists.types),
  path: repeated(z.array(globSchema).describe(filterLists.paths.description ?? '')),
  language: repeated(filterLists.languages),
  kind: repeated(filterLists.symbolKinds),
  origin: repeated(filterLists.origins),
  since: z
    .string()
    .optional()
    .describe(
      'Only content written since then: a date (2026-01-31), an age (7d, 2w, 3h, 1y), today or yesterday. Each message of a mailbox counts by its own date.',
    ),
  until: z.string().optional().describe('Only content written before then.'),
};

function repeated<Item extends z.ZodType>(list: z.ZodArray<Item>) {
  return list.default([]).describe(`${list.description}; may be repeated.`);
}

const filterInput = z.object(filterFields).partial();
/** The part of an input that narrows down what is searched. */
export type FilterInput = z.output<typeof filterInput>;

/** The filter of an input; undefined where it narrows nothing down. */
export function filterOf({
  type,
  path,
  language,
  kind,
  origin,
  since,
  until,
}: FilterInput): Filter | undefined {
  const lists = { types: type, paths: path, languages: language, symbolKinds: kind, origins: origin };
  const filter: Filter = {
    ...Object.fromEntries(Object.entries(lists).filter(([, values]) => values && values.length > 0)),
    ...(since !== undefined && { since: momentOf('since', since) }),
    ...(until !== undefined && { until: momentOf('until', until) }),
  };
  return Object.keys(filter).length > 0 ? filter : undefined;
}
