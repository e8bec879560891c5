import { expect, test } from 'vitest';
import { openMemoryStore } from '../drivers/stores/memory/store.ts';
import { documentRecord } from '../testing/documents.ts';
import { documentTypes } from './document-types.ts';
import { putDocument } from './write.ts';

test('documents are counted by type, and read again only where the index has changed', async () => {
  const store = openMemoryStore();
  let reads = 0;
  const documents = store.documents.bind(store);
  store.documents = (filter) => {
    reads += 1;
    return documents(filter);
  };
  const counts = async () => Object.fromEntries(await documentTypes(store, await store.state()));
  const put = (uri: string, type: string) =>
    putDocument(store, { document: { ...documentRecord(uri), type }, chunks: [] });
  await put('a.md', 'note');
  await put('b.ts', 'code');
  expect([await counts(), await counts()]).toEqual([
    { note: 1, code: 1 },
    { note: 1, code: 1 },
  ]);
  expect(reads).toBe(1);
  await put('c.ts', 'code');
  expect(await counts()).toEqual({ note: 1, code: 2 });
  expect(reads).toBe(2);
});
