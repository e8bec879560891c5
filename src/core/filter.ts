import { z } from 'zod';
import type { Chunk } from './chunk.ts';
import { type DocumentRecord, origins } from './document.ts';
import { asksForOwnFields, isByAny, ownFieldsPass } from './documents/own-fields.ts';
import { pathMatcher } from './globs/glob.ts';
import type { PathTest } from './globs/pattern-list.ts';

const words = z.array(z.string());

/**
 * The fields of a filter that hold several values, with what each admits. This is the one place where a field is declared:
 * the library, operations with their flags, and stores on other machines take what is written here.
 */
export const filterLists = {
  types: words.describe('Only documents of this type (code, note, email, …)'),
  paths: words.describe('Only paths that match this glob (`!` excludes)'),
  languages: words.describe('Only code in this language'),
  symbolKinds: words.describe('Only symbols of this kind (function, class, …)'),
  origins: z.array(z.enum(origins)).describe('Only content of this origin class'),
  tags: words.describe('Only documents with this tag'),
  fields: z
    .array(z.string().regex(/^[^=]{1,100}=/, 'Write it like status=open'))
    .describe('Only documents whose front matter says so (NAME=VALUE)'),
  authors: words.describe(
    'Only by this author or sender, of a mailbox its messages; a part of a name is enough, unless it is in quotes',
  ),
};

/** A filter in its normal form, which every store takes. */
export const filterSchema = z.strictObject({
  types: filterLists.types.readonly().optional(),
  /** Globs over the document's uri: `src/**`, `*.md` (any folder), `!test/**` (excluded). */
  paths: filterLists.paths.readonly().optional(),
  origins: filterLists.origins.readonly().optional(),
  /** Values of the document's `language` metadata. */
  languages: filterLists.languages.readonly().optional(),
  symbolKinds: filterLists.symbolKinds.readonly().optional(),
  /** What documents say of themselves, in their front matter and metadata; case does not count. */
  tags: filterLists.tags.readonly().optional(),
  /** Several of one name admit any of their values, several names want all of them. */
  fields: filterLists.fields.readonly().optional(),
  authors: filterLists.authors.readonly().optional(),
  /** Content written at or after this moment, in milliseconds since 1970; each message of a mailbox has its own. */
  since: z.number().optional(),
  /** Content written before this moment, in milliseconds since 1970. */
  until: z.number().optional(),
});

/** Restricts a search. Fields combine with AND, the values of one field with OR; an absent field admits all. */
export type Filter = Readonly<z.output<typeof filterSchema>>;

/** Whether a document passes the fields of the filter that concern all of its chunks alike. Its author is none of them. */
export function documentPasses(filter: Filter, document: DocumentRecord): boolean {
  const { types, origins, languages, paths } = filter;
  if (types && !types.includes(document.type)) return false;
  if (origins && !origins.includes(document.origin)) return false;
  if (languages && !languages.includes(String(document.metadata.language ?? ''))) return false;
  if (asksForOwnFields(filter) && !ownFieldsPass(filter, document.metadata)) return false;
  return !paths || testOf(paths)(document.uri);
}

/** Each list of globs is compiled once, not once for each document. */
const tests = new WeakMap<readonly string[], PathTest>();

function testOf(paths: readonly string[]): PathTest {
  const known = tests.get(paths);
  if (known) return known;
  const test = pathMatcher(paths);
  tests.set(paths, test);
  return test;
}

/** Whether a chunk of a document that passes is admitted itself. */
export function chunkPasses(
  filter: Filter,
  chunk: Partial<Pick<Chunk, 'symbol' | 'writtenAt' | 'metadata'>>,
  document: DocumentRecord,
): boolean {
  const { authors } = filter;
  if (authors && !isByAny(authors, document.metadata, chunk.metadata)) return false;
  if (filter.symbolKinds && !filter.symbolKinds.includes(chunk.symbol?.kind ?? '')) return false;
  return isWithin(filter, chunk.writtenAt ?? document.modifiedAt);
}

/** Whether a moment is one that the filter admits. */
export function isWithin({ since, until }: Filter, moment: number): boolean {
  return !(since !== undefined && moment < since) && !(until !== undefined && moment >= until);
}
