import assert from 'node:assert/strict';
import type { Store } from '../../contracts/store.ts';
import { addVectors, deletePaths, putDocument } from '../../index/write.ts';
import { countsOf } from '../counts-of.ts';
import { chunkEntries, documentRecord, unitVector } from '../documents.ts';
import { type OpenStore, type StoreCheck, space, storeChecks } from './store-check.ts';

const chunksEach = 200;
const dimensions = 16;
const needle = { uri: 'folder7/file7.md', text: 'the needle is a zanzibarium' };

/** Checks with ten thousand chunks. */
export const scaleChecks = checksAmong(50);

/** The same with so many documents of 200 chunks, more than seven: for a store that takes long to be filled. */
export function checksAmong(documentCount: number): StoreCheck[] {
  const chunks = (documentCount * chunksEach).toLocaleString('en');
  return storeChecks({
    [`finds the needle among ${chunks} chunks by text and by vector, filtered too`]: (store, open) =>
      findNeedle(store, open, documentCount),
  });
}

async function findNeedle(store: Store, open: OpenStore, documentCount: number): Promise<void> {
  const reader = await open();
  await fill(store, documentCount);
  const counts = await countsOf(reader, space);
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
  assert.equal(await deletePaths(store, uris), documentCount - 1);
  assert.equal((await countsOf(reader, space)).embedded, chunksEach);
  assert.equal((await reader.searchVector(space, query, { limit: 1000 })).length, chunksEach);
}

async function fill(store: Store, documentCount: number): Promise<void> {
  const numbers = Array.from({ length: documentCount }, (_, number) => number);
  // As an indexing run does it: many documents at once.
  for (let first = 0; first < documentCount; first += 10)
    await Promise.all(numbers.slice(first, first + 10).map((number) => putNumber(store, number)));
}

async function putNumber(store: Store, number: number): Promise<void> {
  const uri = `folder${number % 10}/file${number}.md`;
  const document = documentRecord(uri, { type: `type${number % 5}` });
  const texts = Array.from({ length: chunksEach }, (_, part) => `filler ${number} part ${part}`);
  if (uri === needle.uri) texts[13] = needle.text;
  const entries = chunkEntries(document, texts);
  await putDocument(store, { document, chunks: entries });
  await addVectors(
    store,
    space,
    entries.map(({ chunk, embeddingKey }) => ({
      embeddingKey,
      vector: unitVector(chunk.text, dimensions),
    })),
  );
}
