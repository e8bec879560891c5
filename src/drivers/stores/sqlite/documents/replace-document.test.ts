import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../../../../../test/property-draws.ts';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import type { DocumentChange } from '../../../../contracts/store.ts';
import { embeddedText } from '../../../../core/chunk.ts';
import { embeddingKey } from '../../../../core/identity.ts';
import { chunksOf } from '../../../../index/chunks-of.ts';
import { repairStore } from '../../../../index/repair.ts';
import { verifyStore } from '../../../../index/verify.ts';
import { addVectors, deletePaths, putDocument } from '../../../../index/write.ts';
import { countsOf } from '../../../../testing/counts-of.ts';
import { chunkEntries, documentRecord, unitVector } from '../../../../testing/documents.ts';
import { openSqliteStore, type SqliteStore } from '../store.ts';

const words = ['apple', 'pear', 'plum', 'quince', 'medlar'];

interface State {
  readonly uri: string;
  readonly title: string;
  readonly chunks: readonly {
    readonly words: readonly string[];
    readonly place: string;
    readonly symbol: boolean;
  }[];
}

/** One state of one of two documents, whose chunks come, go, move, repeat and change what surrounds them. */
const state: fc.Arbitrary<State> = fc.record({
  uri: fc.constantFrom('one.md', 'two.md'),
  title: fc.constantFrom('First', 'Second'),
  chunks: fc.array(
    fc.record({
      words: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }),
      place: fc.constantFrom('', 'Section', 'Other section'),
      symbol: fc.boolean(),
    }),
    { maxLength: 8 },
  ),
});

function recordOf({ uri, title, chunks }: State): DocumentChange {
  const document = documentRecord(uri, { title });
  const texts = chunks.map((chunk) => chunk.words.join(' '));
  const entries = chunkEntries(document, texts).map(({ chunk }, at) => {
    const { place = '', symbol = false } = chunks[at] ?? {};
    const named = { ...chunk, section: place, header: place };
    const full = symbol
      ? { ...named, symbol: { kind: 'function', name: 'medlar', scope: [], signature: '' } as const }
      : named;
    return { chunk: full, embeddingKey: embeddingKey(embeddedText(full)) };
  });
  return { document, chunks: entries };
}

/** Everything that can be seen of a store. */
async function seen(store: SqliteStore): Promise<unknown> {
  const documents = (await store.documents()).toSorted((a, b) => (a.uri < b.uri ? -1 : 1));
  const chunks = await Promise.all(documents.map(({ id }) => chunksOf(store, id)));
  const found = await Promise.all(
    [...words, 'section', 'first', 'two'].map(async (word) =>
      (await store.searchText([word], { limit: 100 }))
        .map(({ chunk, document, score }) => `${document.uri} ${chunk.ordinal} ${score.toFixed(9)}`)
        .toSorted(),
    ),
  );
  const { documents: count, chunks: total } = await countsOf(store, 'space');
  const keys = (await store.missingVectors('space', 1000)).map(({ embeddingKey: key }) => key);
  return { documents, chunks, found, count, total, keys: keys.toSorted() };
}

async function defectsOf(store: SqliteStore): Promise<unknown[]> {
  const defects: unknown[] = [];
  for await (const defect of verifyStore(store)) defects.push(defect);
  return defects;
}

test('a store in which documents changed is the same as one that never knew anything else', async () => {
  const folder = await temporaryFolder();
  let count = 0;
  const next = () => openSqliteStore(join(folder, `${++count}.sqlite`));
  await fc.assert(
    fc.asyncProperty(fc.array(state, { minLength: 1, maxLength: 6 }), async (states) => {
      const [changed, fresh] = [next(), next()];
      for (const each of states) await putDocument(changed, recordOf(each));
      for (const each of new Map(states.map((one) => [one.uri, one])).values())
        await putDocument(fresh, recordOf(each));
      expect(await seen(changed)).toEqual(await seen(fresh));
      expect(await defectsOf(changed)).toEqual([]);
      await changed.close();
      await fresh.close();
    }),
    { numRuns: draws(60) },
  );
});

test('chunks that stay keep their rows and their vectors, wherever they stand now', async () => {
  const path = join(await temporaryFolder(), 'index.sqlite');
  const store = openSqliteStore(path);
  const document = documentRecord('long.md');
  const put = (texts: readonly string[]) =>
    putDocument(store, { document, chunks: chunkEntries(document, texts) });
  const rows = () => {
    const database = new DatabaseSync(path, { readOnly: true });
    const found = database.prepare('SELECT number, ordinal, text FROM chunks ORDER BY ordinal').all();
    database.close();
    return found.map(({ number, text }) => [text, number] as const);
  };
  await put(['one', 'two', 'three']);
  const vectors = chunkEntries(document, ['one', 'two', 'three']).map(({ embeddingKey: key }, at) => ({
    embeddingKey: key,
    vector: unitVector(`${at}`, 4),
  }));
  await addVectors(store, 'space', vectors);
  const before = new Map(rows());
  await put(['zero', 'three', 'one', 'last']);
  const after = rows();
  expect(after.map(([text]) => text)).toEqual(['zero', 'three', 'one', 'last']);
  const kept = after.filter(([text, number]) => before.get(text) === number).map(([text]) => text);
  expect(kept).toEqual(['three', 'one']);
  expect(await countsOf(store, 'space')).toMatchObject({ chunks: 4, embedded: 2 });
  expect(await defectsOf(store)).toEqual([]);
  await store.close();
});

test.each([
  [
    'put without any chunk',
    (store: SqliteStore) => putDocument(store, { document: documentRecord('one.md'), chunks: [] }),
  ],
  ['deleted', (store: SqliteStore) => deletePaths(store, ['one.md'])],
])('a store whose only document was %s is sound', async (_, change) => {
  const store = openSqliteStore(join(await temporaryFolder(), 'index.sqlite'));
  const document = documentRecord('one.md');
  await putDocument(store, { document, chunks: chunkEntries(document, ['one', 'two']) });
  await change(store);
  expect(await defectsOf(store)).toEqual([]);
  await store.close();
});

test('a row that was damaged is not written over: nobody knows which words it has in the text index', async () => {
  const path = join(await temporaryFolder(), 'index.sqlite');
  const store = openSqliteStore(path);
  const document = documentRecord('long.md');
  const entries = chunkEntries(document, ['one', 'two']);
  await putDocument(store, { document, chunks: entries });
  const database = new DatabaseSync(path);
  database.exec("UPDATE chunks SET header = 'broken' WHERE text = 'one'");
  database.close();
  expect(await defectsOf(store)).not.toEqual([]);
  await expect(putDocument(store, { document, chunks: entries })).rejects.toMatchObject({
    code: 'store-foreign',
  });
  expect(await repairStore(store)).toMatchObject({ isBeyondRepair: true });
  await store.close();
});
