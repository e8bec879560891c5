import { execFileSync } from 'node:child_process';
import { chmod, lstat, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { loadSqlite } from './load-sqlite.ts';
import { prepareOwnDatabase, requireOwnDatabase } from './own-database.ts';
import { tryLock } from './writer-lock.ts';

describe.skipIf(process.platform === 'win32')('a database under a name that Quarry uses', () => {
  for (const ending of ['', '-journal', '-wal', '-shm']) {
    test(`is not opened where name${ending} is a link or a pipe`, async () => {
      const outside = await temporaryFolder({ 'thesis.txt': 'years of work' });
      const folder = await temporaryFolder();
      await symlink(join(outside, 'thesis.txt'), join(folder, `link${ending}`));
      await symlink(join(outside, 'new'), join(folder, `new${ending}`));
      execFileSync('mkfifo', [join(folder, `pipe${ending}`)]);
      for (const name of ['link', 'new', 'pipe']) {
        const path = join(folder, name);
        expect(() => requireOwnDatabase(path)).toThrow(`${path}${ending} is`);
        expect(() => prepareOwnDatabase(path)).toThrow(`${path}${ending} is`);
        await expect(tryLock(path)).rejects.toMatchObject({ code: 'path-unsafe' });
      }
      expect(await readdir(outside)).toEqual(['thesis.txt']);
      expect(await readFile(join(outside, 'thesis.txt'), 'utf8')).toBe('years of work');
    });
  }

  test('is for this user alone, with all that SQLite puts beside it, also where it was open to others', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'index.sqlite');
    const { DatabaseSync } = loadSqlite();
    const modes = async () => {
      const names = await readdir(folder);
      return Promise.all(names.map(async (name) => (await lstat(join(folder, name))).mode & 0o777));
    };
    await writeFile(path, '', { mode: 0o644 });
    prepareOwnDatabase(path);
    const database = new DatabaseSync(path);
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x)');
    expect(await modes()).toEqual([0o600, 0o600, 0o600]);
    for (const name of await readdir(folder)) await chmod(join(folder, name), 0o664);
    requireOwnDatabase(path);
    expect(await modes()).toEqual([0o600, 0o600, 0o600]);
    database.close();
  });
});
