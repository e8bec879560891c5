import assert from 'node:assert/strict';
import type { ChunkEntry, Store } from '../../contracts/store.ts';
import { chunksOf } from '../../index/chunks-of.ts';
import { deletePaths, putDocument, putManifest } from '../../index/write.ts';
import { countsOf } from '../counts-of.ts';
import { chunkEntries, documentRecord, manifestEntry, unitVector } from '../documents.ts';
import { assertRefused, putTexts, space, storeChecks, textsOf } from './store-check.ts';

/** Checks of put and delete. */
export const writingChecks = storeChecks({
  'is empty at first, and not once a document is put': async (store) => {
    assert.equal((await store.state()).isEmpty, true);
    assert.deepEqual(await store.paths(), []);
    await putTexts(store, 'a.md', ['alpha']);
    assert.equal((await store.state()).isEmpty, false);
    await deletePaths(store, ['a.md']);
    assert.equal((await store.state()).isEmpty, true);
  },
  'shows a committed document to a second connection, with every field as it was put': async (
    writer,
    open,
  ) => {
    const reader = await open();
    const document = documentRecord('src/a.ts', {
      type: 'code',
      origin: 'notes',
      modifiedAt: 1_700_000_000_123.5,
      metadata: { language: 'typescript', tags: ['x', 'y'], size: 1.5, draft: false, nothing: null },
    });
    const entries = chunkEntries(document, ['alpha beta', 'gamma\ndelta'], {
      header: 'src/a.ts > Outer',
      section: 'Outer > inner',
      symbol: {
        name: 'inner',
        kind: 'method',
        signature: 'inner(): void',
        scope: ['Outer'],
        exported: true,
      },
      place: { kind: 'messages', first: { message: 2, subject: 'Tea' }, last: { message: 3, subject: '' } },
      writtenAt: 1_700_000_000_000.25,
      metadata: { level: 2 },
    });
    await putDocument(writer, { document, chunks: entries });
    assert.deepEqual(await reader.documents(), [document]);
    assert.deepEqual(
      await chunksOf(reader, document.id),
      entries.map(({ chunk }) => chunk),
    );
    const [found] = await reader.searchText(['delta'], { limit: 1 });
    assert.deepEqual([found?.chunk, found?.document], [entries[1]?.chunk, document]);
  },
  'replaces a document with all its chunks': async (store) => {
    await putTexts(store, 'a.md', ['alpha', 'beta', 'gamma']);
    const { document } = await putTexts(store, 'a.md', ['beta', 'delta'], { title: 'New' });
    assert.deepEqual(await store.documents(), [document]);
    assert.deepEqual(await wholeText(store, document.id), ['beta', 'delta']);
    assert.deepEqual(await store.searchText(['alpha'], { limit: 10 }), []);
    assert.equal((await store.state()).chunks, 2);
  },
  'shows readers the whole old or the whole new document while it is replaced over and over': async (
    writer,
    open,
  ) => {
    const reader = await open();
    const { document } = await putTexts(writer, 'a.md', versionTexts(0));
    let writing = true;
    const replace = async () => {
      try {
        for (let version = 1; version <= 40; version += 1) {
          await putTexts(writer, 'a.md', versionTexts(version), { title: `v${version}` });
          await nextTurn();
        }
      } finally {
        writing = false;
      }
    };
    const watch = async () => {
      while (writing) {
        const texts = await wholeText(reader, document.id);
        assert.deepEqual(texts, versionTexts(Number(texts[0]?.split(' ')[1])));
        const found = await reader.searchText(['common'], { limit: 100 });
        assert.equal(new Set(found.map((match) => match.document.title)).size, 1);
        await nextTurn();
      }
    };
    await Promise.all([replace(), watch()]);
    assert.deepEqual(await wholeText(reader, document.id), versionTexts(40));
  },
  'keeps the old document when a put is refused': async (writer, open) => {
    const reader = await open();
    const { document } = await putTexts(writer, 'a.md', ['alpha', 'beta']);
    const repeated = chunkEntries(document, ['gamma', 'gamma']).map(
      (entry): ChunkEntry => ({ ...entry, chunk: { ...entry.chunk, id: '0123456789abcdef' } }),
    );
    await assert.rejects(putDocument(writer, { document, chunks: repeated }));
    const foreign = chunkEntries(documentRecord('b.md'), ['delta']);
    await assert.rejects(putDocument(writer, { document, chunks: foreign }));
    for (const store of [writer, reader]) {
      assert.deepEqual(await wholeText(store, document.id), ['alpha', 'beta']);
      assert.equal((await store.state()).chunks, 2);
      assert.deepEqual(await store.searchText(['gamma', 'delta'], { limit: 10 }), []);
    }
  },
  'takes many documents at once, and refuses only those that are to be refused': async (store, open) => {
    const reader = await open();
    const put = (number: number, dimensions = 8) => {
      const document = documentRecord(`f${number}.md`);
      const entries = chunkEntries(document, [`alpha ${number}`, 'shared']);
      const vectors = entries.map(({ chunk, embeddingKey }) => ({
        embeddingKey,
        vector: unitVector(chunk.text, dimensions),
      }));
      const options = { vectors: new Map([[space, vectors]]) };
      return putDocument(store, {
        document,
        chunks: entries,
        manifest: manifestEntry(document.uri, { chunks: 2 }),
        ...options,
      });
    };
    await put(0);
    const numbers = Array.from({ length: 50 }, (_, number) => number);
    const outcomes = await Promise.allSettled([
      ...numbers.map((number) => put(number)),
      put(50, 5),
      putManifest(store, [manifestEntry('skipped.bin', { status: 'skipped', chunks: 0 })]),
      ...numbers.slice(1).map((number) => put(100 + number)),
      assertRefused(put(150, 5), 'vector-invalid'),
    ]);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    assert.deepEqual(
      refused.map(({ code }) => code),
      ['vector-invalid'],
    );
    const uris = [...numbers, ...numbers.slice(1).map((number) => 100 + number)].map(
      (number) => `f${number}.md`,
    );
    assert.deepEqual(await reader.paths(), uris.toSorted());
    assert.equal((await reader.manifest()).length, uris.length + 1);
    const { documents, chunks, embedded } = await countsOf(reader, space);
    assert.deepEqual([documents, chunks, embedded], [99, 198, 198]);
    const [found] = await reader.searchVector(space, unitVector('alpha 107', 8), { limit: 1 });
    assert.equal(found?.chunk.text, 'alpha 107');
    assert.equal((await reader.searchText(['shared'], { limit: 200 })).length, 99);
  },
  'keeps a document without chunks': async (store) => {
    const { document } = await putTexts(store, 'empty.md', []);
    assert.deepEqual(await store.documents(), [document]);
    assert.deepEqual(await chunksOf(store, document.id), []);
  },
  'keeps apart the repeated chunks of one document': async (store) => {
    const { document, entries } = await putTexts(store, 'a.md', ['same', 'same', 'other', 'same']);
    assert.equal(new Set(entries.map(({ chunk }) => chunk.id)).size, 4);
    assert.equal((await chunksOf(store, document.id)).length, 4);
    assert.deepEqual(await wholeText(store, document.id), ['same', 'same', 'other', 'same']);
    assert.equal((await store.searchText(['same'], { limit: 10 })).length, 3);
  },
  'deletes by path with chunks and manifest entries, and says how many were there': async (store, open) => {
    const reader = await open();
    await putTexts(store, 'a.md', ['alpha']);
    await putTexts(store, 'b.md', ['alpha beta']);
    await putManifest(store, [manifestEntry('a.md'), manifestEntry('b.md')]);
    assert.equal(await deletePaths(store, ['a.md', 'unknown.md', 'a.md']), 1);
    assert.deepEqual(await reader.paths(), ['b.md']);
    assert.deepEqual(textsOf(await reader.searchText(['alpha'], { limit: 10 })), ['alpha beta']);
    assert.deepEqual(
      (await reader.manifest()).map(({ uri }) => uri),
      ['b.md'],
    );
    assert.equal(await deletePaths(store, []), 0);
  },
  'deletes by path, manifest entries without a document included': async (store) => {
    await putTexts(store, 'a.md', ['alpha']);
    await putManifest(store, [manifestEntry('a.md'), manifestEntry('skipped.bin', { status: 'skipped' })]);
    assert.equal(await deletePaths(store, ['a.md', 'skipped.bin', 'unknown.md']), 1);
    assert.deepEqual(await store.manifest(), []);
    assert.equal((await store.state()).isEmpty, true);
  },
  'closes more than once and refuses work afterwards': async (store, open) => {
    const other = await open();
    await store.close();
    await store.close();
    await assert.rejects(store.paths());
    await assert.rejects(putDocument(store, { document: documentRecord('a.md'), chunks: [] }));
    assert.deepEqual(await other.paths(), []);
  },
});

async function wholeText(store: Store, documentId: string): Promise<string[]> {
  const chunks = await chunksOf(store, documentId);
  return chunks.map(({ text }) => text);
}

/** Versions differ in their texts and in how many there are. */
function versionTexts(version: number): string[] {
  return Array.from({ length: 5 + (version % 7) }, (_, part) => `version ${version} part ${part} common`);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
