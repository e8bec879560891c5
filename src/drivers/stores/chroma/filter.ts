import type { DocumentRecord } from '../../../core/document.ts';
import { documentPasses, type Filter, isWithin } from '../../../core/filter.ts';
import { pathMatcher } from '../../../core/globs/glob.ts';
import type { Condition } from './collection.ts';
import type { Opened } from './opened.ts';
import { placeOf } from './rows.ts';
import type { View } from './view.ts';

/** Stamps in one condition: a server on SQLite takes some thirty thousand values. */
const mostStamps = 5_000;

/** The chunks that a filter admits. */
export interface ChunkFilter {
  /** What Chroma compares. */
  readonly where: Condition | undefined;
  /** Whether a chunk with this stamp belongs to a document, and to one whose path is admitted. */
  admits(stamp: string): boolean;
}

/** A limit that is a whole number and not negative. */
export function rowLimit(limit: number): number {
  return Math.trunc(Math.max(0, Math.min(limit || 0, 2 ** 31 - 1)));
}

/** A filter as Chroma compares it; undefined where it admits nothing. */
export function chunkFilter(filter: Filter | undefined, view: View): ChunkFilter | undefined {
  const { types, origins, languages, symbolKinds, paths } = filter ?? {};
  const conditions: Condition[] = [];
  const fields = { type: types, origin: origins, language: languages, symbol_kind: symbolKinds };
  for (const [field, values] of Object.entries(fields)) {
    if (values?.length === 0) return undefined;
    if (values) conditions.push({ [field]: { $in: [...new Set(values)] } });
  }
  const times = within('moment', filter);
  if (!times) return undefined;
  conditions.push(...times);
  if (!paths || paths.length === 0)
    return { where: all(conditions), admits: (stamp) => view.byStamp.has(stamp) };
  const admitted = admittedStamps(paths, view);
  if (admitted.size === 0) return undefined;
  const others = view.byStamp.size - admitted.size;
  // Globs are compared here, with each path once; the shorter list goes to Chroma, unless both are long.
  if (admitted.size <= Math.min(others, mostStamps)) conditions.push({ stamp: { $in: [...admitted] } });
  else if (others > 0 && others <= mostStamps)
    conditions.push({ stamp: { $nin: [...view.byStamp.keys()].filter((stamp) => !admitted.has(stamp)) } });
  return { where: all(conditions), admits: (stamp) => admitted.has(stamp) };
}

function admittedStamps(paths: readonly string[], view: View): Set<string> {
  const admits = pathMatcher(paths);
  const stamps = new Set<string>();
  for (const { document, stamp } of view.byId.values()) if (admits(document.uri)) stamps.add(stamp);
  return stamps;
}

/** Conditions over a moment; undefined where none can be within. */
function within(field: string, { since, until }: Filter = {}): Condition[] | undefined {
  if (since === Number.POSITIVE_INFINITY || until === Number.NEGATIVE_INFINITY) return undefined;
  const conditions: Condition[] = [];
  if (since !== undefined && Number.isFinite(since)) conditions.push({ [field]: { $gte: since } });
  if (until !== undefined && Number.isFinite(until)) conditions.push({ [field]: { $lt: until } });
  return conditions;
}

/** All of the conditions, in Chroma's form: it takes no list of fewer than two. */
export function all(conditions: readonly Condition[]): Condition | undefined {
  return conditions.length > 1 ? { $and: conditions } : conditions[0];
}

/** The documents that a filter admits, or any content of. */
export async function admittedDocuments(
  { chunks }: Opened,
  view: View,
  filter: Filter = {},
): Promise<DocumentRecord[]> {
  const passing = view.inOrder().filter(({ document }) => documentPasses(filter, document));
  const times = within('written_at', filter);
  const withParts = new Set<string>();
  if (times && times.length > 0) {
    for (const { id } of await chunks.get({ where: all(times) })) withParts.add(placeOf(id).stamp);
  }
  return passing
    .filter(({ document, stamp }) => isWithin(filter, document.modifiedAt) || withParts.has(stamp))
    .map(({ document }) => document);
}
