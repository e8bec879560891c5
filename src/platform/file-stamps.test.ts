import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { createFileStamps } from './file-stamps.ts';

test('a file that appears, changes, is replaced or disappears is reported once each time', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'a');
  const stamps = createFileStamps();
  await stamps.follow([path, path]);
  expect(await stamps.changed()).toEqual([]);
  await writeFile(path, 'one');
  expect(await stamps.changed()).toEqual([path]);
  expect(await stamps.changed()).toEqual([]);
  await writeFile(path, 'longer');
  expect(await stamps.changed()).toEqual([path]);
  await writeFile(`${path}.new`, 'second');
  await rename(`${path}.new`, path);
  expect(await stamps.changed()).toEqual([path]);
  await rm(path);
  expect(await stamps.changed()).toEqual([path]);
});

test('a folder is reported when it is replaced, not when its content changes', async () => {
  const folder = await temporaryFolder({ 'docs/a.md': 'a' });
  const path = join(folder, 'docs');
  const stamps = createFileStamps();
  await stamps.follow([path]);
  await writeFile(join(path, 'b.md'), 'b');
  expect(await stamps.changed()).toEqual([]);
  await rename(path, join(folder, 'gone'));
  expect(await stamps.changed()).toEqual([path]);
  await mkdir(path);
  expect(await stamps.changed()).toEqual([path]);
});

test('following a file again keeps what was known of it', async () => {
  const folder = await temporaryFolder({ a: 'one' });
  const path = join(folder, 'a');
  const stamps = createFileStamps();
  await stamps.follow([path]);
  await writeFile(path, 'changed since');
  await stamps.follow([path]);
  expect(await stamps.changed()).toEqual([path]);
});
