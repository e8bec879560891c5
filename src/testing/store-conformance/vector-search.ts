import assert from 'node:assert/strict';
import type { Store } from '../../contracts/store.ts';
import { addVectors, deletePaths } from '../../index/write.ts';
import { angleVector } from '../documents.ts';
import { assertOrdered, putTexts, space, storeChecks, textsOf } from './store-check.ts';

/** Checks of vector search. */
export const vectorSearchChecks = storeChecks({
  'gives the nearest chunks first, scored by their cosine': async (store) => {
    await putAngles(store, 'a.md', [90, 0, 30, 180]);
    const found = await store.searchVector(space, angleVector(10), { limit: 10 });
    assert.deepEqual(textsOf(found), ['0', '30', '90', '180']);
    assertOrdered(found);
    for (const { chunk, score } of found) assertNear(score, cosineOf(Number(chunk.text) - 10));
  },
  'scores by direction alone, whatever the lengths of vector and query': async (store) => {
    await putAngles(store, 'a.md', [0, 60], 1000);
    const query = angleVector(20).map((value) => value * 0.001);
    const found = await store.searchVector(space, query, { limit: 2 });
    assertNear(found[0]?.score, cosineOf(20));
    assertNear(found[1]?.score, cosineOf(40));
  },
  'gives no more vector matches than asked for': async (store) => {
    await putAngles(store, 'a.md', [0, 10, 20, 30, 40]);
    assert.deepEqual(textsOf(await store.searchVector(space, angleVector(0), { limit: 2 })), ['0', '10']);
    assert.deepEqual(await store.searchVector(space, angleVector(0), { limit: 0 }), []);
    assert.equal((await store.searchVector(space, angleVector(0), { limit: 1_000_000 })).length, 5);
  },
  'gives the nearest of what a filter admits, however far down they stand among all': async (store) => {
    await putAngles(
      store,
      'near.md',
      Array.from({ length: 60 }, (_, index) => index),
    );
    await putAngles(store, 'far.txt', [100, 120, 110]);
    const found = await store.searchVector(space, angleVector(0), {
      limit: 2,
      filter: { paths: ['*.txt'] },
    });
    assert.deepEqual(textsOf(found), ['100', '110']);
  },
  'gives only the admitted ones of several chunks that share a vector': async (store) => {
    await putAngles(store, 'a.md', [0, 90]);
    await putAngles(store, 'b.txt', [0]);
    const found = await store.searchVector(space, angleVector(0), {
      limit: 5,
      filter: { paths: ['*.txt'] },
    });
    assert.deepEqual(
      found.map(({ document }) => document.uri),
      ['b.txt'],
    );
  },
  'follows what another connection adds and removes': async (writer, open) => {
    const reader = await open();
    const nearest = async (limit: number) =>
      textsOf(await reader.searchVector(space, angleVector(0), { limit }));
    await putAngles(writer, 'a.md', [50, 40]);
    assert.deepEqual(await nearest(5), ['40', '50']);
    await putAngles(writer, 'b.md', [20, 30]);
    assert.deepEqual(await nearest(3), ['20', '30', '40']);
    await deletePaths(writer, ['b.md']);
    assert.deepEqual(await nearest(5), ['40', '50']);
    await putAngles(writer, 'a.md', [50, 5]);
    assert.deepEqual(await nearest(5), ['5', '50']);
  },
});

async function putAngles(store: Store, uri: string, angles: readonly number[], length = 1): Promise<void> {
  const { entries } = await putTexts(store, uri, angles.map(String));
  await addVectors(
    store,
    space,
    entries.map(({ chunk, embeddingKey }) => ({
      embeddingKey,
      vector: angleVector(Number(chunk.text)).map((value) => value * length),
    })),
  );
}

function cosineOf(degrees: number): number {
  return Math.cos((degrees / 180) * Math.PI);
}

/** Stores may keep vectors at reduced precision. */
function assertNear(actual: number | undefined, expected: number): void {
  assert.ok(actual !== undefined && Math.abs(actual - expected) < 0.01, `${actual} is not near ${expected}`);
}
