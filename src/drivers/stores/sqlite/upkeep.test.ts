import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import type { Store } from '../../../contracts/store.ts';
import { verifyStore } from '../../../index/verify.ts';
import { addVectors, deletePaths, dropSpace, putDocument } from '../../../index/write.ts';
import { chunkEntries, documentRecord, unitVector } from '../../../testing/documents.ts';
import { openSqliteStore } from './store.ts';

// No two of them begin alike, so that the text index keeps each in full; no stem shortens them.
const secrets = ['qzjxkv', 'wvbqzk', 'xkzqjw'];

let path: string;
/** A file with this many documents: they are put once, and copied for each test that needs many. */
const many = 400;
let full: Buffer;

beforeAll(async () => {
  const file = join(await temporaryFolder(), 'index.sqlite');
  const store = openSqliteStore(file);
  await fill(store, many);
  await store.close();
  full = readFileSync(file);
});

beforeEach(async () => {
  path = join(await temporaryFolder(), 'index.sqlite');
});

describe('text that was deleted leaves no trace in the file', () => {
  test.each([
    { isLarge: false, how: 'a small index, whose segments are merged' },
    { isLarge: true, how: 'a larger index, from which few rows are cut out at once' },
  ])('of $how', async ({ isLarge }) => {
    const store = isLarge ? openFull() : openSqliteStore(path);
    if (!isLarge) await fill(store, 3);
    await putSecrets(store);
    await store.close();
    expect(tracesOf(secrets)).toEqual(secrets);

    const again = openSqliteStore(path);
    await deletePaths(again, ['secret.md']);
    await again.close();
    expect(tracesOf(secrets)).toEqual([]);
  });

  test('when the document is put without it', async () => {
    const store = openFull();
    await putSecrets(store);
    const document = documentRecord('secret.md');
    await putDocument(store, { document, chunks: chunkEntries(document, ['harmless']) });
    await store.close();
    expect(tracesOf(secrets)).toEqual([]);
  });

  test('when every document was put again', async () => {
    const store = openFull();
    await putSecrets(store);
    await fill(store, many);
    await deletePaths(store, ['secret.md']);
    await store.close();
    expect(tracesOf(secrets)).toEqual([]);
  });
});

test('words of deleted documents go from an open store as soon as it has time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const store = openSqliteStore(path);
  await fill(store, 30);
  await putSecrets(store);
  await deletePaths(store, ['secret.md']);
  vi.runAllTimers();
  vi.useRealTimers();
  while (lingering() > 0) await turn();
  expect(await store.searchText([secrets[0] ?? ''], { limit: 5 })).toEqual([]);
  await store.close();
});

test('what was put and deleted stands neither in the file nor in its log once an open store has had time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const [store, reader] = [openFull(), openSqliteStore(path)];
  await putSecrets(store);
  expect(tracesOf(secrets, `${path}-wal`)).toEqual(secrets);
  await reader.paths();
  await deletePaths(store, ['secret.md']);
  vi.runAllTimers();
  vi.useRealTimers();
  while (statSync(`${path}-wal`).size > 0) await turn();
  expect(tracesOf(secrets)).toEqual([]);
  await store.close();
  await reader.close();
});

test('what was deleted leaves the log as soon as nobody reads a state that needs it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const store = openSqliteStore(path);
  await fill(store, 3);
  await putSecrets(store);
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.exec('BEGIN; SELECT * FROM facts');
  await deletePaths(store, ['secret.md']);
  // The first look is in vain: a timer for the next one stands there when it is over.
  vi.runOnlyPendingTimers();
  while (vi.getTimerCount() === 0) await turn();
  expect(tracesOf(secrets, `${path}-wal`)).toEqual(secrets);
  reader.close();
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
  while (statSync(`${path}-wal`).size > 0) await turn();
  expect(tracesOf(secrets)).toEqual([]);
  await store.close();
});

test('words of replaced documents do not pile up while the store stays open', async () => {
  const store = openSqliteStore(path);
  await fill(store, 60);
  const bytes = await store.bytes();
  for (let round = 0; round < 20; round += 1) await fill(store, 60);
  expect(await store.bytes()).toBeLessThan(bytes * 4);
  await store.close();
});

test('a file from which most was deleted shrinks', async () => {
  const before = full.length;
  const again = openFull();
  await deletePaths(again, (await again.paths()).slice(20));
  await again.close();
  expect(statSync(path).size).toBeLessThan(before / 3);
  const last = openSqliteStore(path);
  expect((await last.paths()).length).toBe(20);
  for await (const defect of verifyStore(last)) expect.fail(defect.detail);
  await last.close();
});

test('a file from which a vector space was dropped shrinks', async () => {
  const store = openSqliteStore(path);
  await fill(store, 50);
  const missing = await store.missingVectors('space', 1000);
  const entries = missing.map(({ embeddingKey }) => ({
    embeddingKey,
    vector: unitVector(embeddingKey, 8192),
  }));
  for (const space of ['a', 'b', 'c', 'd']) await addVectors(store, space, entries);
  const bytes = await store.bytes();
  for (const space of ['b', 'c', 'd']) await dropSpace(store, space);
  expect(await store.bytes()).toBeLessThan(bytes / 2);
  await store.close();
});

test('tidying up changes nothing that a reader sees', async () => {
  const [store, reader] = [openSqliteStore(path), openSqliteStore(path)];
  await fill(store, 40);
  await deletePaths(store, ['file3.md']);
  const [revision, found] = [
    (await reader.state()).revision,
    await reader.searchText(['common'], { limit: 50 }),
  ];
  await store.commit({ removed: [] });
  await store.close();
  // An empty deletion is a committed change like any other; what follows it is none.
  expect((await reader.state()).revision).toBe(revision + 1);
  expect(await reader.searchText(['common'], { limit: 50 })).toEqual(found);
  await reader.close();
});

function openFull() {
  writeFileSync(path, full);
  return openSqliteStore(path);
}

async function fill(store: Store, documents: number): Promise<void> {
  for (let number = 0; number < documents; number += 1) {
    const document = documentRecord(`file${number}.md`);
    const words = Array.from({ length: 120 }, (_, word) => `word${(number * 7 + word) % 900}`).join(' ');
    await putDocument(store, { document, chunks: chunkEntries(document, [`${words} common`]) });
  }
}

async function putSecrets(store: Store): Promise<void> {
  const document = documentRecord('secret.md');
  await putDocument(store, { document, chunks: chunkEntries(document, [secrets.join(' ')]) });
}

/** How many removed rows have words in the file, as it says itself. */
function lingering(): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const row = database.prepare('SELECT lingering FROM text_upkeep').get();
  database.close();
  return Number(row?.lingering);
}

/** Lets the work that is under way continue. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Those of the words that still stand anywhere in the file. */
function tracesOf(words: readonly string[], file = path): string[] {
  const bytes = readFileSync(file);
  return words.filter((word) => bytes.includes(word) || bytes.includes(word.slice(1)));
}
