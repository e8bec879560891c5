import type { ChunkRange } from '../../contracts/store.ts';
import type { Chunk } from '../../core/chunk.ts';

/** Chunks that were read in any order, as `chunksIn` gives them. */
export function chunksByRange(chunks: readonly Chunk[], ranges: readonly ChunkRange[]): Chunk[][] {
  const byDocument = Map.groupBy(chunks, ({ documentId }) => documentId);
  return ranges.map(({ documentId, first, last }) =>
    (byDocument.get(documentId) ?? [])
      .filter(({ ordinal }) => ordinal >= first && ordinal <= last)
      .sort((one, other) => one.ordinal - other.ordinal),
  );
}
