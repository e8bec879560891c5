import { expect, test, vi } from 'vitest';
import { openMemoryStore } from '../../drivers/stores/memory/store.ts';
import { putDocument } from '../../index/write.ts';
import { chunkEntries, documentRecord } from '../../testing/documents.ts';
import { findDefinitions } from './find-definitions.ts';

const document = documentRecord('store.ts', { type: 'code' });
const named = (name: string, signature: string, scope: readonly string[] = []) => ({
  symbol: { name, kind: 'class', signature, scope },
});
const entries = [
  ...chunkEntries(document, ['import fs'], {}),
  ...chunkEntries(document, ['class Store {'], named('Store', 'class Store')),
  ...chunkEntries(document, ['put() {}'], named('put', 'put()', ['Store'])),
  ...chunkEntries(document, ['remove() {}'], named('remove', 'remove()', ['Store'])),
].map((entry, ordinal) => ({ ...entry, chunk: { ...entry.chunk, id: `${ordinal}`, ordinal } }));
const matches = entries.map(({ chunk }) => ({ document, chunk, score: 1 }));
const [imports, declares, puts, removes] = matches;

async function filled() {
  const store = openMemoryStore();
  await putDocument(store, { document, chunks: entries });
  return { store, asked: vi.spyOn(store, 'chunksIn') };
}

test('the declaration is found in a file where only what is inside of it was found', async () => {
  const { store } = await filled();
  const found = await findDefinitions(
    store,
    new Set(['store']),
    [removes, puts].flatMap((one) => one ?? []),
  );
  expect(found.map(({ chunk }) => chunk.text)).toEqual(['class Store {']);
});

test.each([
  ['no name is asked for', new Set<string>(), [removes]],
  ['the declaration was found', new Set(['store']), [removes, declares]],
  ['nothing found is inside of what is asked for', new Set(['store']), [imports]],
])('the store is not asked where %s', async (_, names, found) => {
  const { store, asked } = await filled();
  const given = found.flatMap((one) => one ?? []);
  expect(await findDefinitions(store, names, given)).toEqual([]);
  expect(asked).not.toHaveBeenCalled();
});

test('a filter holds for what is found in this way too', async () => {
  const { store } = await filled();
  const given = removes ? [removes] : [];
  expect(await findDefinitions(store, new Set(['store']), given, { symbolKinds: ['method'] })).toEqual([]);
});
