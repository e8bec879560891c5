import type { Chunk } from './chunk.ts';
import type { DocumentRecord, Origin } from './document.ts';
import { pathMatcher } from './globs/glob.ts';
import type { PathTest } from './globs/pattern-list.ts';

/** Restricts a search. Fields combine with AND, the values of one field with OR; an absent field admits all. */
export interface Filter {
  readonly types?: readonly string[] | undefined;
  /** Globs over the document's uri: `src/**`, `*.md` (any folder), `!test/**` (excluded). */
  readonly paths?: readonly string[] | undefined;
  readonly origins?: readonly Origin[] | undefined;
  /** Values of the document's `language` metadata. */
  readonly languages?: readonly string[] | undefined;
  readonly symbolKinds?: readonly string[] | undefined;
  /** Content written at or after this moment, in milliseconds since 1970; each message of a mailbox has its own. */
  readonly since?: number | undefined;
  /** Content written before this moment, in milliseconds since 1970. */
  readonly until?: number | undefined;
}

/** Whether a document passes the fields of the filter that concern all of its chunks alike. */
export function documentPasses(filter: Filter, document: DocumentRecord): boolean {
  const { types, origins, languages, paths } = filter;
  if (types && !types.includes(document.type)) return false;
  if (origins && !origins.includes(document.origin)) return false;
  if (languages && !languages.includes(String(document.metadata.language ?? ''))) return false;
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
  chunk: Pick<Chunk, 'symbol' | 'writtenAt'>,
  document: DocumentRecord,
): boolean {
  if (filter.symbolKinds && !filter.symbolKinds.includes(chunk.symbol?.kind ?? '')) return false;
  return isWithin(filter, chunk.writtenAt ?? document.modifiedAt);
}

/** Whether a moment is one that the filter admits. */
export function isWithin({ since, until }: Filter, moment: number): boolean {
  return !(since !== undefined && moment < since) && !(until !== undefined && moment >= until);
}
