import assert from 'node:assert/strict';
import type { ManifestEntry, Store, VectorEntry } from '../../contracts/store.ts';
import { embeddedText } from '../../core/chunk.ts';
import { embeddingKey } from '../../core/identity.ts';
import { chunksOf } from '../../index/chunks-of.ts';
import { addVectors, deletePaths, dropSpace, putDocument } from '../../index/write.ts';
import { countsOf } from '../counts-of.ts';
import { angleVector, chunkEntries, documentRecord, unitVector } from '../documents.ts';
import { assertRefused, putTexts, space, storeChecks, textsOf } from './store-check.ts';

/** Checks of how vectors are added, shared and removed. */
export const vectorLifeChecks = storeChecks({
  'names the texts that lack a vector, fewer as vectors come, in a stable order': async (store) => {
    const document = documentRecord('b.md');
    const entries = chunkEntries(document, ['one', 'two', 'three'], { header: 'Head' });
    await putDocument(store, { document, chunks: entries });
    await putTexts(store, 'a.md', ['four']);
    const all = await store.missingVectors(space, 10);
    assert.deepEqual(
      all.slice(0, 3).map(({ embeddingKey, text }) => ({ embeddingKey, text })),
      entries.map(({ chunk, embeddingKey }) => ({ embeddingKey, text: embeddedText(chunk) })),
    );
    assert.ok(all.every(({ position }, index) => position > (all[index - 1]?.position ?? 0)));
    for (const [index, { position }] of all.entries()) {
      assert.deepEqual(await store.missingVectors(space, 10, position), all.slice(index + 1));
    }
    assert.deepEqual(all.map(({ text }) => text).slice(3), ['four']);
    assert.deepEqual(await store.missingVectors(space, 2), all.slice(0, 2));
    assert.deepEqual(await store.missingVectors(space, 0), []);
    await embed(store, [all[1]?.embeddingKey ?? '']);
    assert.deepEqual(await store.missingVectors(space, 10), [all[0], all[2], all[3]]);
    assert.equal((await countsOf(store, space)).embedded, 1);
    await embedMissing(store);
    assert.deepEqual(await store.missingVectors(space, 10), []);
    assert.equal((await countsOf(store, space)).embedded, 4);
  },
  'counts the chunks that lack a vector right through every change': async (store, open) => {
    const other = await open();
    const changes: (() => Promise<unknown>)[] = [
      () => putTexts(store, 'a.md', ['one', 'two', 'three']),
      async () =>
        embed(
          store,
          (await store.missingVectors(space, 2)).map(({ embeddingKey }) => embeddingKey),
        ),
      // Shares a text with the first, and so its vector.
      () => putTexts(store, 'b.md', ['two', 'four', 'four again']),
      () => putTexts(store, 'a.md', ['one', 'three', 'five', 'six']),
      () => embedMissing(store),
      () =>
        embed(
          store,
          chunkEntries(documentRecord('a.md'), ['one']).map(({ embeddingKey }) => embeddingKey),
        ),
      () => putTexts(store, 'c.md', ['two', 'seven']),
      () => deletePaths(store, ['b.md']),
      () => deletePaths(store, ['a.md', 'c.md']),
      () => putTexts(store, 'a.md', ['one', 'two']),
      () => embedMissing(store),
      () => dropSpace(store, space),
      () => embedMissing(store),
    ];
    for (const change of changes) {
      await change();
      const missing = new Set(
        (await store.missingVectors(space, 100)).map(({ embeddingKey }) => embeddingKey),
      );
      const lacking = [];
      for (const { id } of await store.documents())
        for (const chunk of await chunksOf(store, id))
          if (missing.has(embeddingKey(embeddedText(chunk)))) lacking.push(chunk);
      const { chunks, embedded } = await countsOf(other, space);
      assert.equal(chunks - embedded, lacking.length);
    }
  },
  'puts a document together with its vectors, and only where nobody was quicker': async (store, open) => {
    const other = await open();
    const document = documentRecord('a.md');
    const entry = (recipe: string): ManifestEntry => ({
      uri: 'a.md',
      status: 'indexed',
      size: 3,
      modifiedAt: 5,
      contentHash: 'f00d',
      recipe,
      chunks: 1,
    });
    await putDocument(store, {
      document,
      chunks: chunkEntries(document, ['one two']),
      manifest: entry('first'),
    });
    const parts = chunkEntries(document, ['one', 'two']);
    const keys = parts.map(({ embeddingKey }) => embeddingKey);
    const vectors = new Map([
      [space, keys.map((embeddingKey) => ({ embeddingKey, vector: angleVector(1) }))],
    ]);
    const put = (replaces: ManifestEntry) =>
      putDocument(other, { document, chunks: parts, manifest: entry('second'), vectors, replaces });
    assert.equal(await put(entry('third')), false);
    assert.deepEqual([await store.manifest(), (await countsOf(store, space)).chunks], [[entry('first')], 1]);
    assert.equal((await store.keysWithVector(space, keys)).size, 0);
    assert.equal(await put(entry('first')), true);
    const { chunks, embedded } = await countsOf(store, space);
    assert.deepEqual([await store.manifest(), chunks, embedded], [[entry('second')], 2, 2]);
    assert.deepEqual([...(await store.keysWithVector(space, [...keys, 'unknown']))], keys);
  },
  'learns the length of a space from its first vector and refuses any other': async (store, open) => {
    const other = await open();
    const { entries } = await putTexts(store, 'a.md', ['one', 'two']);
    const [first, second] = entries.map(({ embeddingKey }) => embeddingKey);
    assert.ok(first && second);
    assert.equal((await store.state()).spaces.get(space)?.dimensions, undefined);
    await addVectors(store, space, [{ embeddingKey: first, vector: angleVector(0) }]);
    assert.equal((await other.state()).spaces.get(space)?.dimensions, 2);
    const longer = { embeddingKey: second, vector: unitVector('x', 3) };
    await assertRefused(addVectors(other, space, [longer]), 'vector-invalid');
    await assertRefused(store.searchVector(space, longer.vector, { limit: 1 }), 'vector-invalid');
    assert.equal((await countsOf(store, space)).embedded, 1);
  },
  'refuses vectors that are not finite or all zeros, and adds none of their batch': async (store) => {
    const { entries } = await putTexts(store, 'a.md', ['one', 'two']);
    const [first, second] = entries.map(({ embeddingKey }) => embeddingKey);
    assert.ok(first && second);
    for (const values of [[Number.NaN, 1], [Number.POSITIVE_INFINITY, 1], [0, 0], []]) {
      const batch: VectorEntry[] = [
        { embeddingKey: first, vector: angleVector(0) },
        { embeddingKey: second, vector: Float32Array.from(values) },
      ];
      await assertRefused(addVectors(store, space, batch), 'vector-invalid');
      assert.equal((await store.missingVectors(space, 10)).length, 2);
      assert.equal((await store.state()).spaces.get(space)?.dimensions, undefined);
    }
    await addVectors(store, space, []);
    await embedMissing(store);
    const zero = new Float32Array(8);
    await assertRefused(store.searchVector(space, zero, { limit: 1 }), 'vector-invalid');
    await assertRefused(store.searchVector(space, zero.fill(Number.NaN), { limit: 1 }), 'vector-invalid');
  },
  'gives chunks with an equal text one vector, in whichever documents they stand': async (store) => {
    await putTexts(store, 'a.md', ['licence', 'alpha', 'licence']);
    await putTexts(store, 'b.md', ['licence']);
    assert.deepEqual(
      (await store.missingVectors(space, 10)).map(({ text }) => text),
      ['licence', 'alpha'],
    );
    await embedMissing(store);
    assert.equal((await countsOf(store, space)).embedded, 4);
    const found = await store.searchVector(space, unitVector('licence', 8), { limit: 3 });
    assert.deepEqual(textsOf(found), ['licence', 'licence', 'licence']);
    await deletePaths(store, ['a.md']);
    assert.equal((await countsOf(store, space)).embedded, 1);
  },
  'keeps the vectors of unchanged texts through a replace, and through a move': async (store) => {
    await putTexts(store, 'a.md', ['one', 'two', 'three']);
    await embedMissing(store);
    await putTexts(store, 'a.md', ['zero', 'three', 'one']);
    assert.deepEqual(
      (await store.missingVectors(space, 10)).map(({ text }) => text),
      ['zero'],
    );
    await putTexts(store, 'moved.md', ['zero', 'three', 'one']);
    await deletePaths(store, ['a.md']);
    assert.deepEqual(
      (await store.missingVectors(space, 10)).map(({ text }) => text),
      ['zero'],
    );
    const found = await store.searchVector(space, unitVector('one', 8), { limit: 1 });
    assert.equal(found[0]?.document.uri, 'moved.md');
  },
  'forgets the vectors that no chunk refers to': async (store, open) => {
    const reader = await open();
    await putTexts(store, 'a.md', ['one', 'two']);
    await embedMissing(store);
    assert.equal((await reader.searchVector(space, unitVector('one', 8), { limit: 10 })).length, 2);
    await putTexts(store, 'a.md', ['two']);
    for (const handle of [store, reader]) {
      assert.deepEqual(textsOf(await handle.searchVector(space, unitVector('one', 8), { limit: 10 })), [
        'two',
      ]);
    }
    await putTexts(store, 'a.md', ['one', 'two']);
    assert.deepEqual(
      (await store.missingVectors(space, 10)).map(({ text }) => text),
      ['one'],
    );
  },
  'replaces a vector that is added again': async (store, open) => {
    const reader = await open();
    const { entries } = await putTexts(store, 'a.md', ['one', 'two']);
    const [first, second] = entries.map(({ embeddingKey }) => embeddingKey);
    assert.ok(first && second);
    const nearest = async () => textsOf(await reader.searchVector(space, angleVector(0), { limit: 1 }));
    await addVectors(store, space, [
      { embeddingKey: first, vector: angleVector(0) },
      { embeddingKey: second, vector: angleVector(90) },
    ]);
    assert.deepEqual(await nearest(), ['one']);
    await addVectors(store, space, [{ embeddingKey: first, vector: angleVector(180) }]);
    assert.deepEqual(await nearest(), ['two']);
    assert.equal((await countsOf(reader, space)).embedded, 2);
  },
  'gives vectors back by key, and keeps one that is added again as it is': async (store, open) => {
    const reader = await open();
    const { entries } = await putTexts(store, 'a.md', ['one', 'two', 'three']);
    const keys = entries.map(({ embeddingKey }) => embeddingKey);
    assert.deepEqual(await store.vectorsOf(space, keys), []);
    const given = new Map(keys.slice(0, 2).map((key) => [key, unitVector(key, 24)]));
    await addVectors(
      store,
      space,
      [...given].map(([embeddingKey, vector]) => ({ embeddingKey, vector })),
    );
    const read = async () => {
      const found = await reader.vectorsOf(space, [...keys, 'unknown', ...keys]);
      return found.toSorted((one, other) => (one.embeddingKey < other.embeddingKey ? -1 : 1));
    };
    const found = await read();
    assert.deepEqual(
      found.map(({ embeddingKey }) => embeddingKey),
      [...given.keys()].sort(),
    );
    for (const { embeddingKey, vector } of found) {
      const before = given.get(embeddingKey) ?? new Float32Array();
      const product = vector.reduce((sum, value, column) => sum + value * (before[column] ?? 0), 0);
      const length = Math.hypot(...vector);
      // A store may keep vectors at one byte a value.
      assert.ok(product / length > 0.999, `cosine ${product / length}`);
    }
    await addVectors(store, space, found);
    assert.deepEqual(await read(), found);
    assert.deepEqual(await reader.vectorsOf('unknown', keys), []);
    assert.deepEqual(await reader.vectorsOf(space, []), []);
  },
  'keeps spaces apart and drops one without touching another': async (store, open) => {
    const other = await open();
    await putTexts(store, 'a.md', ['one']);
    await embedMissing(store, 'first/1', 2);
    await embedMissing(store, 'second/2', 5);
    assert.deepEqual([...(await other.state()).spaces.keys()].sort(), ['first/1', 'second/2']);
    assert.equal((await other.searchVector('first/1', unitVector('one', 2), { limit: 1 })).length, 1);
    await dropSpace(store, 'first/1');
    await dropSpace(store, 'unknown');
    assert.deepEqual([...(await other.state()).spaces.keys()], ['second/2']);
    assert.equal((await other.state()).spaces.get('first/1')?.dimensions, undefined);
    assert.deepEqual(await other.searchVector('first/1', unitVector('one', 2), { limit: 1 }), []);
    assert.equal((await other.searchVector('second/2', unitVector('one', 5), { limit: 1 })).length, 1);
    await embedMissing(store, 'first/1', 3);
    assert.equal((await other.searchVector('first/1', unitVector('one', 3), { limit: 1 })).length, 1);
  },
});

async function embed(store: Store, keys: readonly string[]): Promise<void> {
  await addVectors(
    store,
    space,
    keys.map((embeddingKey) => ({ embeddingKey, vector: unitVector(embeddingKey, 8) })),
  );
}

async function embedMissing(store: Store, name = space, dimensions = 8): Promise<void> {
  const missing = await store.missingVectors(name, 1000);
  await addVectors(
    store,
    name,
    missing.map(({ embeddingKey, text }) => ({ embeddingKey, vector: unitVector(text, dimensions) })),
  );
}
