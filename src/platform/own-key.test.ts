import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Environment } from './environment.ts';
import { ownKey, ownKeyFile } from './own-key.ts';

let home: string;
let environment: Environment;
beforeEach(async () => {
  home = await temporaryFolder({});
  environment = (name) => (name === 'XDG_DATA_HOME' || name === 'HOME' ? home : undefined);
});

test('is made once, by the first that asks, and only the user can read it', async () => {
  const keys = await Promise.all([ownKey(environment), ownKey(environment), ownKey(environment)]);
  for (const { key } of keys) expect(key).toEqual(keys[0]?.key);
  expect((await ownKey(environment)).key).toEqual(keys[0]?.key);
  const { mode } = await stat(ownKeyFile(environment));
  if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600);
});

test.skipIf(process.platform === 'win32')(
  'stands in a folder in which nobody else can put another one, whatever the umask',
  async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    await ownKey(environment);
    expect((await stat(dirname(ownKeyFile(environment)))).mode & 0o777).toBe(0o700);
  },
);

test('is another one for another user, and after it was deleted', async () => {
  const { key } = await ownKey(environment);
  await rm(ownKeyFile(environment));
  expect((await ownKey(environment)).key).not.toEqual(key);
});

test('a file that holds no key is an error with a remedy, and stays', async () => {
  await ownKey(environment);
  await writeFile(ownKeyFile(environment), 'short');
  await expect(ownKey(environment)).rejects.toMatchObject({ code: 'file-unreadable' });
  expect(await readFile(ownKeyFile(environment), 'utf8')).toBe('short');
});

test('where it cannot be kept there is one for this process, which says so', async () => {
  // A file where the folder should be.
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'quarry'), '');
  const { key, unkept } = await ownKey(environment);
  expect(key).toHaveLength(32);
  expect(unkept).toContain('quarry');
  expect((await ownKey(environment)).key).toEqual(key);
});
