import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { Connection, type Elsewhere } from '../file/connection.ts';
import { openSqliteStore } from '../store.ts';
import { OpenFiles } from './open-files.ts';

const key = new Uint8Array(32);

async function made(names: readonly string[]): Promise<{ files: Elsewhere[]; bytes: number }> {
  const folder = await temporaryFolder();
  let bytes = 0;
  const files = [];
  for (const name of names) {
    const path = join(folder, name);
    const store = openSqliteStore(path, { key });
    await store.state();
    await store.close();
    const connection = new Connection(path, { key });
    const file = connection.elsewhere();
    connection.close();
    if (!file) throw new Error('no file');
    files.push(file);
    bytes = statSync(path).size;
  }
  return { files, bytes };
}

test('files that are open are together no larger than the bound: those that were not asked for longest are closed', async () => {
  const { files, bytes } = await made(['a', 'b', 'c']);
  const open = new OpenFiles(2.5 * bytes);
  onTestFinished(() => {
    for (const { path } of files) open.close(path);
  });
  const [a, b, c] = files as [Elsewhere, Elsewhere, Elsewhere];
  const first = open.open(a);
  open.open(b);
  expect(open.open(a).connection).toBe(first.connection);
  open.open(c);
  expect(open.paths).toEqual([a.path, c.path]);
});

test('a file above the bound is not opened', async () => {
  const { files, bytes } = await made(['a']);
  const open = new OpenFiles(bytes - 1);
  expect(() => open.open(files[0] as Elsewhere)).toThrow('too large');
  expect(open.paths).toEqual([]);
});
