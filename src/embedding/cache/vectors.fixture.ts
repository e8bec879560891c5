import { hash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { CacheEntry } from '../../contracts/vector-cache.ts';

/** The limit of caches whose limit is not what is tested. */
export const roomy = 2 ** 30;

/** The vector of a text: any text has one, and it is always the same. */
export function vectorOf(text: string, dimensions = 384): Float32Array {
  let state = hash('sha256', text, 'buffer').readUInt32LE(0);
  const vector = new Float32Array(dimensions);
  for (let index = 0; index < dimensions; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    vector[index] = state / 2 ** 31 - 1;
  }
  return unit(vector);
}

/** A vector of the same direction and of length 1. */
export function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Texts that differ, with their vectors. */
export function entriesFor(texts: readonly string[], dimensions = 384): CacheEntry[] {
  return texts.map((text) => ({ text, vector: vectorOf(text, dimensions) }));
}

/** As many texts as asked for, each one different. */
export function textsNamed(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, number) => `${name} ${number}`);
}

/** The bits of vectors, each as one short text: equal only where every bit is. */
export function bitsOf(vectors: readonly (Float32Array | undefined)[]): (string | undefined)[] {
  return vectors.map(
    (vector) => vector && hash('sha256', new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)),
  );
}

/** The bits of the vectors of these texts. */
export function bitsFor(texts: readonly string[], dimensions = 384): (string | undefined)[] {
  return bitsOf(texts.map((text) => vectorOf(text, dimensions)));
}

/** Does something to the file of a cache behind its back. */
export function tamper(folder: string, ...statements: readonly string[]): void {
  const database = new DatabaseSync(join(folder, 'vectors.db'));
  for (const statement of statements) database.exec(statement);
  database.close();
}
