import assert from 'node:assert/strict';
import type { Changes, DocumentChange, Store } from '../../contracts/store.ts';
import { chunksOf } from '../../index/chunks-of.ts';
import { countsOf } from '../counts-of.ts';
import { chunkEntries, documentRecord, manifestEntry, unitVector } from '../documents.ts';
import { assertRefused, putTexts, space, storeChecks, textsOf } from './store-check.ts';

/** Checks of what one commit holds. */
export const commitChecks = storeChecks({
  'changes everything of a commit in one step, in the order of its parts': async (store, open) => {
    const reader = await open();
    await putTexts(store, 'gone.md', ['gone']);
    const { entries } = await putTexts(store, 'kept.md', ['kept']);
    await store.commit({ vectors: new Map([['old', vectorsFor(entries)]]), facts: new Map([['a', '1']]) });
    const added = changeOf('new.md', ['new', 'kept']);
    const committed = await store.commit({
      removed: ['gone.md', 'unknown.md'],
      documents: [added, changeOf('other.md', ['gone again'])],
      manifest: [manifestEntry('gone.md', { status: 'skipped', chunks: 0 })],
      vectors: new Map([[space, vectorsFor([...added.chunks, ...entries])]]),
      facts: new Map([
        ['a', undefined],
        ['b', '2'],
      ]),
      droppedSpaces: ['old'],
    });
    assert.deepEqual(committed, { removed: 1, stored: [true, true] });
    assert.deepEqual(await reader.paths(), ['kept.md', 'new.md', 'other.md']);
    const noted = (await reader.manifest()).map(({ uri, status }) => `${uri} ${status}`);
    assert.deepEqual(noted.toSorted(), ['gone.md skipped', 'new.md indexed', 'other.md indexed']);
    const { facts, spaces } = await reader.state();
    assert.deepEqual([...facts], [['b', '2']]);
    assert.deepEqual([...spaces.keys()], [space]);
    const { chunks, embedded } = await countsOf(reader, space);
    assert.deepEqual([chunks, embedded], [4, 3]);
    assert.deepEqual(textsOf(await reader.searchText(['gone'], { limit: 10 })), ['gone again']);
    const [nearest] = await reader.searchVector(space, unitVector('new', 8), { limit: 1 });
    assert.equal(nearest?.chunk.text, 'new');
  },
  'changes nothing where one part of a commit is refused': async (store, open) => {
    const reader = await open();
    const { entries } = await putTexts(store, 'a.md', ['alpha']);
    await store.commit({ vectors: new Map([[space, vectorsFor(entries)]]), facts: new Map([['a', '1']]) });
    const before = await seen(reader);
    const good: Changes = {
      removed: ['a.md'],
      documents: [changeOf('b.md', ['beta'])],
      manifest: [manifestEntry('c.md', { status: 'failed' })],
      facts: new Map([['a', '2']]),
    };
    const short = new Map([[space, vectorsFor(entries, 5)]]);
    await assertRefused(store.commit({ ...good, vectors: short }), 'vector-invalid');
    const refused = { ...changeOf('d.md', ['delta']), vectors: short };
    await assertRefused(
      store.commit({ ...good, documents: [changeOf('b.md', ['beta']), refused] }),
      'vector-invalid',
    );
    assert.deepEqual(await seen(reader), before);
  },
  'stores those documents of a commit whose entry is the expected one, and says which': async (store) => {
    const noted = (uri: string, size: number) => manifestEntry(uri, { size });
    await store.commit({
      documents: ['a.md', 'b.md'].map((uri) => ({ ...changeOf(uri, ['old']), manifest: noted(uri, 1) })),
    });
    const { stored } = await store.commit({
      documents: [
        { ...changeOf('a.md', ['new a']), manifest: noted('a.md', 2), replaces: noted('a.md', 1) },
        { ...changeOf('b.md', ['new b']), manifest: noted('b.md', 2), replaces: noted('b.md', 7) },
        changeOf('c.md', ['new c']),
      ],
    });
    assert.deepEqual(stored, [true, false, true]);
    const texts = await Promise.all(
      ['a.md', 'b.md', 'c.md'].map(async (uri) => (await chunksOf(store, documentRecord(uri).id))[0]?.text),
    );
    assert.deepEqual(texts, ['new a', 'old', 'new c']);
  },
  'lets one of two writers replace one state of a path': async (store, open) => {
    const writers = [store, await open()];
    const first = changeOf('a.md', ['first']);
    await store.commit({ documents: [first] });
    let present = first.manifest;
    for (const round of [1, 2, 3]) {
      const changes = writers.map((_, at) => {
        const texts = Array.from({ length: at + 1 }, (_, place) => `${round} ${at} ${place}`);
        const manifest = manifestEntry('a.md', { chunks: texts.length, size: 10 * round + at });
        return { ...changeOf('a.md', texts), manifest, replaces: present };
      });
      const outcomes = await Promise.all(
        writers.map((writer, at) => writer.commit({ documents: changes.slice(at, at + 1) })),
      );
      const won = changes.filter((_, at) => outcomes[at]?.stored[0] === true);
      assert.equal(won.length, 1);
      present = won[0]?.manifest;
      assert.deepEqual(await store.manifest(), [present]);
      assert.deepEqual(
        (await chunksOf(store, first.document.id)).map(({ text }) => text),
        won[0]?.chunks.map(({ chunk }) => chunk.text),
      );
    }
  },
});

function changeOf(uri: string, texts: readonly string[]): DocumentChange {
  const document = documentRecord(uri);
  return {
    document,
    chunks: chunkEntries(document, texts),
    manifest: manifestEntry(uri, { chunks: texts.length }),
  };
}

function vectorsFor(entries: DocumentChange['chunks'], dimensions = 8) {
  return entries.map(({ chunk, embeddingKey }) => ({
    embeddingKey,
    vector: unitVector(chunk.text, dimensions),
  }));
}

/** All that a commit could have changed. */
async function seen(store: Store): Promise<unknown> {
  const { chunks, embedded } = await countsOf(store, space);
  const { facts, spaces } = await store.state();
  return [await store.paths(), await store.manifest(), chunks, embedded, [...facts], [...spaces.keys()]];
}
