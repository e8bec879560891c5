import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { repairStore } from '../../../../index/repair.ts';
import { verifyStore } from '../../../../index/verify.ts';
import { putDocument, setFact } from '../../../../index/write.ts';
import { chunkEntries, documentRecord } from '../../../../testing/documents.ts';
import { openSqliteStore, type SqliteStore } from '../store.ts';
import { Connection } from './connection.ts';

const gone = { code: 'store-unusable', message: expect.stringContaining('removed while it was open') };

let path: string;

beforeEach(async () => {
  path = join(await temporaryFolder(), 'index.sqlite');
});

// Windows lets nobody move or remove a file that is open.
describe.skipIf(process.platform === 'win32')('a store whose file was taken away', () => {
  test.each(['no file', 'another file'])(
    'says so, reads on and refuses to write while %s stands there',
    async (what) => {
      const store = await opened('old.md');
      expect(store.isInPlace?.()).toBe(true);
      renameSync(path, `${path}.away`);
      if (what === 'another file') await opened('new.md');
      expect(store.isInPlace?.()).toBe(false);
      await expect(setFact(store, 'name', 'value')).rejects.toMatchObject(gone);
      await expect(repairStore(store)).rejects.toMatchObject(gone);
      expect(await store.paths()).toEqual(['old.md']);
      for await (const defect of verifyStore(store)) expect.fail(defect.detail);
    },
  );

  test('makes no file by itself', async () => {
    const store = await opened('old.md');
    renameSync(path, `${path}.away`);
    await store.paths();
    await store.close();
    expect(existsSync(path)).toBe(false);
  });

  test('refuses a change during which it was taken away', async () => {
    const connection = new Connection(path);
    onTestFinished(() => connection.close());
    const change = connection.write(() => {
      connection.run("INSERT INTO facts VALUES ('name', 'value', x'')");
      renameSync(path, `${path}.away`);
    });
    await expect(change).rejects.toMatchObject(gone);
  });
});

test('a process that goes to another folder keeps its index', async () => {
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  process.chdir(await temporaryFolder());
  path = 'index.sqlite';
  const store = await opened('a.md');
  process.chdir(before);
  await putText(store, 'b.md');
  expect(await store.paths()).toEqual(['a.md', 'b.md']);
});

async function opened(uri: string): Promise<SqliteStore> {
  const store = openSqliteStore(path);
  onTestFinished(() => store.close());
  await putText(store, uri);
  return store;
}

async function putText(store: SqliteStore, uri: string): Promise<void> {
  const document = documentRecord(uri);
  await putDocument(store, { document, chunks: chunkEntries(document, [`harbour ${uri}`]) });
}
