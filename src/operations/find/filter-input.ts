import { z } from 'zod';
import { origins } from '../../core/document.ts';
import type { Filter } from '../../core/filter.ts';
import { globSchema } from '../../core/search-limits.ts';
import { momentOf } from '../../core/text/moment.ts';

/** The fields by which an input narrows down what is searched. */
export const filterFields = {
  type: z.array(z.string()).default([]).describe('Only documents of this type; may be repeated.'),
  path: z
    .array(globSchema)
    .default([])
    .describe('Only paths that match this glob (`!` excludes); may be repeated.'),
  language: z.array(z.string()).default([]).describe('Only code in this language; may be repeated.'),
  kind: z
    .array(z.string())
    .default([])
    .describe('Only symbols of this kind (function, class, …); may be repeated.'),
  origin: z
    .array(z.enum(origins))
    .default([])
    .describe('Only content of this origin class; may be repeated.'),
  since: z
    .string()
    .optional()
    .describe(
      'Only content written since then: a date (2026-01-31), an age (7d, 2w, 3h, 1y), today or yesterday. Each message of a mailbox counts by its own date.',
    ),
  until: z.string().optional().describe('Only content written before then.'),
};

const filterInput = z.object(filterFields);
/** The part of an input that narrows down what is searched. */
export type FilterInput = z.output<typeof filterInput>;

/** The filter of an input; undefined where it narrows nothing down. */
export function filterOf(input: FilterInput): Filter | undefined {
  const filter: Filter = {
    ...(input.type.length > 0 && { types: input.type }),
    ...(input.path.length > 0 && { paths: input.path }),
    ...(input.language.length > 0 && { languages: input.language }),
    ...(input.kind.length > 0 && { symbolKinds: input.kind }),
    ...(input.origin.length > 0 && { origins: input.origin }),
    ...(input.since !== undefined && { since: momentOf('since', input.since) }),
    ...(input.until !== undefined && { until: momentOf('until', input.until) }),
  };
  return Object.keys(filter).length > 0 ? filter : undefined;
}
