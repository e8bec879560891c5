import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { putHotJournal } from './hot-journal.fixture.ts';
import { loadSqlite } from './load-sqlite.ts';
import { tryLock, waitForLock } from './writer-lock.ts';

const lockUrl = new URL('./writer-lock.ts', import.meta.url).href;

/** A process that takes the lock, says so and holds it until it is killed. */
async function holder(path: string) {
  const program = `
    const { waitForLock } = await import(${JSON.stringify(lockUrl)});
    const lock = await waitForLock(${JSON.stringify(path)});
    console.log('held');
    setInterval(() => lock, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  await once(child.stdout, 'data');
  return child;
}

test('only one holder at a time, also within a process', async () => {
  const path = join(await temporaryFolder(), 'writer.lock');
  const lock = await tryLock(path);
  expect(lock).toBeDefined();
  expect(await tryLock(path)).toBeUndefined();
  lock?.release();
  lock?.release();
  const again = await tryLock(path);
  expect(again).toBeDefined();
  again?.release();
});

test('another process is waited for, and its death by force lets the lock go', async () => {
  const path = join(await temporaryFolder(), 'writer.lock');
  const child = await holder(path);
  expect(await tryLock(path)).toBeUndefined();
  let waits = 0;
  const taken = waitForLock(path, {
    onWait: () => {
      waits += 1;
      child.kill('SIGKILL');
    },
  });
  (await taken).release();
  expect(waits).toBe(1);
});

test('a process that waits can be stopped', async () => {
  const path = join(await temporaryFolder(), 'writer.lock');
  const lock = await tryLock(path);
  const controller = new AbortController();
  const waiting = waitForLock(path, { signal: controller.signal, onWait: () => controller.abort() });
  await expect(waiting).rejects.toMatchObject({ code: 'interrupted' });
  lock?.release();
});

test('a file in its place that is no lock is an error with the remedy', async () => {
  const path = join(await temporaryFolder(), 'writer.lock');
  await writeFile(path, 'x'.repeat(5000));
  await expect(tryLock(path)).rejects.toMatchObject({ code: 'store-unusable' });
});

test('a database in its place is not opened: its journal would have SQLite remove a file of the user', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'writer.lock');
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE a (x)');
  database.close();
  const treasure = putHotJournal(path, folder);
  await expect(tryLock(path)).rejects.toMatchObject({ code: 'store-unusable' });
  expect(existsSync(treasure)).toBe(true);
});

test('a lock whose file was removed is no lock: a process that waits takes the one in its place', async () => {
  const folder = join(await temporaryFolder(), 'state');
  const path = join(folder, 'writer.lock');
  await mkdir(folder);
  const held = await tryLock(path);
  let looks = 0;
  const taken = await waitForLock(path, {
    async beforeLook() {
      looks += 1;
      if (looks === 2) await rm(folder, { recursive: true });
      await mkdir(folder, { recursive: true });
    },
  });
  expect(looks).toBe(2);
  expect(await tryLock(path)).toBeUndefined();
  held?.release();
  expect(await tryLock(path)).toBeUndefined();
  taken.release();
});

test('an attempt of the same process does not end the lock that it holds', async () => {
  const path = join(await temporaryFolder(), 'writer.lock');
  const lock = await tryLock(path);
  expect(await tryLock(path)).toBeUndefined();
  const program = `
    const { tryLock } = await import(${JSON.stringify(lockUrl)});
    console.log((await tryLock(${JSON.stringify(path)})) === undefined ? 'refused' : 'taken');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  const [said] = await once(child.stdout, 'data');
  expect(String(said).trim()).toBe('refused');
  lock?.release();
});
