import { rightKey } from '../contracts/record-faults.ts';
import type { Store } from '../contracts/store.ts';
import type { Chunk } from '../core/chunk.ts';
import type { DocumentRecord } from '../core/document.ts';
import { vectorFault } from './inspect-vectors.ts';
import { readParts } from './read-parts.ts';

/** A chunk with its vector, and what a map shows of it. */
export interface ChunkVector
  extends Pick<Chunk, 'id' | 'place' | 'text'>,
    Pick<DocumentRecord, 'uri' | 'type' | 'modifiedAt'> {
  /** When its content was written, in milliseconds since 1970. */
  readonly writtenAt: number;
  /** Of length one. */
  readonly vector: Float32Array;
}

/** Chunks that a document is taken to have, so that some are read at a time. */
const guessedChunks = 16;

/** The chunks that have a vector in the space, up to `limit`, in the order of the documents; what is damaged is left out. */
export async function* chunkVectors(
  store: Store,
  space: string,
  limit: number,
  signal?: AbortSignal,
): AsyncGenerator<ChunkVector> {
  const dimensions = (await store.state()).spaces.get(space)?.dimensions;
  if (dimensions === undefined) return;
  let left = limit;
  for await (const parts of readParts(store, await store.documents(), () => guessedChunks, signal)) {
    const owned = parts.flatMap(({ document, chunks }) =>
      chunks.map((chunk) => ({ document, chunk, key: rightKey(chunk) })),
    );
    const vectors = new Map<string, Float32Array>();
    const keys = [...new Set(owned.map(({ key }) => key))];
    for (const entry of await store.vectorsOf(space, keys))
      if (vectorFault(entry, dimensions) === undefined) vectors.set(entry.embeddingKey, unit(entry.vector));
    for (const { document, chunk, key } of owned) {
      const vector = vectors.get(key);
      if (!vector) continue;
      if (left <= 0) return;
      left -= 1;
      const { uri, type, modifiedAt } = document;
      const { id, place, text, writtenAt = modifiedAt } = chunk;
      yield { id, place, text, uri, type, modifiedAt, writtenAt, vector };
    }
  }
}

function unit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}
