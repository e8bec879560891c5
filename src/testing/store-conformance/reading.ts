import assert from 'node:assert/strict';
import { putTexts, storeChecks } from './store-check.ts';

/** Checks of what is read by id, path or position. */
export const readingChecks = storeChecks({
  'gives the surroundings of a chunk in order, cut at the borders of its document': async (store) => {
    await putTexts(store, 'before.md', ['x', 'y', 'z']);
    const { document } = await putTexts(store, 'a.md', ['zero', 'one', 'two', 'three', 'four']);
    await putTexts(store, 'behind.md', ['x', 'y', 'z']);
    const around = async (ordinal: number, before: number, after: number) =>
      (await store.neighbours(document.id, ordinal, { before, after })).map(({ text }) => text);
    assert.deepEqual(await around(2, 1, 1), ['one', 'two', 'three']);
    assert.deepEqual(await around(2, 0, 0), ['two']);
    assert.deepEqual(await around(0, 2, 1), ['zero', 'one']);
    assert.deepEqual(await around(4, 1, 9), ['three', 'four']);
    assert.deepEqual(await around(2, 99, 99), ['zero', 'one', 'two', 'three', 'four']);
    assert.deepEqual(await around(7, 1, 1), []);
    assert.deepEqual(await store.neighbours('ffffffffffffffff', 0, { before: 1, after: 1 }), []);
  },
  'lists paths sorted, one for each document': async (store) => {
    const uris = [
      'src/b.ts',
      'README.md',
      'src/a.ts',
      'src/a.ts',
      'virtual:note',
      '.env.example',
      'src/B.ts',
    ];
    for (const uri of uris) await putTexts(store, uri, ['text']);
    assert.deepEqual(await store.paths(), [...new Set(uris)].sort());
  },
  'gives all chunks of a document in order, and none of an unknown one': async (store) => {
    const { document, entries } = await putTexts(store, 'a.md', ['zero', 'one', 'two']);
    await putTexts(store, 'b.md', ['x']);
    assert.deepEqual(
      await store.chunksOf(document.id),
      entries.map(({ chunk }) => chunk),
    );
    for (const id of ['ffffffffffffffff', '', "' OR 1=1 --"]) assert.deepEqual(await store.chunksOf(id), []);
  },
  'counts documents and chunks': async (store) => {
    await putTexts(store, 'a.md', ['alpha', 'beta']);
    await putTexts(store, 'b.md', ['gamma']);
    const counts = await store.counts('space');
    assert.deepEqual({ ...counts, bytes: 0 }, { documents: 2, chunks: 3, embedded: 0, bytes: 0 });
    assert.ok(counts.bytes >= 0);
  },
});
