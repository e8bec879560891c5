import assert from 'node:assert/strict';
import type { SearchPreparation, Store } from '../../contracts/store.ts';
import { addVectors } from '../../index/write.ts';
import { unitVector } from '../documents.ts';
import { putTexts, space, storeChecks } from './store-check.ts';

/** Checks of a store that prepares fast search. */
export const preparationChecks = storeChecks({
  'readies a space for search without changing its answers, and reports how far it is': async (store) => {
    const { entries } = await putTexts(
      store,
      'a.md',
      Array.from({ length: 40 }, (_, number) => `text ${number}`),
    );
    await addVectors(
      store,
      space,
      entries.map(({ chunk, embeddingKey }) => ({ embeddingKey, vector: unitVector(chunk.text, 8) })),
    );
    const answer = () => store.searchVector(space, unitVector('query', 8), { limit: 10 });
    const before = await answer();
    for (const { done, total } of await prepared(store, space)) assert.ok(done >= 0 && done <= total);
    assert.deepEqual(await answer(), before);
  },
  'has nothing to ready in an unknown space': async (store) => {
    assert.deepEqual(await prepared(store, 'unknown'), []);
  },
});

async function prepared(store: Store, name: string): Promise<SearchPreparation[]> {
  assert.ok(store.prepareSearch, 'the store declares that it readies itself for search');
  const reports: SearchPreparation[] = [];
  for await (const report of store.prepareSearch(name)) reports.push(report);
  return reports;
}
