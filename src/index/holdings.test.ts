import { expect, test, vi } from 'vitest';
import type { ManifestEntry } from '../contracts/store.ts';
import { openMemoryStore } from '../drivers/stores/memory/store.ts';
import { documentRecord } from '../testing/documents.ts';
import { holdingsOf } from './holdings.ts';
import { putDocument, putManifest } from './write.ts';

const entry = (uri: string): ManifestEntry => ({
  uri,
  status: 'indexed',
  size: 1,
  modifiedAt: 2,
  contentHash: 'ab',
  recipe: 'plain',
  chunks: 0,
});

test('what an index holds is read once for each revision, and again when it has changed', async () => {
  const store = openMemoryStore();
  await putDocument(store, { document: documentRecord('b.md'), chunks: [], manifest: entry('b.md') });
  await putManifest(store, [{ ...entry('a.md'), status: 'skipped' }]);
  const manifest = vi.spyOn(store, 'manifest');
  const paths = vi.spyOn(store, 'paths');
  const first = await holdingsOf(store);
  expect([...first.manifest.keys()].sort()).toEqual(['a.md', 'b.md']);
  expect([...first.stored]).toEqual(['b.md']);
  expect(await holdingsOf(store)).toBe(first);
  const state = await store.state();
  expect(await holdingsOf(store, state)).toBe(first);
  expect([manifest.mock.calls.length, paths.mock.calls.length]).toEqual([1, 1]);
  await putDocument(store, { document: documentRecord('c.md'), chunks: [], manifest: entry('c.md') });
  expect((await holdingsOf(store)).paths).toEqual(['b.md', 'c.md']);
});
