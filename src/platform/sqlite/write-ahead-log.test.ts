import { watch } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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
