import { mkdir, readdir, rename, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { sha256 } from '../core/identity.ts';
import { readChecked } from './checked-files.ts';

/** A file that is long unchanged: the clock is an hour ahead of it. */
async function settledFile() {
  const folder = await temporaryFolder({ 'model.onnx': 'weights' });
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + 3_600_000);
  return { path: join(folder, 'model.onnx'), kept: join(folder, 'checked') };
}
const expected = sha256('weights');

test('a file that was checked is known again, and its bytes are those of the file', async () => {
  const { path, kept } = await settledFile();
  expect(await readChecked(path, expected, kept)).toEqual({ bytes: Buffer.from('weights'), hash: expected });
  const [record = ''] = await readdir(kept);
  expect((await stat(join(kept, record))).mode & 0o777).toBe(0o600);
  expect(await readChecked(path, expected, kept)).toEqual({ bytes: Buffer.from('weights'), hash: expected });
});

test.each<[string, (path: string) => Promise<unknown>]>([
  [
    'with the same size and time',
    async (path) => {
      const { atime, mtime } = await stat(path);
      await writeFile(path, 'WEIGHTS');
      await utimes(path, atime, mtime);
    },
  ],
  [
    'by another file with the same size',
    async (path) => {
      await writeFile(`${path}.new`, 'WEIGHTS');
      await rename(`${path}.new`, path);
    },
  ],
  ['by being cut', (path) => truncate(path, 3)],
])('one that was changed %s is computed again', async (_, change) => {
  const { path, kept } = await settledFile();
  await readChecked(path, expected, kept);
  await change(path);
  expect((await readChecked(path, expected, kept)).hash).not.toBe(expected);
});

test('nothing is kept of a file with another hash, nor of one that changed a moment ago', async () => {
  const { path, kept } = await settledFile();
  await readChecked(path, sha256('other'), kept);
  vi.restoreAllMocks();
  await readChecked(path, expected, kept);
  await expect(readdir(kept)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('where nothing can be kept the file is read all the same', async () => {
  const { path, kept } = await settledFile();
  await mkdir(join(kept, '..'), { recursive: true });
  await writeFile(kept, 'no folder');
  expect((await readChecked(path, expected, kept)).hash).toBe(expected);
});
