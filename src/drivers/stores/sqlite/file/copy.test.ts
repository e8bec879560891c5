import { link, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../testing/temporary-folder.ts';
import { corpus } from '../graph/corpus.fixture.ts';
import { listGraphFiles } from '../graph/file.ts';
import { graphTest } from '../graph/graph-test.fixture.ts';
import { defectsOf, fillLibrary, readLibrary } from '../soundness/library.fixture.ts';
import { openSqliteStore } from '../store.ts';
import { NearestSearch } from '../vectors/nearest.ts';
import { Connection } from './connection.ts';
import { copyDatabase } from './copy.ts';

test('a copy is sound, reads like the original, and leaves nothing else behind', async () => {
  const from = join(await temporaryFolder(), 'index.sqlite');
  const to = join(await temporaryFolder(), "it's a copy.sqlite");
  const original = openSqliteStore(from);
  await fillLibrary(original);
  await copyDatabase(from, to);
  const copy = openSqliteStore(to);
  expect(await defectsOf(copy)).toEqual([]);
  expect(await readLibrary(copy)).toEqual(await readLibrary(original));
  await copy.close();
  await original.close();
  expect(await readdir(dirname(to))).toEqual(["it's a copy.sqlite"]);
});

test('searches are answered while a copy is made, however long it takes', async () => {
  const from = join(await temporaryFolder(), 'index.sqlite');
  const other = openSqliteStore(join(await temporaryFolder(), 'index.sqlite'));
  await fillLibrary(other);
  const store = openSqliteStore(from);
  await fillLibrary(store);
  await store.close();
  // A process that has the file for itself keeps the copy waiting: a process that stood still with it could never let it go.
  const keeper = new DatabaseSync(from);
  keeper.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE');
  const copying = copyDatabase(from, `${from}.copy`);
  for (let turn = 0; turn < 50; turn += 1) {
    await stat(from);
    expect(await other.searchText(['harbour'], { limit: 3 })).toHaveLength(3);
  }
  keeper.exec('ROLLBACK');
  keeper.close();
  await copying;
  const copy = openSqliteStore(`${from}.copy`);
  expect(await readLibrary(copy)).toEqual(await readLibrary(other));
  await copy.close();
  await other.close();
});

test('a copy that is stopped ends at once, though SQLite still waits for the file', async () => {
  const from = join(await temporaryFolder(), 'index.sqlite');
  const store = openSqliteStore(from);
  await fillLibrary(store);
  await store.close();
  const keeper = new DatabaseSync(from);
  keeper.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE');
  const stop = new AbortController();
  const copying = copyDatabase(from, `${from}.copy`, stop.signal);
  await stat(from);
  stop.abort();
  await expect(copying).rejects.toMatchObject({ code: 'interrupted' });
  // It is locked still: the copy did not wait for the lock.
  keeper.exec('COMMIT');
  keeper.close();
});

test('what cannot be copied is an error to act on, and no copy', async () => {
  const folder = await temporaryFolder();
  const from = join(folder, 'index.sqlite');
  await writeFile(from, 'This is no database, whatever its name says. '.repeat(100));
  await expect(copyDatabase(from, join(folder, 'copy'))).rejects.toMatchObject({ code: 'store-corrupt' });
  await expect(copyDatabase(join(folder, 'absent'), join(folder, 'copy'))).rejects.toMatchObject({
    code: 'store-unusable',
  });
  expect(await readdir(folder)).toEqual(['index.sqlite']);
});

test('a copy that cannot take its name is removed again', async () => {
  const folder = await temporaryFolder({ 'copy/in-the-way.txt': 'A folder.' });
  const from = join(folder, 'index.sqlite');
  await openSqliteStore(from).close();
  await expect(copyDatabase(from, join(folder, 'copy'))).rejects.toMatchObject({ code: 'store-unusable' });
  expect(await readdir(folder)).not.toContain('copy.tmp');
});

graphTest('a graph comes along, and answers in the copy', async () => {
  const limits = { exactBytes: 1, memoryBytes: 2 ** 30, graphBytes: 2 ** 30, narrowChunks: 10, threads: 1 };
  const { connection, make, path } = await corpus(10, 8);
  const nearest = new NearestSearch(connection, limits);
  for await (const _ of nearest.prepare('space'));
  const to = join(await temporaryFolder(), 'index.sqlite');
  await copyDatabase(path, to);
  const [graph] = listGraphFiles(to);
  expect((await stat(graph?.path ?? '')).size).toBe((await stat(listGraphFiles(path)[0]?.path ?? '')).size);
  const copied = new Connection(to);
  const inCopy = new NearestSearch(copied, limits);
  const vector = make();
  const search = (own: Connection, of: NearestSearch) =>
    own.read(() => of.search('space', vector, { limit: 5 }));
  expect(await search(copied, inCopy)).toEqual(await search(connection, nearest));
  // It was taken up: what does not fit is removed.
  expect(listGraphFiles(to)).toEqual([graph]);
  // A graph of the same name that stood there, and that another index shares, stays as it was for that one.
  const third = join(await temporaryFolder({ kept: 'of a third' }), 'kept');
  await rm(graph?.path ?? '');
  await link(third, graph?.path ?? '');
  await copyDatabase(path, to);
  expect(await readFile(third, 'utf8')).toBe('of a third');
  await inCopy.close();
  await nearest.close();
  copied.close();
  connection.close();
});
