import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const program = fileURLToPath(new URL('../surfaces/cli/main.ts', import.meta.url));
const help = (env: Record<string, string>) =>
  promisify(execFile)(process.execPath, [program, '--help'], {
    env: { PATH: process.env.PATH ?? '', ...env },
  });

test('compiled code is kept in the cache folder of the user, where nobody else writes', async () => {
  const cache = await temporaryFolder();
  await help({ QUARRY_CACHE_FOLDER: cache });
  const folder = join(cache, 'compiled');
  expect((await readdir(folder, { recursive: true })).length).toBeGreaterThan(10);
  if (process.platform !== 'win32') expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test('a command runs where nothing can be kept, and where the user has chosen another folder', async () => {
  expect((await help({ QUARRY_CACHE_FOLDER: '/proc/quarry' })).stdout).toContain('Usage:');
  const [cache, chosen] = [await temporaryFolder(), await temporaryFolder()];
  await help({ QUARRY_CACHE_FOLDER: cache, NODE_COMPILE_CACHE: chosen });
  expect(await readdir(cache)).toEqual([]);
  expect(await readdir(chosen)).not.toEqual([]);
});
