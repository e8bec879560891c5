import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import type { Store } from '../../../../contracts/store.ts';
import { verifyStore } from '../../../../index/verify.ts';
import { addVectors, dropSpace, putDocument } from '../../../../index/write.ts';
import { countsOf } from '../../../../testing/counts-of.ts';
import { angleVector, chunkEntries, documentRecord } from '../../../../testing/documents.ts';
import { Connection } from '../file/connection.ts';
import { openSqliteStore } from '../store.ts';
import { dropSpace as beginDropping } from './dropped-spaces.ts';

let path: string;

beforeEach(async () => {
  path = join(await temporaryFolder(), 'index.sqlite');
});

test('a large space is dropped in steps, between which the process does other work', async () => {
  const store = await filled(7_000);
  let turns = 0;
  let isDropped = false;
  const count = () => {
    turns += 1;
    if (!isDropped) setImmediate(count);
  };
  setImmediate(count);
  await dropSpace(store, 'space');
  isDropped = true;
  expect(turns).toBeGreaterThan(2);
  expect([[...(await store.state()).spaces.keys()], vectors()]).toEqual([[], 0]);
});

test('a space whose dropping was begun by a killed process is gone, and its vectors follow', async () => {
  await (await filled(5_000)).close();
  const killed = new Connection(path);
  await killed.write(() => beginDropping(killed, 'space'));
  killed.close();
  const store = openSqliteStore(path);
  expect([...(await store.state()).spaces.keys()]).toEqual([]);
  expect((await store.state()).spaces.get('space')?.dimensions).toBeUndefined();
  expect(await store.searchVector('space', angleVector(0), { limit: 5 })).toEqual([]);
  expect((await countsOf(store, 'space')).embedded).toBe(0);
  for await (const defect of verifyStore(store)) expect.fail(defect.detail);
  // The same name may be used again at once.
  const [missing] = await store.missingVectors('space', 1);
  await addVectors(store, 'space', [
    { embeddingKey: missing?.embeddingKey ?? '', vector: Float32Array.of(1, 0, 0) },
  ]);
  expect(await store.searchVector('space', Float32Array.of(1, 0, 0), { limit: 5 })).toHaveLength(1);
  await store.close();
  expect(vectors()).toBe(1);
});

test('dropping a space that another process stands in the way of ends when the store is closed', async () => {
  const store = await filled(10);
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  const dropping = dropSpace(store, 'space');
  await new Promise((resolve) => setImmediate(resolve));
  other.exec('BEGIN IMMEDIATE');
  await dropping;
  expect([...(await store.state()).spaces.keys()]).toEqual([]);
  other.exec('ROLLBACK');
  await store.close();
  expect(vectors()).toBe(0);
});

/** A store with a document and so many vectors of two dimensions. */
async function filled(count: number): Promise<Store> {
  const store = openSqliteStore(path);
  onTestFinished(() => store.close());
  const document = documentRecord('a.md');
  const entries = chunkEntries(
    document,
    Array.from({ length: count }, (_, number) => `text ${number}`),
  );
  await putDocument(store, { document, chunks: entries });
  await addVectors(
    store,
    'space',
    entries.map(({ embeddingKey }, number) => ({ embeddingKey, vector: angleVector(number % 360) })),
  );
  return store;
}

function vectors(): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const row = database.prepare('SELECT count(*) AS count FROM vectors').get();
  database.close();
  return Number(row?.count);
}
