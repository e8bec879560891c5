import assert from 'node:assert/strict';
import type { ChunkEntry, Store, StoreDefect } from '../../contracts/store.ts';
import { repairStore } from '../../index/repair.ts';
import { verifyStore } from '../../index/verify.ts';
import { addVectors, deletePaths, dropSpace, putDocument, putManifest } from '../../index/write.ts';
import { countsOf } from '../counts-of.ts';
import { chunkEntries, documentRecord, manifestEntry, unitVector } from '../documents.ts';
import { assertRefused, putTexts, space, storeChecks, textsOf } from './store-check.ts';

/** Checks of verify and repair. */
export const soundnessChecks = storeChecks({
  'reports nothing of a sound index, however it came to be': async (store, open) => {
    const reader = await open();
    assert.deepEqual(await defectsOf(store), []);
    await fill(store);
    assert.deepEqual(await defectsOf(reader), []);
    await putTexts(store, 'b.md', ['gamma', 'gamma', 'nul \0 inside', 'Σίσυφος 東京 🗂️']);
    await deletePaths(store, ['a.md']);
    await putManifest(store, [manifestEntry('skipped.bin', { status: 'skipped', chunks: 0 })]);
    await dropSpace(store, space);
    assert.deepEqual(await defectsOf(reader), []);
  },
  'leaves a sound index as it is when asked to repair it': async (store) => {
    await fill(store);
    const before = await everything(store);
    assert.deepEqual(await repairStore(store), { repaired: [], removed: [], isBeyondRepair: false });
    assert.deepEqual(await everything(store), before);
  },
  'reports a manifest entry without its document, and repair forgets it': async (store) => {
    await fill(store);
    const before = await everything(store);
    await putManifest(store, [manifestEntry('ghost.md')]);
    assert.deepEqual(kindsOf(await defectsOf(store)), ['orphan ghost.md']);
    const { repaired, removed } = await repairStore(store);
    assert.deepEqual([kindsOf(repaired), removed], [['orphan ghost.md'], []]);
    assert.deepEqual(await defectsOf(store), []);
    assert.deepEqual(await everything(store), before);
  },
  'reports a manifest entry with the wrong count, and repair corrects it or has the document read again':
    async (store) => {
      await fill(store);
      const before = await everything(store);
      await putManifest(store, [manifestEntry('a.md', { chunks: 7 })]);
      assert.deepEqual(kindsOf(await defectsOf(store)), ['count a.md']);
      const { removed } = await repairStore(store);
      assert.deepEqual(await defectsOf(store), []);
      if (removed.length === 0) assert.deepEqual(await everything(store), before);
      else assert.deepEqual([removed, await store.paths()], [['a.md'], ['sub/b.md']]);
    },
  'reports a chunk under the key of another text, and repair has its vector made again': async (store) => {
    await fill(store);
    const document = documentRecord('c.md');
    const entries = chunkEntries(document, ['delta']);
    await putDocument(store, {
      document,
      chunks: entries.map((entry): ChunkEntry => ({ ...entry, embeddingKey: '0'.repeat(32) })),
    });
    assert.deepEqual(kindsOf(await defectsOf(store)), ['chunk c.md']);
    assert.deepEqual((await repairStore(store)).removed, []);
    assert.deepEqual(await defectsOf(store), []);
    assert.deepEqual(
      (await store.missingVectors(space, 10)).map(({ embeddingKey }) => embeddingKey),
      entries.map(({ embeddingKey }) => embeddingKey),
    );
  },
  'removes a document whose chunks are not those of its text, and nothing else': async (store) => {
    await fill(store);
    const before = await everything(store);
    const document = documentRecord('c.md');
    const [first, second] = chunkEntries(document, ['delta', 'epsilon']);
    assert.ok(first && second);
    const swapped: ChunkEntry = { ...second, chunk: { ...second.chunk, id: 'f'.repeat(16) } };
    await putDocument(store, {
      document,
      chunks: [first, swapped],
      manifest: manifestEntry('c.md', { chunks: 2 }),
    });
    assert.deepEqual(kindsOf(await defectsOf(store)), ['chunk c.md']);
    assert.deepEqual((await repairStore(store)).removed, ['c.md']);
    assert.deepEqual(await defectsOf(store), []);
    assert.deepEqual(await everything(store), before);
    assert.deepEqual(textsOf(await store.searchText(['epsilon'], { limit: 5 })), []);
  },
  'stops verifying and repairing when asked to': async (store) => {
    await fill(store);
    await putManifest(store, [manifestEntry('ghost.md')]);
    const signal = AbortSignal.abort();
    await assertRefused(defectsOf(store, signal), 'interrupted');
    await assertRefused(repairStore(store, { signal }), 'interrupted');
    assert.deepEqual(kindsOf(await defectsOf(store)), ['orphan ghost.md']);
  },
  'continues to read and write while it is verified': async (store) => {
    await fill(store);
    await putManifest(store, [manifestEntry('ghost.md')]);
    for await (const defect of verifyStore(store)) {
      assert.equal(defect.uri, 'ghost.md');
      await putTexts(store, 'new.md', ['zeta']);
      assert.deepEqual(textsOf(await store.searchText(['zeta'], { limit: 5 })), ['zeta']);
    }
    assert.deepEqual(await store.paths(), ['a.md', 'new.md', 'sub/b.md']);
  },
});

/** Every defect that the store reports. */
async function defectsOf(store: Store, signal?: AbortSignal): Promise<StoreDefect[]> {
  const defects: StoreDefect[] = [];
  for await (const defect of verifyStore(store, { signal })) defects.push(defect);
  return defects;
}

function kindsOf(defects: readonly StoreDefect[]): string[] {
  return defects.map(({ kind, uri }) => `${kind} ${uri}`);
}

async function fill(store: Store): Promise<void> {
  for (const [uri, texts] of [
    ['a.md', ['alpha', 'beta']],
    ['sub/b.md', ['gamma', 'alpha']],
  ] as const) {
    const document = documentRecord(uri);
    const entries = chunkEntries(document, texts);
    await putDocument(store, {
      document,
      chunks: entries,
      manifest: manifestEntry(uri, { chunks: entries.length }),
    });
    await addVectors(
      store,
      space,
      entries.map(({ chunk, embeddingKey }) => ({ embeddingKey, vector: unitVector(chunk.text, 8) })),
    );
  }
}

async function everything(store: Store): Promise<unknown> {
  return {
    documents: await store.documents(),
    manifest: (await store.manifest()).toSorted((one, other) => (one.uri < other.uri ? -1 : 1)),
    counts: await countsOf(store, space),
    text: await store.searchText(['alpha', 'beta', 'gamma'], { limit: 100 }),
    vector: await store.searchVector(space, unitVector('alpha', 8), { limit: 100 }),
  };
}
