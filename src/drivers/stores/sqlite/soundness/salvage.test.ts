import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../../../platform/clock.ts';
import { loadSqlite } from '../../../../platform/sqlite/load-sqlite.ts';
import { chunkEntries, documentRecord } from '../../../../testing/documents.ts';
import { temporaryFolder } from '../../../../testing/temporary-folder.ts';
import { openSqliteStore, type SqliteStore } from '../store.ts';
import { defectsOf, fillLibrary, library, tamper } from './library.fixture.ts';

let path: string;

beforeEach(async () => {
  path = join(await temporaryFolder(), 'index.sqlite');
  const store = openSqliteStore(path);
  await fillLibrary(store);
  await store.close();
  tamper(path, 'DROP INDEX chunks_by_id');
});

test('what others commit while the file is mended is there afterwards', async () => {
  const [store, other] = [open(), open()];
  const added: string[] = [];
  let isMended = false;
  const adding = async () => {
    while (!isMended) {
      const document = documentRecord(`virtual:${added.length}`);
      await other.put(document, chunkEntries(document, [`note ${added.length}`]));
      added.push(document.uri);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const work = adding();
  const { mended } = await store.repair();
  isMended = true;
  await work;
  expect(mended).not.toEqual([]);
  expect(await store.paths()).toEqual([...library.keys(), ...added].sort());
  expect(await defectsOf(store)).toEqual([]);
});

test('waits for another process that is writing when the file should be mended', async () => {
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  let waits = 0;
  // The other process ends its transaction while this one waits: only work of this process can bring that about.
  const clock = {
    now: systemClock.now,
    wait: async (milliseconds: number) => {
      if (milliseconds > 0) waits += 1;
      if (waits === 3 && other.isTransaction) other.exec('COMMIT');
    },
  };
  const store = open({ clock });
  other.exec("BEGIN IMMEDIATE; INSERT INTO facts VALUES ('other', 'first')");
  await store.repair();
  expect(waits).toBe(3);
  expect(await store.fact('other')).toBe('first');
  expect(await defectsOf(store)).toEqual([]);
});

test('what another process commits or begins at the very last moment is not overwritten', async () => {
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  const lastMoments = [
    "INSERT INTO facts VALUES ('committed', 'yes')",
    "BEGIN IMMEDIATE; INSERT INTO facts VALUES ('begun', 'yes')",
  ];
  const sqlite = loadSqlite();
  const { backup } = sqlite;
  const writing = vi.spyOn(sqlite, 'backup').mockImplementation((...given) => {
    other.exec(lastMoments.shift() ?? '');
    return backup(...given);
  });
  onTestFinished(() => writing.mockRestore());
  const clock = {
    now: systemClock.now,
    wait: async () => {
      if (other.isTransaction) other.exec('COMMIT');
    },
  };
  const store = open({ clock });
  await store.repair();
  expect(writing).toHaveBeenCalledTimes(3);
  expect([await store.fact('committed'), await store.fact('begun')]).toEqual(['yes', 'yes']);
  expect(await defectsOf(store)).toEqual([]);
});

// Windows lets nobody replace a file that is open.
test.skipIf(process.platform === 'win32')(
  'a sound file that takes the place of the damaged one at the very last moment is not overwritten',
  async () => {
    await writeNext();
    const sqlite = loadSqlite();
    const { backup } = sqlite;
    const writing = vi.spyOn(sqlite, 'backup').mockImplementation((...given) => {
      for (const ending of ['-wal', '-shm']) rmSync(`${path}${ending}`);
      renameSync(`${path}.next`, path);
      return backup(...given);
    });
    onTestFinished(() => writing.mockRestore());
    const store = open();
    await expect(store.repair()).rejects.toMatchObject({ message: expect.stringContaining('taken away') });
    expect(await store.paths()).toEqual(['next.md']);
    expect(await defectsOf(store)).toEqual([]);
  },
);

// Windows lets nobody move a file that is open.
describe.skipIf(process.platform === 'win32')('while its rows are copied', () => {
  test('an index that is taken away is not created again in its place', async () => {
    const store = open();
    atTheEndOfCopying(() => renameSync(path, `${path}.away`));
    await expect(store.repair()).rejects.toMatchObject({ message: expect.stringContaining('taken away') });
    expect(existsSync(path)).toBe(false);
    expect(existsSync(`${path}.mended`)).toBe(false);
  });

  test('a sound file that takes its place is not mixed with the log of the damaged one', async () => {
    await writeNext();
    const store = open();
    // What is committed and not yet in the file itself stands in the log, which is known by its name alone.
    await store.setFact('which', 'damaged');
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    atTheEndOfCopying(() => renameSync(`${path}.next`, path));
    await expect(store.repair()).rejects.toMatchObject({ message: expect.stringContaining('taken away') });
    expect(await store.paths()).toEqual(['next.md']);
    expect(await store.fact('which')).toBeUndefined();
    expect(await defectsOf(store)).toEqual([]);
  });
});

test('leaves no copy behind, and removes the one that a killed process left', async () => {
  const leftovers = ['.mended', '.mended-wal', '.mended-shm', '.mended-journal'];
  for (const rest of leftovers) writeFileSync(`${path}${rest}`, 'half');
  const store = open();
  await store.repair();
  await store.close();
  expect(readdirSync(dirname(path))).toEqual(['index.sqlite']);
  for (const rest of leftovers) writeFileSync(`${path}${rest}`, 'half');
  await open().close();
  expect(readdirSync(dirname(path))).toEqual(['index.sqlite']);
});

test('a copy that another process is making is left alone', async () => {
  const store = open();
  const maker = new DatabaseSync(path);
  maker.exec('BEGIN IMMEDIATE');
  writeFileSync(`${path}.mended`, 'half');
  await store.close();
  expect(existsSync(`${path}.mended`)).toBe(true);
  maker.close();
});

function open(options: Parameters<typeof openSqliteStore>[1] = {}): SqliteStore {
  const store = openSqliteStore(path, options);
  onTestFinished(() => store.close());
  return store;
}

/** Makes a sound index with one document, which may take the place of the damaged one. */
async function writeNext(): Promise<void> {
  const next = openSqliteStore(`${path}.next`);
  const document = documentRecord('next.md');
  await next.put(document, chunkEntries(document, ['next']));
  await next.close();
}

/** Does something as soon as the copy is made, and before it is put in place. */
function atTheEndOfCopying(happen: () => void): void {
  const sqlite = loadSqlite();
  const { backup } = sqlite;
  let hasHappened = false;
  const get = () => {
    if (!hasHappened) happen();
    hasHappened = true;
    return backup;
  };
  Object.defineProperty(sqlite, 'backup', { configurable: true, enumerable: true, get });
  const before = { configurable: true, enumerable: true, writable: true, value: backup };
  onTestFinished(() => void Object.defineProperty(sqlite, 'backup', before));
}
