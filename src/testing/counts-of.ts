import type { Store } from '../contracts/store.ts';

/** How much a store holds, and how many of its chunks have a vector in a space. */
export async function countsOf(store: Store, space = '') {
  const { chunks, spaces } = await store.state();
  const { length: documents } = await store.paths();
  return { documents, chunks, embedded: spaces.get(space)?.embedded ?? 0 };
}
