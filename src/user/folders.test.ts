import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { findFolders, listFolders } from './folders.ts';

test('folders are listed by name, without hidden ones, files and links', async () => {
  const home = await temporaryFolder({ 'b/x.md': '', 'a/y.md': '', '.hidden/z.md': '', 'file.md': '' });
  await symlink(join(home, 'a'), join(home, 'link'));
  const { folders, parent, folder } = await listFolders(home);
  expect(folders).toEqual(['a', 'b'].map((name) => ({ name, folder: join(home, name) })));
  expect([folder, parent]).toEqual([home, join(home, '..')]);
  expect((await listFolders('/')).parent).toBeUndefined();
  await expect(listFolders(join(home, 'file.md'))).rejects.toMatchObject({ code: 'file-unreadable' });
});

test('a folder that was dropped is found by its name and what is in it', async () => {
  const home = await temporaryFolder({
    'work/notes/a.md': '',
    'work/notes/b.md': '',
    'old/notes/a.md': '',
    '.cache/notes/a.md': '',
    'node_modules/notes/a.md': '',
  });
  await mkdir(join(home, 'notes'));
  expect(await findFolders(home, 'notes', ['a.md', 'b.md'])).toEqual({
    folders: [join(home, 'work/notes')],
    is_cut: false,
  });
  expect((await findFolders(home, 'notes', ['a.md'])).folders).toHaveLength(2);
  expect((await findFolders(home, 'notes', ['nothing.md'])).folders).toEqual([]);
});
