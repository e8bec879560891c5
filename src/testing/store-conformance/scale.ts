import assert from 'node:assert/strict';
import type { Store } from '../../contracts/store.ts';
import { chunkEntries, documentRecord, unitVector } from '../documents.ts';
import { space, storeChecks } from './store-check.ts';

const documentCount = 50;
const chunksEach = 200;
const dimensions = 16;
const needle = { uri: 'folder7/file37.md', text: 'the needle is a zanzibarium' };

/** Checks with ten thousand chunks. */
export const scaleChecks = storeChecks({
  'finds the needle among 10,000 chunks by text and by vector, filtered too': async (store, open) => {
    const reader = await open();
    await fill(store);
    const counts = await reader.counts(space);
    assert.deepEqual(
      [counts.documents, counts.chunks, counts.embedded],
      [documentCount, documentCount * chunksEach, documentCount * chunksEach],
    );
    const query = unitVector(needle.text, dimensions);
    for (const filter of [undefined, { paths: ['folder7/**'] }, { types: ['type2'] }]) {
      const bounds = { limit: 10, ...(filter ? { filter } : {}) };
      const byText = await reader.searchText(['zanzibarium', 'filler'], bounds);
      const byVector = await reader.searchVector(space, query, bounds);
      for (const found of [byText, byVector]) {
        assert.equal(found.length, 10);
        assert.equal(found[0]?.chunk.text, needle.text);
        assert.equal(found[0]?.document.uri, needle.uri);
      }
    }
    const elsewhere = { limit: 10, filter: { paths: ['!folder7/**'] } };
    assert.deepEqual(await reader.searchText(['zanzibarium'], elsewhere), []);
    const uris = (await reader.paths()).filter((uri) => uri !== needle.uri);
    assert.equal(await store.deletePaths(uris), documentCount - 1);
    assert.equal((await reader.counts(space)).embedded, chunksEach);
    assert.equal((await reader.searchVector(space, query, { limit: 1000 })).length, chunksEach);
  },
});

async function fill(store: Store): Promise<void> {
  const numbers = Array.from({ length: documentCount }, (_, number) => number);
  // As an indexing run does it: many documents at once.
  for (let first = 0; first < documentCount; first += 10)
    await Promise.all(numbers.slice(first, first + 10).map((number) => putDocument(store, number)));
}

async function putDocument(store: Store, number: number): Promise<void> {
  const uri = `folder${number % 10}/file${number}.md`;
  const document = documentRecord(uri, { type: `type${number % 5}` });
  const texts = Array.from({ length: chunksEach }, (_, part) => `filler ${number} part ${part}`);
  if (uri === needle.uri) texts[13] = needle.text;
  const entries = chunkEntries(document, texts);
  await store.put(document, entries);
  await store.addVectors(
    space,
    entries.map(({ chunk, embeddingKey }) => ({
      embeddingKey,
      vector: unitVector(chunk.text, dimensions),
    })),
  );
}
