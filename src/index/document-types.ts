import type { IndexState, Store } from '../contracts/store.ts';

/** Documents by type. */
export type TypeCounts = ReadonlyMap<string, number>;

const known = new WeakMap<Store, { readonly revision: number; readonly counts: TypeCounts }>();

/** How many documents of each type there are: all records are read for it, once for each revision. */
export async function documentTypes(store: Store, { revision }: IndexState): Promise<TypeCounts> {
  const before = known.get(store);
  if (before?.revision === revision) return before.counts;
  const counts = new Map<string, number>();
  for (const { type } of await store.documents()) counts.set(type, (counts.get(type) ?? 0) + 1);
  known.set(store, { revision, counts });
  return counts;
}
