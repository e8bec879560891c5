import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyStore } from '../../../../index/verify.ts';
import { putDocument, setFact } from '../../../../index/write.ts';
import { chunkEntries, documentRecord } from '../../../../testing/documents.ts';
import { openSqliteStore } from '../store.ts';
import { migrate } from './schema.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-schema-'));
  path = join(folder, 'index.sqlite');
});
afterEach(() => rm(folder, { recursive: true }));

describe('layouts', () => {
  const steps = ['CREATE TABLE a (x); INSERT INTO a VALUES (1);', 'ALTER TABLE a ADD COLUMN y DEFAULT 2;'];
  const nobody = () => undefined;

  test('an older file takes only the steps it lacks and keeps its data', () => {
    const database = new DatabaseSync(path);
    let named = 0;
    const name = () => {
      named += 1;
    };
    migrate(database, name, steps.slice(0, 1));
    migrate(database, name, steps);
    migrate(database, name, steps);
    expect({ ...database.prepare('SELECT x, y FROM a').get() }).toEqual({ x: 1, y: 2 });
    expect(database.prepare('PRAGMA user_version').get()).toMatchObject({ user_version: 7 });
    expect(named).toBe(1);
    database.close();
  });

  test('the text index is rebuilt where it was made by other rules', async () => {
    await fillStore();
    alter("UPDATE text_upkeep SET recipe = 'other'; DELETE FROM chunk_terms_docsize", { defensive: false });
    const store = openSqliteStore(path);
    expect(await store.searchText(['text'], { limit: 100 })).toHaveLength(20);
    for await (const defect of verifyStore(store)) expect.fail(defect.detail);
    await store.close();
  });

  test('a step that fails leaves the file as it was', () => {
    const database = new DatabaseSync(path);
    migrate(database, nobody, steps.slice(0, 1));
    const failing = [...steps, 'CREATE TABLE a (x)'];
    expect(() => migrate(database, nobody, failing)).toThrow();
    expect({ ...database.prepare('SELECT * FROM a').get() }).toEqual({ x: 1 });
    expect(database.prepare('PRAGMA user_version').get()).toMatchObject({ user_version: 6 });
    database.close();
  });

  test('a file of a newer Quarry is refused and left alone', async () => {
    await openSqliteStore(path).close();
    alter('PRAGMA user_version = 1000');
    const before = readFileSync(path);
    expect(() => openSqliteStore(path)).toThrow(expect.objectContaining({ code: 'store-too-new' }));
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('damage', () => {
  test.each([99, 600, 10_000])('a file of %i bytes that is no database is corrupt', (bytes) => {
    writeFileSync(path, 'not a database '.repeat(1000).slice(0, bytes));
    expect(() => openSqliteStore(path)).toThrow(expect.objectContaining({ code: 'store-corrupt' }));
  });

  test('an empty file becomes a store', async () => {
    writeFileSync(path, '');
    const store = openSqliteStore(path);
    expect((await store.state()).isEmpty).toBe(true);
    await store.close();
  });

  test.each([100, 4096])('a file overwritten from byte %i on is corrupt, with a remedy', async (from) => {
    await fillStore();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xa5, from));
    await expect(readEverything()).rejects.toMatchObject({
      code: 'store-corrupt',
      remedy: 'Run: quarry repair',
    });
  });

  test('a file cut short is corrupt', async () => {
    await fillStore();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, 8192));
    await expect(readEverything()).rejects.toMatchObject({ code: 'store-corrupt' });
  });
});

describe('obstacles', () => {
  test('a folder that does not exist is unusable, and one in place of the file is refused', () => {
    const missing = join(folder, 'missing', 'index.sqlite');
    expect(() => openSqliteStore(missing)).toThrow(expect.objectContaining({ code: 'store-unusable' }));
    expect(() => openSqliteStore(folder)).toThrow(expect.objectContaining({ code: 'path-unsafe' }));
  });

  test('a writer gives up on one that never ends, while readers continue', async () => {
    const store = openSqliteStore(path, { busyTimeout: 20 });
    await setFact(store, 'name', 'old');
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    await expect(setFact(store, 'name', 'new')).rejects.toMatchObject({ code: 'store-busy' });
    expect((await store.state()).facts.get('name')).toBe('old');
    other.exec('ROLLBACK');
    await setFact(store, 'name', 'new');
    expect((await store.state()).facts.get('name')).toBe('new');
    other.close();
    await store.close();
  });
});

function alter(sql: string, options: { defensive?: boolean } = {}): void {
  const database = new DatabaseSync(path, options);
  database.exec(sql);
  database.close();
}

async function fillStore(): Promise<void> {
  const store = openSqliteStore(path);
  for (let number = 0; number < 20; number += 1) {
    const document = documentRecord(`file${number}.md`);
    await putDocument(store, { document, chunks: chunkEntries(document, [`text ${number} `.repeat(200)]) });
  }
  await store.close();
}

async function readEverything(): Promise<void> {
  const store = openSqliteStore(path);
  try {
    await store.documents();
    await store.searchText(['text'], { limit: 100 });
    await store.missingVectors('space', 100);
  } finally {
    await store.close();
  }
}
