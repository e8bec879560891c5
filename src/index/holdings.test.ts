import { expect, test, vi } from 'vitest';
import type { ManifestEntry } from '../contracts/store.ts';
import { openMemoryStore } from '../drivers/stores/memory.ts';
import { documentRecord } from '../testing/documents.ts';
import { holdingsOf } from './holdings.ts';

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
  await store.put(documentRecord('b.md'), [], entry('b.md'));
  await store.putManifest([{ ...entry('a.md'), status: 'skipped' }]);
  const manifest = vi.spyOn(store, 'manifest');
  const paths = vi.spyOn(store, 'paths');
  const first = await holdingsOf(store);
  expect([...first.manifest.keys()].sort()).toEqual(['a.md', 'b.md']);
  expect([...first.stored]).toEqual(['b.md']);
  expect(await holdingsOf(store)).toBe(first);
  const state = await store.state();
  expect(await holdingsOf(store, state)).toBe(first);
  expect([manifest.mock.calls.length, paths.mock.calls.length]).toEqual([1, 1]);
  await store.put(documentRecord('c.md'), [], entry('c.md'));
  expect((await holdingsOf(store)).paths).toEqual(['b.md', 'c.md']);
});
