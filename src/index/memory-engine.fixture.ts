import type { VectorEngine } from '../contracts/vector-engine.ts';
import { cosine } from '../core/vectors/cosine.ts';

/** Vectors by key, by space. */
export type EngineMemory = Map<string, Map<string, Float32Array>>;

/** An engine over vectors in memory; engines that share it see each other's changes. */
export function memoryEngine(memory: EngineMemory = new Map(), place = 'memory'): VectorEngine {
  return {
    place,
    async create(space) {
      if (!memory.has(space)) memory.set(space, new Map());
    },
    spaces: async (prefix) => [...memory.keys()].filter((name) => name.startsWith(prefix)),
    async upsert(space, entries) {
      for (const { embeddingKey, vector } of entries) memory.get(space)?.set(embeddingKey, vector.slice());
      return memory.has(space);
    },
    async read(space, keys) {
      const known = memory.get(space);
      return (
        known &&
        [...new Set(keys)].flatMap((embeddingKey) => {
          const vector = known.get(embeddingKey);
          return vector ? [{ embeddingKey, vector: vector.slice() }] : [];
        })
      );
    },
    async nearest(space, vector, limit) {
      const known = memory.get(space);
      if (!known) return undefined;
      return [...known]
        .map(([embeddingKey, found]) => ({ embeddingKey, score: cosine(vector, found) }))
        .sort((one, other) => other.score - one.score)
        .slice(0, limit);
    },
    count: async (space) => memory.get(space)?.size,
    async *keys(space) {
      yield [...(memory.get(space)?.keys() ?? [])];
    },
    async delete(space, keys) {
      for (const key of keys) memory.get(space)?.delete(key);
    },
    async drop(space) {
      memory.delete(space);
    },
    close: async () => undefined,
  };
}
