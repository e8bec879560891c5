import { expect, test, vi } from 'vitest';
import type { Store } from '../contracts/store.ts';
import { defectsOf } from '../drivers/stores/damage.fixture.ts';
import { openMemoryStore } from '../drivers/stores/memory/store.ts';
import { chunkEntries, documentRecord, manifestEntry } from '../testing/documents.ts';
import { verifyStore } from './verify.ts';
import { putDocument } from './write.ts';

async function put(store: Store, uri: string, texts: readonly string[]): Promise<void> {
  const document = documentRecord(uri);
  await putDocument(store, {
    document,
    chunks: chunkEntries(document, texts),
    manifest: manifestEntry(uri, { chunks: texts.length }),
  });
}

test('a long document is read in parts, and small ones together', async () => {
  const store = openMemoryStore();
  const long = Array.from({ length: 1_300 }, (_, at) => `line ${at % 7}`);
  for (const uri of ['a.md', 'b.md']) await put(store, uri, ['one', 'two']);
  await put(store, 'long.md', long);
  const chunksIn = vi.spyOn(store, 'chunksIn');
  expect(await defectsOf(verifyStore(store))).toEqual([]);
  const sizes = await Promise.all(
    chunksIn.mock.results.map(async ({ value }) => (await value).flat().length),
  );
  expect(sizes.toSorted((one, other) => one - other)).toEqual([4, 276, 512, 512]);

  const document = documentRecord('long.md');
  const entries = chunkEntries(document, long);
  const last = entries.at(-1);
  if (last) entries[entries.length - 1] = { ...last, chunk: { ...last.chunk, id: 'f'.repeat(16) } };
  await putDocument(store, {
    document,
    chunks: entries,
    manifest: manifestEntry('long.md', { chunks: long.length }),
  });
  expect(await defectsOf(verifyStore(store))).toMatchObject([{ kind: 'chunk', uri: 'long.md' }]);
});

test('what only looks wrong because the index was changed meanwhile is not reported', async () => {
  const store = openMemoryStore();
  await put(store, 'a.md', ['one']);
  const documents = store.documents.bind(store);
  vi.spyOn(store, 'documents').mockImplementationOnce(async () => {
    const read = await documents();
    await put(store, 'new.md', ['two']);
    return read;
  });
  expect(await defectsOf(verifyStore(store))).toEqual([]);
});

test('an index that never comes to rest is not called sound', async () => {
  const store = openMemoryStore();
  const documents = store.documents.bind(store);
  let count = 0;
  vi.spyOn(store, 'documents').mockImplementation(async () => {
    const read = await documents();
    count += 1;
    await put(store, `new${count}.md`, ['two']);
    return read;
  });
  await expect(defectsOf(verifyStore(store))).rejects.toMatchObject({ code: 'store-busy' });
});
