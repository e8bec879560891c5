import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { chunkEntries, documentRecord } from '../../../../testing/documents.ts';
import { temporaryFolder } from '../../../../testing/temporary-folder.ts';
import { defectsOf } from '../soundness/library.fixture.ts';
import { openSqliteStore, type SqliteStore } from '../store.ts';
import { Connection } from './connection.ts';

/** Documents of the restored index: some pages more than the one it replaces. */
const restoredPaths = Array.from({ length: 40 }, (_, number) => `restored${number + 10}.md`);

let path: string;
let backup: string;

beforeEach(async () => {
  const folder = await temporaryFolder();
  [path, backup] = [join(folder, 'index.sqlite'), join(folder, 'backup.sqlite')];
  const store = openSqliteStore(backup);
  for (const uri of restoredPaths) await putText(store, uri);
  await store.close();
});

// Windows lets nobody replace a file that is open.
describe.skipIf(process.platform === 'win32')('an index that is replaced without its log', () => {
  test.each(['-shm and -wal', '-shm', '-wal'])('takes nothing of the former one: %s left', async (left) => {
    const store = await written();
    const former = statSync(`${path}-shm`).ino;
    restore();
    for (const ending of ['-wal', '-shm']) if (!left.includes(ending)) rmSync(`${path}${ending}`);
    expect(await store.paths()).toEqual(restoredPaths);
    // Two files that share it undo each other's locks.
    expect(statSync(`${path}-shm`).ino).not.toBe(former);
    await putText(store, 'added.md');
    expect(await defectsOf(store)).toEqual([]);
    await store.close();
    expect(readdirSync(dirname(path))).toEqual(['backup.sqlite', 'index.sqlite']);
    const later = opened();
    expect(await later.paths()).toEqual(['added.md', ...restoredPaths]);
    expect(await defectsOf(later)).toEqual([]);
  });

  test('is sound for all who have it open, no matter which looks first and what for', async () => {
    const stores = [await written(), opened()] as const;
    restore();
    expect(await defectsOf(stores[0])).toEqual([]);
    await putText(stores[1], 'added.md');
    for (const store of stores) {
      expect(await store.paths()).toEqual(['added.md', ...restoredPaths]);
      expect(await defectsOf(store)).toEqual([]);
    }
  });

  test('keeps the log that came along with it', async () => {
    const source = new Connection(backup);
    onTestFinished(() => source.close());
    await source.write(() => source.run("INSERT INTO facts VALUES ('name', 'in the log')"));
    const store = await written();
    for (const ending of ['', '-wal']) {
      copyFileSync(`${backup}${ending}`, `${path}${ending}.new`);
      renameSync(`${path}${ending}.new`, `${path}${ending}`);
    }
    expect(await store.fact('name')).toBe('in the log');
    expect(await defectsOf(store)).toEqual([]);
  });

  test('is refused, and its log stays, while somebody else has it open with that log', async () => {
    const connection = new Connection(path, { busyTimeout: 0 });
    onTestFinished(() => connection.close());
    await connection.write(() => undefined);
    connection.checkpoint();
    restore();
    const other = new DatabaseSync(path);
    other.exec("INSERT INTO facts VALUES ('name', 'of the other')");
    const read = () => connection.read(() => connection.get("SELECT value FROM facts WHERE name = 'name'"));
    await expect(read()).rejects.toMatchObject({
      code: 'store-busy',
      message: expect.stringContaining('replaced'),
    });
    expect(existsSync(`${path}-wal`)).toBe(true);
    expect(() => connection.sibling()).toThrow(expect.objectContaining({ code: 'store-busy' }));
    other.close();
    expect(await read()).toEqual({ value: 'of the other' });
  });

  test('is reported as damaged where it is no index, and read again as soon as there is one', async () => {
    const store = await written();
    writeFileSync(`${path}.new`, 'no index at all, however long it may be'.repeat(100));
    renameSync(`${path}.new`, path);
    await expect(store.paths()).rejects.toMatchObject({ code: 'store-corrupt' });
    restore();
    expect(await store.paths()).toEqual(restoredPaths);
    await store.close();
    expect(readdirSync(dirname(path))).toEqual(['backup.sqlite', 'index.sqlite']);
  });

  test('stays one that nobody writes where it was opened so', async () => {
    await (await written()).close();
    const store = opened({ still: true });
    expect(await store.paths()).toEqual(['old.md']);
    restore();
    expect(await store.paths()).toEqual(restoredPaths);
    await expect(store.setFact('name', 'value')).rejects.toMatchObject({ code: 'store-unusable' });
    expect(existsSync(`${path}-wal`)).toBe(false);
  });
});

function opened(options: Parameters<typeof openSqliteStore>[1] = {}): SqliteStore {
  const store = openSqliteStore(path, options);
  onTestFinished(() => store.close());
  return store;
}

/** A store of an index that was closed once, with a later change in its log. */
async function written(): Promise<SqliteStore> {
  await openSqliteStore(path).close();
  const store = opened();
  await putText(store, 'old.md');
  return store;
}

async function putText(store: SqliteStore, uri: string): Promise<void> {
  const document = documentRecord(uri);
  await store.put(document, chunkEntries(document, [`harbour ${uri} `.repeat(100)]));
}

/** Puts the backup in place in one step, as a user who restores a single file does. */
function restore(): void {
  copyFileSync(backup, `${path}.new`);
  renameSync(`${path}.new`, path);
}
