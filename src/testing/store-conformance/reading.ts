import assert from 'node:assert/strict';
import { chunksOf } from '../../index/chunks-of.ts';
import { countsOf } from '../counts-of.ts';
import { putTexts, storeChecks } from './store-check.ts';

/** Checks of what is read by id, path or position. */
export const readingChecks = storeChecks({
  'gives a range of a document in order, cut at its borders': async (store) => {
    await putTexts(store, 'before.md', ['x', 'y', 'z']);
    const { document } = await putTexts(store, 'a.md', ['zero', 'one', 'two', 'three', 'four']);
    await putTexts(store, 'behind.md', ['x', 'y', 'z']);
    const within = async (first: number, last: number) =>
      ((await store.chunksIn([{ documentId: document.id, first, last }]))[0] ?? []).map(({ text }) => text);
    assert.deepEqual(await within(1, 3), ['one', 'two', 'three']);
    assert.deepEqual(await within(2, 2), ['two']);
    assert.deepEqual(await within(-2, 1), ['zero', 'one']);
    assert.deepEqual(await within(3, 13), ['three', 'four']);
    assert.deepEqual(await within(-97, 101), ['zero', 'one', 'two', 'three', 'four']);
    assert.deepEqual(await within(6, 8), []);
    assert.deepEqual(await within(3, 1), []);
    assert.equal((await within(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)).length, 5);
    assert.deepEqual(await store.chunksIn([{ documentId: 'ffffffffffffffff', first: -1, last: 1 }]), [[]]);
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
      await chunksOf(store, document.id),
      entries.map(({ chunk }) => chunk),
    );
    for (const id of ['ffffffffffffffff', '', "' OR 1=1 --"]) assert.deepEqual(await chunksOf(store, id), []);
  },
  'counts documents and chunks': async (store) => {
    await putTexts(store, 'a.md', ['alpha', 'beta']);
    await putTexts(store, 'b.md', ['gamma']);
    const counts = await countsOf(store, 'space');
    assert.deepEqual(counts, { documents: 2, chunks: 3, embedded: 0 });
    assert.ok((await store.bytes()) >= 0);
  },
});
