import { z } from 'zod';
import { QuarryError } from '../../core/errors.ts';
import { type Filter, filterLists } from '../../core/filter.ts';
import { literalGlob } from '../../core/globs/glob.ts';
import { withoutTests } from '../../core/globs/test-globs.ts';
import { globSchema } from '../../core/search-options.ts';
import { endOf, momentOf } from '../../core/text/moment.ts';
import { beginningOf } from '../../core/text/shortened.ts';

/** The fields by which an input narrows down what is searched: those of a filter, each named for one value of it. */
export const filterFields = {
  type: repeated(filterLists.types),
  path: repeated(z.array(globSchema).describe(filterLists.paths.description ?? '')),
  in: z
    .array(z.string().min(1).max(1000))
    .default([])
    .describe('Only this folder, or this file; may be repeated.'),
  code: z.boolean().default(false).describe('Only code: short for the type.'),
  tests: z.boolean().optional().describe('Search tests too; true by default.'),
  language: repeated(filterLists.languages),
  kind: repeated(filterLists.symbolKinds),
  origin: repeated(filterLists.origins),
  tag: repeated(filterLists.tags),
  field: repeated(filterLists.fields),
  author: repeated(filterLists.authors),
  since: z
    .string()
    .optional()
    .describe(
      'Only content written since then: a date (2026-01-31), an age (7d, 2w, 3h, 1y), today or yesterday. Each message of a mailbox counts by its own date.',
    ),
  until: z.string().optional().describe('Only content written up to then: a date means all of that day.'),
};

function repeated<Item extends z.ZodType>(list: z.ZodArray<Item>) {
  return list.default([]).describe(`${list.description}; may be repeated.`);
}

const filterInput = z.object(filterFields).partial();
/** The part of an input that narrows down what is searched. */
export type FilterInput = z.output<typeof filterInput>;

/** The filter of an input; undefined where it narrows nothing down. */
export function filterOf(input: FilterInput): Filter | undefined {
  const { type = [], language, kind, origin, tag, field, author, code, since, until } = input;
  const types = code && !type.includes('code') ? [...type, 'code'] : type;
  const lists = {
    types,
    paths: pathsOf(input),
    languages: language,
    symbolKinds: kind,
    origins: origin,
    tags: tag,
    fields: field,
    authors: author,
  };
  const filter: Filter = {
    ...Object.fromEntries(Object.entries(lists).filter(([, values]) => values && values.length > 0)),
    ...(since !== undefined && { since: momentOf('since', since) }),
    ...(until !== undefined && { until: endOf('until', until) }),
  };
  return Object.keys(filter).length > 0 ? filter : undefined;
}

/** The globs of an input: its own within its folders, and without tests where it wants none. */
function pathsOf({ path = [], in: folders = [], tests }: FilterInput): string[] {
  const own = path.filter((glob) => !glob.startsWith('!'));
  const excluded = path.filter((glob) => glob.startsWith('!'));
  const admitted = folders.length === 0 ? own : folders.map(folderName).flatMap((name) => within(name, own));
  return [...admitted, ...excluded, ...(tests === false ? withoutTests : [])];
}

function folderName(written: string): string {
  const name = written.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  globSchema.parse(name);
  return literalGlob(name);
}

function within(folder: string, globs: readonly string[]): string[] {
  if (folder === '' || folder === '.') return globs.length > 0 ? [...globs] : ['**'];
  if (globs.length === 0 && folder.includes('/')) return [folder, `${folder}/**`];
  // A name alone would mean a file of that name in any folder; as a part of a longer glob it means the one at the top.
  const name = folder.replaceAll(',', '\\,');
  if (globs.length === 0) return [`{${name},${name}/**}`];
  return globs.map((glob) => {
    const anywhere = glob.replace(/^\*\*\//, '');
    if (!anywhere.includes('/')) return `${folder}/**/${anywhere}`;
    if (glob.startsWith(`${folder}/`)) return glob;
    throw new QuarryError(
      'usage-invalid',
      `The glob "${beginningOf(glob, 80)}" is of another folder than "${beginningOf(folder, 80)}".`,
      'Name the folder by one of the two, or give a glob without a folder such as *.md.',
    );
  });
}
