import type { StoreMatch } from '../../../contracts/store.ts';
import type { Chunk } from '../../../core/chunk.ts';
import type { FoundRecord } from './collection.ts';
import type { Opened } from './opened.ts';
import { placeOf, readValue } from './rows.ts';
import type { View } from './view.ts';

/** The chunks with these ids as matches, in the same order. */
export async function matchesOf(
  { chunks }: Opened,
  view: View,
  found: readonly { readonly id: string; readonly score: number }[],
): Promise<StoreMatch[]> {
  const records = await chunks.get({ ids: found.map(({ id }) => id), include: ['metadatas'] });
  const byId = new Map(records.map((record) => [record.id, record]));
  return found.flatMap(({ id, score }) => {
    const record = byId.get(id);
    return record ? matchOf(record, view, score) : [];
  });
}

/** A chunk as a match; none where it belongs to no document. */
export function matchOf(record: FoundRecord, view: View, score: number): StoreMatch[] {
  const stored = view.byStamp.get(placeOf(record.id).stamp);
  return stored ? [{ chunk: readValue<Chunk>(record), document: stored.document, score }] : [];
}
