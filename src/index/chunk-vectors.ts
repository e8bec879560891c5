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

/** Chunks that a document is taken to have, where the manifest does not say how many. */
const guessedChunks = 16;
/** The most chunks beside each other that are taken together from a large index: documents between them are not read. */
const maxRun = 32;

/**
 * The chunks that have a vector in the space, in the order of the documents; where there are more than `limit`, about as many of
 * them, evenly over the whole. What is damaged is left out.
 */
export async function* chunkVectors(
  store: Store,
  space: string,
  limit: number,
  signal?: AbortSignal,
): AsyncGenerator<ChunkVector> {
  const known = (await store.state()).spaces.get(space);
  if (known === undefined) return;
  const counts = new Map((await store.manifest()).map(({ uri, chunks }) => [uri, chunks]));
  const countOf = (uri: string): number => counts.get(uri) ?? guessedChunks;
  const isTaken = sampler(limit, known.embedded);
  /** The position of the first chunk of each document that is read. */
  const positions = new Map<string, number>();
  let position = 0;
  const read = (await store.documents()).filter(({ id, uri }) => {
    const first = position;
    position += countOf(uri);
    positions.set(id, first);
    for (let at = first; at < position; at += 1) if (isTaken(at)) return true;
    return false;
  });
  let left = limit;
  for await (const parts of readParts(store, read, countOf, signal)) {
    const owned = parts.flatMap(({ document, chunks, first }) => {
      const from = (positions.get(document.id) ?? 0) + first;
      return chunks.flatMap((chunk, at) =>
        isTaken(from + at) ? [{ document, chunk, key: rightKey(chunk) }] : [],
      );
    });
    const vectors = new Map<string, Float32Array>();
    const keys = [...new Set(owned.map(({ key }) => key))];
    for (const entry of await store.vectorsOf(space, keys))
      if (vectorFault(entry, known.dimensions) === undefined)
        vectors.set(entry.embeddingKey, unit(entry.vector));
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

/** Whether the chunk at a position is one of about `limit` in `all`: runs of some, evenly over the whole. */
function sampler(limit: number, all: number): (position: number) => boolean {
  if (all <= limit) return () => true;
  const run = Math.max(1, Math.min(maxRun, Math.floor(limit / 100)));
  const upTo = (runs: number): number => Math.floor((runs * limit) / all);
  return (position) => {
    const at = Math.floor(position / run);
    return upTo(at + 1) > upTo(at);
  };
}

function unit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}
