import { expect, test } from 'vitest';
import { openMemoryStore } from '../drivers/stores/memory/store.ts';
import { angleVector, chunkEntries, documentRecord } from '../testing/documents.ts';
import { copyMovedVectors } from './moved-vectors.ts';
import { addVectors, putDocument } from './write.ts';

test('a text that moved gets the vector of where it was, and one that has its own keeps it', async () => {
  const store = openMemoryStore();
  const document = documentRecord('old.md');
  const entries = chunkEntries(document, ['one', 'two', 'three']);
  await putDocument(store, { document, chunks: entries });
  const [first = '', second = '', third = ''] = entries.map(({ embeddingKey }) => embeddingKey);
  for (const space of ['a', 'b'])
    await addVectors(store, space, [
      { embeddingKey: first, vector: angleVector(0) },
      { embeddingKey: third, vector: angleVector(90) },
    ]);
  await copyMovedVectors(store, [
    { from: first, to: second },
    { from: first, to: third },
    { from: 'unknown', to: second },
    { from: first, to: 'unknown' },
  ]);
  for (const space of ['a', 'b']) {
    expect(await store.missingVectors(space, 10)).toEqual([]);
    const near = await store.searchVector(space, angleVector(0), { limit: 2 });
    expect(near.map(({ chunk }) => chunk.text)).toEqual(['one', 'two']);
  }
});

test('nothing is asked of the store where nothing has moved', async () => {
  const store = openMemoryStore();
  const { revision } = await store.state();
  await copyMovedVectors(store, []);
  expect((await store.state()).revision).toBe(revision);
});
