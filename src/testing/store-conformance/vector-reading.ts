import assert from 'node:assert/strict';
import type { ChunkVector, Store } from '../../contracts/store.ts';
import { unitVector } from '../documents.ts';
import { putTexts, space, storeChecks } from './store-check.ts';

/** Checks of a store that gives its vectors back. */
export const vectorReadingChecks = storeChecks({
  'gives back the chunks that have a vector, each with its own': async (store) => {
    const { document, entries } = await putTexts(store, 'a.md', ['one', 'two', 'three']);
    await putTexts(store, 'b.md', ['without']);
    await store.addVectors(
      space,
      entries.map(({ chunk, embeddingKey }) => ({ embeddingKey, vector: unitVector(chunk.text, 8) })),
    );
    const found = await all(store, space, 10);
    assert.deepEqual(
      found.map(({ id, uri, type, place }) => ({ id, uri, type, place })),
      entries.map(({ chunk: { id, place } }) => ({ id, uri: 'a.md', type: document.type, place })),
    );
    for (const [index, { vector }] of found.entries()) {
      const given = unitVector(entries[index]?.chunk.text ?? '', 8);
      const cosine = vector.reduce((sum, value, column) => sum + value * (given[column] ?? 0), 0);
      // A store may keep vectors at one byte a value.
      assert.ok(cosine > 0.999, `cosine ${cosine}`);
    }
    assert.equal((await all(store, space, 2)).length, 2);
  },
  'gives nothing back of an unknown space': async (store) => {
    await putTexts(store, 'a.md', ['one']);
    assert.deepEqual(await all(store, 'unknown', 10), []);
  },
});

async function all(store: Store, name: string, limit: number): Promise<ChunkVector[]> {
  assert.ok(store.chunkVectors, 'the store declares that it gives its vectors back');
  const found: ChunkVector[] = [];
  for await (const chunk of store.chunkVectors(name, limit)) found.push(chunk);
  return found;
}
