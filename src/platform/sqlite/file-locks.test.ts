import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { hasFileLocks } from './file-locks.ts';

test('looking for locks leaves nothing behind, and finds nothing against a folder that it cannot use', async () => {
  const folder = await temporaryFolder();
  expect(hasFileLocks(folder)).toBe(true);
  expect(hasFileLocks(join(folder, 'absent'))).toBe(true);
  expect(await readdir(folder)).toEqual([]);
});
