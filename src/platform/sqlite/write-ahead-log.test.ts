import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { useWriteAheadLog } from './write-ahead-log.ts';

test('a new file gets its log without ever having a rollback journal beside it', async () => {
  const folder = await temporaryFolder();
  const seen = new Set<string | null>();
  const watcher = watch(folder, (_, name) => seen.add(name));
  const database = new DatabaseSync(join(folder, 'a.sqlite'), { defensive: true });
  useWriteAheadLog(database, ['page_size = 8192', 'auto_vacuum = INCREMENTAL']);
  database.exec('CREATE TABLE some (value)');
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  expect(database.prepare('PRAGMA auto_vacuum').get()).toEqual({ auto_vacuum: 2 });
  expect(database.prepare('PRAGMA page_size').get()).toEqual({ page_size: 8192 });
  await vi.waitFor(() => expect(seen).toContain('a.sqlite-wal'));
  expect([...seen].sort()).toEqual(['a.sqlite', 'a.sqlite-shm', 'a.sqlite-wal']);
  watcher.close();
  database.close();
});

test('who makes the same file at the same moment is waited for, though SQLite refuses at once', async () => {
  const path = join(await temporaryFolder(), 'a.sqlite');
  const holder = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(workerData);
    database.exec('BEGIN EXCLUSIVE');
    parentPort.postMessage('held');
    setTimeout(() => { database.exec('COMMIT'); database.close(); }, 200);`;
  const worker = new Worker(holder, { eval: true, workerData: path });
  const ended = once(worker, 'exit');
  await once(worker, 'message');
  const database = new DatabaseSync(path, { timeout: 0 });
  useWriteAheadLog(database, []);
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  database.close();
  await ended;
});
