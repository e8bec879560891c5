import { rename, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { indexOnDisk } from './index-on-disk.ts';

test('tells size and age of the index that answers, with what is in its folders', async () => {
  const project = await temporaryFolder({
    '.quarry/current': 'index-2\n',
    '.quarry/index-1/index.sqlite': 'An older one.',
    '.quarry/index-2/index.sqlite': '12345',
    '.quarry/index-2/index.sqlite-shm': '678',
    '.quarry/index-2/table/part': '90',
  });
  const at = (day: number) => new Date(Date.UTC(2026, 0, day));
  const index = join(project, '.quarry/index-2');
  await utimes(join(index, 'index.sqlite'), at(3), at(3));
  await utimes(join(index, 'table/part'), at(2), at(2));
  await utimes(join(index, 'index.sqlite-shm'), at(9), at(9));
  expect(await indexOnDisk(project)).toEqual({ bytes: 10, writtenAt: at(3) });
});

test('tells nothing of a project without an index, or of one that is gone', async () => {
  expect(await indexOnDisk(await temporaryFolder())).toBeUndefined();
  expect(await indexOnDisk(await temporaryFolder({ '.quarry/index-1/.keep/none': '' }))).toEqual(
    expect.objectContaining({ bytes: 0 }),
  );
  expect(await indexOnDisk(join(await temporaryFolder(), 'gone'))).toBeUndefined();
});

test.skipIf(process.platform === 'win32')('looks at nothing behind a link', async () => {
  const project = await temporaryFolder({ '.quarry/index-1/index.sqlite': '12345' });
  await rename(join(project, '.quarry'), join(project, 'elsewhere'));
  await symlink(join(project, 'elsewhere'), join(project, '.quarry'));
  expect(await indexOnDisk(project)).toBeUndefined();
});
