import { expect, test } from 'vitest';
import type { Store } from '../contracts/store.ts';
import { openMemoryStore } from '../drivers/stores/memory/store.ts';
import { chunkEntries, documentRecord, unitVector } from '../testing/documents.ts';
import { type ChunkVector, chunkVectors } from './chunk-vectors.ts';
import { putDocument } from './write.ts';

const space = 'space/1';

async function filled(): Promise<Store> {
  const store = openMemoryStore();
  for (const [uri, texts] of [
    ['a.md', ['one', 'two', 'three']],
    ['b.md', ['without']],
    ['c.md', ['two', 'four']],
  ] as const) {
    const document = documentRecord(uri);
    const entries = chunkEntries(document, texts);
    const vectors = entries.map(({ chunk, embeddingKey }) => ({
      embeddingKey,
      vector: unitVector(chunk.text, 8).map((value) => value * 3),
    }));
    await putDocument(store, {
      document,
      chunks: entries,
      ...(uri === 'b.md' ? {} : { vectors: new Map([[space, vectors]]) }),
    });
  }
  return store;
}

async function all(store: Store, name: string, limit: number): Promise<ChunkVector[]> {
  const found: ChunkVector[] = [];
  for await (const chunk of chunkVectors(store, name, limit)) found.push(chunk);
  return found;
}

test('gives the chunks that have a vector, each with its own, of length one', async () => {
  const found = await all(await filled(), space, 10);
  expect(found.map(({ uri }) => uri)).toEqual(['a.md', 'a.md', 'a.md', 'c.md', 'c.md']);
  for (const [at, text] of ['one', 'two', 'three', 'two', 'four'].entries()) {
    const given = unitVector(text, 8);
    const cosine = found[at]?.vector.reduce((sum, value, column) => sum + value * (given[column] ?? 0), 0);
    expect(cosine).toBeCloseTo(1, 5);
  }
});

test('gives no more than asked for, evenly over all documents, and nothing of an unknown space', async () => {
  const store = await filled();
  expect((await all(store, space, 2)).map(({ uri }) => uri)).toEqual(['a.md', 'c.md']);
  expect(await all(store, 'unknown', 10)).toEqual([]);
});
