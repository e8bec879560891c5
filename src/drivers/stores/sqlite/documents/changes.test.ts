import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { createVirtualClock } from '../../../../../test/virtual-clock.ts';
import { chunksOf } from '../../../../index/chunks-of.ts';
import { verifyStore } from '../../../../index/verify.ts';
import { deletePaths, putDocument } from '../../../../index/write.ts';
import { chunkEntries, documentRecord } from '../../../../testing/documents.ts';
import { openSqliteStore, type SqliteStore } from '../store.ts';

async function openStore(): Promise<SqliteStore> {
  return openSqliteStore(join(await temporaryFolder(), 'index.sqlite'));
}

function put(store: SqliteStore, uri: string, texts: readonly string[], vector?: Float32Array) {
  const record = documentRecord(uri);
  const entries = chunkEntries(record, texts);
  const given = entries.map(({ embeddingKey }) => ({
    embeddingKey,
    vector: vector ?? Float32Array.of(1, 0),
  }));
  return putDocument(store, { document: record, chunks: entries, vectors: new Map([['space', given]]) });
}

it('commits documents together that are put at once, and readers see all of them', async () => {
  const store = await openStore();
  const before = (await store.state()).revision;
  await Promise.all(['a.md', 'b.md', 'c.md'].map((uri) => put(store, uri, [`text of ${uri}`])));
  expect((await store.state()).revision).toBe(before + 1);
  expect(await store.paths()).toEqual(['a.md', 'b.md', 'c.md']);
  await store.close();
});

it('keeps a transaction short: no more than a hundred chunks, but for one document', async () => {
  const store = await openStore();
  const before = (await store.state()).revision;
  const texts = (count: number) => Array.from({ length: count }, (_, number) => `part ${number}`);
  await Promise.all([
    put(store, 'long.md', texts(300)),
    put(store, 'half.md', texts(60)),
    put(store, 'other half.md', texts(60)),
  ]);
  expect((await store.state()).revision).toBe(before + 3);
  await store.close();
});

it('lets the others stand where one document is refused', async () => {
  const store = await openStore();
  const outcomes = await Promise.allSettled([
    put(store, 'a.md', ['first']),
    put(store, 'bad.md', ['second'], Float32Array.of(1, 0, 0)),
    put(store, 'c.md', ['third']),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ reason: { code: 'vector-invalid' } });
  expect(await store.paths()).toEqual(['a.md', 'c.md']);
  await store.close();
});

it('keeps the order of all changes that are asked for', async () => {
  const store = await openStore();
  await Promise.all([
    put(store, 'a.md', ['first']),
    deletePaths(store, ['a.md', 'b.md']),
    put(store, 'b.md', ['second']),
    put(store, 'b.md', ['third']),
    deletePaths(store, ['c.md']),
  ]);
  expect(await store.paths()).toEqual(['b.md']);
  const [chunk] = await chunksOf(store, documentRecord('b.md').id);
  expect(chunk?.text).toBe('third');
  await store.close();
});

it('finds documents by their words that were put at once, and the last of those that were put twice', async () => {
  const store = await openStore();
  const before = (await store.state()).revision;
  await Promise.all([
    put(store, 'a.md', ['alpha', 'common']),
    put(store, 'b.md', ['beta', 'common']),
    put(store, 'a.md', ['gamma', 'common']),
    put(store, 'c.md', ['delta', 'common']),
  ]);
  const found = async (word: string) =>
    (await store.searchText([word], { limit: 10 })).map(({ document }) => document.uri).sort();
  // FTS5 cannot forget words that it has not been given yet: the second text of a document is in a transaction of its own.
  expect((await store.state()).revision).toBe(before + 2);
  expect(await found('alpha')).toEqual([]);
  expect(await found('gamma')).toEqual(['a.md']);
  expect(await found('beta')).toEqual(['b.md']);
  expect(await found('common')).toEqual(['a.md', 'b.md', 'c.md']);
  for await (const defect of verifyStore(store)) expect.fail(defect.detail);
  await store.close();
});

it('finds by their words those that stand where one document is refused', async () => {
  const store = await openStore();
  await Promise.allSettled([
    put(store, 'a.md', ['first word']),
    put(store, 'bad.md', ['second word'], Float32Array.of(1, 0, 0)),
    put(store, 'c.md', ['third word']),
  ]);
  const hits = await store.searchText(['word'], { limit: 10 });
  expect(hits.map(({ document }) => document.uri).sort()).toEqual(['a.md', 'c.md']);
  await store.close();
});

it('finishes what was begun before it is closed', async () => {
  const folder = await temporaryFolder();
  const store = openSqliteStore(join(folder, 'index.sqlite'));
  const committing = store.commit({ facts: new Map([['name', 'value']]) });
  await store.close();
  await committing;
  const again = openSqliteStore(join(folder, 'index.sqlite'));
  expect((await again.state()).facts.get('name')).toBe('value');
  await again.close();
});

it('waits once for another process that does not let go, and not once for each document', async () => {
  const path = join(await temporaryFolder(), 'index.sqlite');
  const clock = createVirtualClock();
  const store = openSqliteStore(path, { clock, busyTimeout: 500 });
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  const before = clock.now();
  const outcomes = await Promise.allSettled(['a.md', 'b.md', 'c.md'].map((uri) => put(store, uri, ['text'])));
  expect(outcomes.map((outcome) => 'reason' in outcome && outcome.reason.code)).toEqual([
    'store-busy',
    'store-busy',
    'store-busy',
  ]);
  expect(clock.now() - before).toBeLessThan(1000);
  other.close();
  await store.close();
});
