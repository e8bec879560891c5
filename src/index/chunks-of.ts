import type { Store } from '../contracts/store.ts';
import type { Chunk } from '../core/chunk.ts';

/** All chunks of a document in order; empty for an unknown id. */
export async function chunksOf(store: Pick<Store, 'chunksIn'>, documentId: string): Promise<Chunk[]> {
  const [chunks = []] = await store.chunksIn([{ documentId, first: 0, last: Number.MAX_SAFE_INTEGER }]);
  return chunks;
}
