import assert from 'node:assert/strict';
import type { KeyedChunks, Store } from '../../contracts/store.ts';
import { addVectors, deletePaths } from '../../index/write.ts';
import { unitVector } from '../documents.ts';
import { putTexts, space, storeChecks } from './store-check.ts';

/** Checks of a store that knows its chunks by the keys of their texts. */
export const keyedChunkChecks = storeChecks({
  'gives the chunks of keys in the order of the keys, those that a filter admits': async (store) => {
    const { chunksWithKeys } = keyed(store);
    const { document, entries } = await putTexts(store, 'a.md', ['one', 'nul \0 inside', 'one']);
    const { entries: others } = await putTexts(store, 'b.txt', ['one', 'two']);
    const [one, nul] = entries.map(({ embeddingKey }) => embeddingKey);
    const two = others[1]?.embeddingKey;
    assert.ok(one && nul && two);
    const found = await chunksWithKeys([two, 'unknown', nul, one]);
    assert.deepEqual(
      found.map(({ chunk, embeddingKey }) => [chunk.text, embeddingKey]),
      [
        ['two', two],
        ['nul \0 inside', nul],
        ['one', one],
        ['one', one],
        ['one', one],
      ],
    );
    assert.deepEqual([found[1]?.chunk, found[1]?.document], [entries[1]?.chunk, document]);
    const filtered = await chunksWithKeys([two, one], { paths: ['*.md'] });
    assert.deepEqual(
      filtered.map((each) => each.document.uri),
      ['a.md', 'a.md'],
    );
    assert.deepEqual(await chunksWithKeys([]), []);
  },
  'names the keys that a filter admits, each once and no more than asked for': async (store) => {
    const { keysPassing } = keyed(store);
    await putTexts(store, 'a.md', ['one', 'two', 'one']);
    const { entries } = await putTexts(store, 'b.txt', ['three', 'one', 'three']);
    const keys = [...new Set(entries.map(({ embeddingKey }) => embeddingKey))].sort();
    assert.deepEqual((await keysPassing({ paths: ['*.txt'] }, 10)).sort(), keys);
    assert.equal((await keysPassing({}, 10)).length, 3);
    assert.equal((await keysPassing({}, 2)).length, 2);
    assert.deepEqual(await keysPassing({ types: ['none'] }, 10), []);
  },
  'counts the keys that have a vector, each once': async (store) => {
    const { countVectors } = keyed(store);
    assert.equal(await countVectors(space), 0);
    const { entries } = await putTexts(store, 'a.md', ['one', 'two', 'one']);
    await addVectors(
      store,
      space,
      entries.map(({ embeddingKey, chunk }) => ({ embeddingKey, vector: unitVector(chunk.text, 4) })),
    );
    assert.equal(await countVectors(space), 2);
    await deletePaths(store, ['a.md']);
    assert.equal(await countVectors(space), 0);
  },
});

function keyed(store: Store): KeyedChunks {
  const { chunksWithKeys, keysPassing, countVectors } = store;
  assert.ok(
    chunksWithKeys && keysPassing && countVectors,
    'the store declares that it knows its chunks by key',
  );
  return {
    chunksWithKeys: chunksWithKeys.bind(store),
    keysPassing: keysPassing.bind(store),
    countVectors: countVectors.bind(store),
  };
}
