import assert from 'node:assert/strict';
import type { ManifestEntry } from '../../contracts/store.ts';
import { addVectors, deletePaths, dropSpace, putDocument, putManifest, setFact } from '../../index/write.ts';
import { countsOf } from '../counts-of.ts';
import { chunkEntries, documentRecord, manifestEntry, unitVector } from '../documents.ts';
import { space, storeChecks } from './store-check.ts';

/** Checks of the manifest, the facts and the revision. */
export const recordChecks = storeChecks({
  'gives manifest entries back as they were put, skipped and failed ones too': async (store, open) => {
    const reader = await open();
    const entries: ManifestEntry[] = [
      manifestEntry('a.md', { size: 2 ** 40, modifiedAt: 1_700_000_000_000.25, chunks: 12 }),
      manifestEntry('b.bin', {
        status: 'skipped',
        contentHash: '',
        chunks: 0,
        reason: 'binary',
        detail: 'holds NUL bytes',
      }),
      manifestEntry('c.pdf', {
        status: 'failed',
        chunks: 0,
        reason: 'worker-failed',
        detail: '"quoted"\nlines',
      }),
      manifestEntry('d.md', { reason: 'degraded', detail: '' }),
    ];
    await putManifest(store, entries);
    assert.deepEqual(sorted(await reader.manifest()), entries);
    const refreshed = manifestEntry('b.bin', { size: 7 });
    await putManifest(store, [refreshed]);
    assert.deepEqual(sorted(await reader.manifest())[1], refreshed);
    assert.equal((await reader.state()).isEmpty, true);
  },
  'replaces the manifest entry together with its document': async (store, open) => {
    const reader = await open();
    const document = documentRecord('a.md');
    await putDocument(store, {
      document,
      chunks: chunkEntries(document, ['one']),
      manifest: manifestEntry('a.md', { chunks: 1 }),
    });
    await putDocument(store, {
      document,
      chunks: chunkEntries(document, ['one', 'two']),
      manifest: manifestEntry('a.md', { chunks: 2 }),
    });
    assert.deepEqual(await reader.manifest(), [manifestEntry('a.md', { chunks: 2 })]);
  },
  'remembers facts, and forgets one that is set to nothing': async (store, open) => {
    const reader = await open();
    assert.equal((await store.state()).facts.get('model'), undefined);
    await setFact(store, 'model', 'mini/1');
    await setFact(store, 'empty', '');
    await setFact(store, 'revision', 'a name like any other');
    assert.equal((await reader.state()).facts.get('model'), 'mini/1');
    assert.equal((await reader.state()).facts.get('empty'), '');
    await setFact(store, 'model', 'mini/2');
    assert.equal((await reader.state()).facts.get('model'), 'mini/2');
    await setFact(store, 'model', undefined);
    await setFact(store, 'unknown', undefined);
    assert.equal((await reader.state()).facts.get('model'), undefined);
    assert.equal((await reader.state()).facts.get('revision'), 'a name like any other');
    assert.deepEqual(
      new Map([...(await reader.state()).facts].sort()),
      new Map([
        ['empty', ''],
        ['revision', 'a name like any other'],
      ]),
    );
  },
  'changes its revision with every change, for every connection, and never by reading': async (
    store,
    open,
  ) => {
    const reader = await open();
    const document = documentRecord('a.md');
    const entries = chunkEntries(document, ['one']);
    const changes: (() => Promise<unknown>)[] = [
      () => putDocument(store, { document, chunks: entries }),
      () => putDocument(store, { document, chunks: entries }),
      () =>
        addVectors(
          store,
          space,
          entries.map(({ embeddingKey }) => ({ embeddingKey, vector: unitVector('one', 4) })),
        ),
      () => putManifest(store, [manifestEntry('b.md')]),
      () => setFact(store, 'name', 'value'),
      () => dropSpace(store, space),
      () => deletePaths(store, ['a.md']),
      () => deletePaths(store, ['b.md']),
    ];
    const seen = new Set([(await reader.state()).revision]);
    for (const change of changes) {
      await change();
      seen.add((await reader.state()).revision);
      await reader.searchText(['one'], { limit: 1 });
      await countsOf(reader, space);
      seen.add((await reader.state()).revision);
      assert.equal((await store.state()).revision, (await reader.state()).revision);
    }
    assert.equal(seen.size, changes.length + 1);
  },
});

function sorted(entries: readonly ManifestEntry[]): ManifestEntry[] {
  return entries.toSorted((one, other) => (one.uri < other.uri ? -1 : 1));
}
