import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { angleVector, chunkEntries, documentRecord } from '../../../../testing/documents.ts';
import { driverContext } from '../../../../testing/driver-context.ts';
import { temporaryFolder } from '../../../../testing/temporary-folder.ts';
import driver from '../driver.ts';
import { openSqliteStore, type SqliteStore } from '../store.ts';
import { Connection } from './connection.ts';

let path: string;

beforeEach(async () => {
  path = join(await temporaryFolder(), 'index.sqlite');
});

// Windows lets nobody move or remove a file that is open.
describe.skipIf(process.platform === 'win32')('a store whose file another process set aside', () => {
  test('continues in the file that is there now, and what it adds is found there', async () => {
    const store = await opened('old.md', 10);
    await discard();
    const other = await opened('new.md', 80);
    expect(await read(store)).toEqual(await read(other));
    await putText(store, 'added.md', 40);
    expect(await other.paths()).toEqual(['added.md', 'new.md']);
    await Promise.all([store.close(), other.close()]);
    expect(pathsInFile()).toEqual(['added.md', 'new.md']);
  });

  test('gives no answer from what it kept of the former one, though both were changed as often', async () => {
    const store = await opened('old.md', 10);
    expect(await read(store)).toEqual({ paths: ['old.md'], found: ['old.md'], isNear: true });
    const revision = await store.revision();
    await discard();
    const other = await opened('new.md', 80);
    expect(await other.revision()).toBe(revision);
    expect(await store.revision()).not.toBe(revision);
    expect(await read(store)).toEqual({ paths: ['new.md'], found: ['new.md'], isNear: false });
  });

  test('reads on and refuses to write while no file stands there, and makes none by itself', async () => {
    const store = await opened('old.md', 10);
    await discard();
    const gone = { code: 'store-unusable', message: expect.stringContaining('taken away') };
    await expect(store.setFact('name', 'value')).rejects.toMatchObject(gone);
    await expect(store.repair()).rejects.toMatchObject(gone);
    expect((await read(store)).paths).toEqual(['old.md']);
    for await (const defect of store.verify()) expect.fail(defect.detail);
    await store.close();
    expect(existsSync(path)).toBe(false);
  });

  test('continues where there is a file again after there was none', async () => {
    const store = await opened('old.md', 10);
    await discard();
    await store.paths();
    await opened('new.md', 80);
    expect(await store.paths()).toEqual(['new.md']);
  });

  test('writes a change once more that was made while its file was taken away', async () => {
    const connection = new Connection(path);
    onTestFinished(() => connection.close());
    let isFirst = true;
    await connection.write(() => {
      connection.run("INSERT INTO facts VALUES ('name', 'value')");
      if (isFirst) swapForEmpty();
      isFirst = false;
    });
    const other = openSqliteStore(path);
    onTestFinished(() => other.close());
    expect(await other.fact('name')).toBe('value');
  });

  test('can be set aside though its file is gone already', async () => {
    await openSqliteStore(path).close();
    rmSync(path);
    await discard();
    expect(existsSync(path)).toBe(false);
  });
});

describe.skipIf(process.platform === 'win32')('a store whose file cannot be opened again', () => {
  test.each([{ still: true }, { still: false }])('continues as soon as it can: %o', async (options) => {
    await (await opened('a.md', 10)).close();
    const store = openSqliteStore(path, options);
    onTestFinished(() => store.close());
    expect(await store.paths()).toEqual(['a.md']);
    renameSync(path, `${path}.away`);
    for (const rest of ['-wal', '-shm']) rmSync(`${path}${rest}`, { force: true });
    writeFileSync(path, 'no index at all, however long it may be'.repeat(100));
    await expect(store.paths()).rejects.toMatchObject({ code: 'store-corrupt' });
    rmSync(path);
    expect(await store.paths()).toEqual(['a.md']);
    renameSync(`${path}.away`, path);
    expect(await store.paths()).toEqual(['a.md']);
  });
});

test('a process that goes to another folder keeps its index', async () => {
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  process.chdir(await temporaryFolder());
  const store = openSqliteStore('index.sqlite');
  onTestFinished(() => store.close());
  process.chdir(before);
  await putText(store, 'a.md', 10);
  expect(await store.paths()).toEqual(['a.md']);
});

async function opened(uri: string, angle: number): Promise<SqliteStore> {
  const store = openSqliteStore(path);
  onTestFinished(() => store.close());
  await putText(store, uri, angle);
  return store;
}

async function putText(store: SqliteStore, uri: string, angle: number): Promise<void> {
  const document = documentRecord(uri);
  const entries = chunkEntries(document, [`harbour ${uri}`]);
  await store.put(document, entries);
  await store.addVectors(
    'space',
    entries.map(({ embeddingKey }) => ({ embeddingKey, vector: angleVector(angle) })),
  );
}

async function read(store: SqliteStore) {
  const found = await store.searchText(['harbour'], { limit: 9 });
  const [nearest] = await store.searchVector('space', angleVector(0), { limit: 1 });
  return {
    paths: await store.paths(),
    found: found.map(({ document }) => document.uri),
    isNear: (nearest?.score ?? 0) > 0.9,
  };
}

async function discard(): Promise<void> {
  await driver.discard?.({ path }, driverContext({}));
}

function swapForEmpty(): void {
  renameSync(path, `${path}.damaged`);
  for (const rest of ['-wal', '-shm']) rmSync(`${path}${rest}`);
  new Connection(path).close();
}

function pathsInFile(): unknown[] {
  const database = new DatabaseSync(path);
  const rows = database.prepare('SELECT uri FROM documents ORDER BY uri').all();
  database.close();
  return rows.map(({ uri }) => uri);
}
