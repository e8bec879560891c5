import { existsSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { makeFolder } from './make-folder.ts';

test('makes a folder with all those above it, each with the mode', async () => {
  const folder = join(await temporaryFolder(), 'one', 'two', 'three');
  await makeFolder(folder, 0o700);
  for (const path of [folder, join(folder, '..')]) expect((await stat(path)).mode & 0o777).toBe(0o700);
});

test('leaves a folder that is there as it is, also while others make the same one', async () => {
  const folder = join(await temporaryFolder(), 'one', 'two');
  await Promise.all(Array.from({ length: 20 }, () => makeFolder(folder)));
  await mkdir(join(folder, 'kept'));
  await makeFolder(folder);
  expect(existsSync(join(folder, 'kept'))).toBe(true);
});

test.each([
  ['is a file', 'file', 'EEXIST'],
  ['lies below a file', 'file/below/deeper', 'ENOTDIR'],
])('fails where the path %s', async (_, path, code) => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  await expect(makeFolder(join(folder, path))).rejects.toMatchObject({ code });
});

test.runIf(existsSync('/proc/self'))('ends where a folder that exists refuses new ones', async () => {
  await expect(makeFolder('/proc/one/two/three')).rejects.toMatchObject({ code: 'ENOENT' });
});
