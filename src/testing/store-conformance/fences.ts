import assert from 'node:assert/strict';
import type { Changes, Store } from '../../contracts/store.ts';
import { countsOf } from '../counts-of.ts';
import { chunkEntries, documentRecord, manifestEntry, unitVector } from '../documents.ts';
import { assertRefused, putTexts, space, storeChecks } from './store-check.ts';

const under = (fence: number) => ({ fences: new Map([['writer.lock', fence]]) });

/** Checks of what a process may still write after another one has taken over its work. */
export const fenceChecks = storeChecks({
  'refuses whatever is committed under a lease after a commit under a later one': async (store, open) => {
    const { entries } = await putTexts(store, 'a.md', ['alpha']);
    const vectors = entries.map(({ embeddingKey }) => ({ embeddingKey, vector: unitVector('alpha', 8) }));
    await store.commit({ ...under(7), vectors: new Map([[space, vectors]]), facts: new Map([['a', '1']]) });
    const next = await open();
    await next.commit(under(8));
    const before = await seen(next);
    const document = documentRecord('late.md');
    const late: Changes[] = [
      {},
      { removed: ['a.md'] },
      { documents: [{ document, chunks: chunkEntries(document, ['late']) }] },
      { manifest: [manifestEntry('late.md', { status: 'skipped' })] },
      { vectors: new Map([[space, vectors]]) },
      { vectors: new Map([['late space', vectors]]) },
      { facts: new Map([['a', '2']]) },
      { droppedSpaces: [space] },
    ];
    for (const changes of late) {
      await assertRefused(store.commit({ ...changes, ...under(7) }), 'lock-lost');
      const { spaces: _, ...now } = await seen(store);
      const { spaces: known, ...then } = before;
      assert.deepEqual(now, then);
      // An engine may have made the space before it was refused.
      assert.ok((await seen(next)).spaces.includes(known[0] ?? ''));
    }
    // Another process that comes later knows of it too.
    await assertRefused((await open()).commit({ facts: new Map([['a', '2']]), ...under(7) }), 'lock-lost');
  },
  'keeps the fences of each lease apart, and asks none of a commit without a lease': async (store) => {
    await store.commit({ ...under(8), facts: new Map([['a', '8']]) });
    await store.commit({ fences: new Map([['vectors.lock', 3]]), facts: new Map([['b', '3']]) });
    const both = new Map([
      ['vectors.lock', 4],
      ['writer.lock', 7],
    ]);
    await assertRefused(store.commit({ fences: both, facts: new Map([['b', '4']]) }), 'lock-lost');
    // What was refused has raised nothing.
    await store.commit({ fences: new Map([['vectors.lock', 3]]), facts: new Map([['c', '3']]) });
    await store.commit({ facts: new Map([['d', 'none']]) });
    await store.commit({ ...under(8), facts: new Map([['e', '8']]) });
    await store.commit({ ...under(2 ** 43), facts: new Map([['f', 'later']]) });
    await assertRefused(store.commit(under(8)), 'lock-lost');
    const { facts } = await store.state();
    assert.deepEqual([...facts.keys()].toSorted(), ['a', 'b', 'c', 'd', 'e', 'f']);
  },
});

/** All that a late commit could have changed. */
async function seen(store: Store) {
  const { chunks, embedded } = await countsOf(store, space);
  const { facts, spaces } = await store.state();
  return {
    paths: await store.paths(),
    manifest: await store.manifest(),
    counts: [chunks, embedded],
    facts: [...facts],
    spaces: [...spaces.keys()],
  };
}
