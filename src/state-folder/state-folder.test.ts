import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync } from 'node:fs';
import { chmod, cp, lstat, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../../test/temporary-folder.ts';
import { sha256 } from '../core/identity.ts';
import { openProject } from '../project/open-project.ts';
import { findProjectFolder } from './state-folder.ts';

const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1 };
const isWindows = process.platform === 'win32';
const isRoot = process.getuid?.() === 0;

async function project(folder: string) {
  const opened = await openProject(folder, { settings });
  onTestFinished(() => opened.close());
  return opened;
}

async function index(folder: string) {
  const opened = await project(folder);
  for await (const _ of opened.index());
  return opened;
}

describe('the way upward to a project', () => {
  test('ends at the nearest folder with settings, an index or added content', async () => {
    for (const mark of ['quarry.toml', '.quarry/current', '.quarry-added/x.txt']) {
      const top = await temporaryFolder({ [mark]: '', 'a/b/c.md': 'text' });
      expect(await findProjectFolder(join(top, 'a', 'b'))).toBe(top);
    }
  });

  test('ends at the root of a repository, also where .git is a file or a link that leads nowhere', async () => {
    const top = await temporaryFolder({
      'quarry.toml': '',
      'one/.git': 'gitdir: elsewhere',
      'one/a/b.md': '',
    });
    expect(await findProjectFolder(join(top, 'one', 'a'))).toBe(join(top, 'one', 'a'));
    await mkdir(join(top, 'two', 'a'), { recursive: true });
    if (isWindows) return;
    await symlink(join(top, 'nowhere'), join(top, 'two', '.git'));
    expect(await findProjectFolder(join(top, 'two', 'a'))).toBe(join(top, 'two', 'a'));
  });

  test.skipIf(!isRoot)('ends below a folder of another user, who may have put anything there', async () => {
    const top = await temporaryFolder({ 'quarry.toml': '', '.quarry/current': '', 'mine/a/b.md': '' });
    const start = join(top, 'mine', 'a');
    expect(await findProjectFolder(start)).toBe(top);
    chownSync(top, 12_345, 12_345);
    await chmod(top, 0o777);
    expect(await findProjectFolder(start)).toBe(start);
    await writeFile(join(top, 'mine', 'quarry.toml'), '');
    expect(await findProjectFolder(start)).toBe(join(top, 'mine'));
    // A folder that a user names, or is in, is meant.
    expect(await findProjectFolder(top)).toBe(top);
  });
});

describe.skipIf(isWindows)('the state of a project', () => {
  test('is for its user alone, with everything in it, whatever the mask of the process is', async () => {
    const folder = await temporaryFolder({ 'a.md': 'Something to find.' });
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const opened = await index(folder);
    await opened.add({ name: 'note', text: 'An added note.' });
    for (const name of ['.quarry', '.quarry-added']) await expectClosed(join(folder, name));
  });

  test('is closed to others when it is used, where it was open', async () => {
    const folder = await temporaryFolder({ 'a.md': 'Something to find.' });
    await (await index(folder)).close();
    const state = join(folder, '.quarry');
    for (const entry of await readdir(state, { recursive: true, withFileTypes: true }))
      await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o777 : 0o666);
    await chmod(state, 0o755);
    await (await project(folder)).search('something');
    expect((await lstat(state)).mode & 0o777).toBe(0o700);
    expect((await lstat(join(state, 'index-1', 'index.sqlite'))).mode & 0o777).toBe(0o600);
  });

  test('is not looked for behind a link, and nothing there is read, written or deleted', async () => {
    const victim = await temporaryFolder({ 'thesis.txt': 'years of work', 'old.tmp': '' });
    const folder = await temporaryFolder({ 'a.md': 'Something to find.' });
    await symlink(victim, join(folder, '.quarry'));
    const opened = await project(folder);
    const refused = { code: 'path-unsafe', message: expect.stringContaining('.quarry is a symbolic link') };
    await expect(opened.search('something')).rejects.toMatchObject(refused);
    await expect(opened.status()).rejects.toMatchObject(refused);
    await expect(opened.clean({ all: true })).rejects.toMatchObject(refused);
    await expect(index(folder)).rejects.toMatchObject(refused);
    expect((await readdir(victim)).sort()).toEqual(['old.tmp', 'thesis.txt']);
  });

  describe('that was sound before', () => {
    let sound: string;
    beforeAll(async () => {
      sound = await temporaryFolder({ 'a.md': 'Something to find.' });
      const opened = await openProject(sound, { settings });
      for await (const _ of opened.index());
      await opened.close();
      await writeFile(join(sound, '.quarry', 'current'), 'index-1\n', { mode: 0o600 });
      // A run has something to do.
      await writeFiles(sound, { 'new.md': 'Something else to find.' });
    });

    /** A project whose state is sound but for one name, which is absent. */
    async function without(name: string): Promise<{ folder: string; path: string }> {
      const folder = await temporaryFolder();
      await cp(sound, folder, { recursive: true });
      await rm(join(folder, name), { recursive: true, force: true });
      return { folder, path: join(folder, name) };
    }

    const names = ['current', 'index-1', 'index-1/index.sqlite', 'writer.lock'];
    test.each(names)('is not used where %s is a link to that of another project', async (name) => {
      const { folder, path } = await without(`.quarry/${name}`);
      await symlink(join(sound, '.quarry', name), path);
      const before = await checksums(sound);
      await expect(index(folder)).rejects.toMatchObject({ code: 'path-unsafe' });
      if (name !== 'writer.lock')
        await expect((await project(folder)).search('find')).rejects.toMatchObject({ code: 'path-unsafe' });
      expect(await checksums(sound)).toEqual(before);
    });

    test('nothing is made behind a link to nowhere', async () => {
      for (const name of names) {
        const { folder, path } = await without(`.quarry/${name}`);
        const outside = await temporaryFolder();
        await symlink(join(outside, 'new'), path);
        await expect(index(folder)).rejects.toMatchObject({ code: 'path-unsafe' });
        expect(await readdir(outside)).toEqual([]);
      }
    });

    test.each(['quarry.toml', '.quarry/current', '.quarry/writer.lock'])(
      'is not used where %s is a named pipe, and nobody waits for it',
      async (name) => {
        const { folder, path } = await without(name);
        execFileSync('mkfifo', [path]);
        await expect(index(folder)).rejects.toMatchObject({ code: 'path-unsafe' });
      },
    );

    test('is not used where current is an endless device', async () => {
      const { folder, path } = await without('.quarry/current');
      await symlink('/dev/zero', path);
      await expect((await project(folder)).search('find')).rejects.toMatchObject({ code: 'path-unsafe' });
    });
  });

  test('takes no added content from behind a link, and removes nothing there', async () => {
    const neighbour = await temporaryFolder();
    await (await project(neighbour)).add({ name: 'note', text: 'Somebody else wrote something.' });
    const unfinished = `${'0'.repeat(32)}.txt.${randomUUID()}.tmp`;
    const theirs = join(neighbour, '.quarry-added');
    for (const name of [unfinished, 'thesis.tmp']) {
      await writeFile(join(theirs, name), 'years of work');
      await utimes(join(theirs, name), 0, 0);
    }
    const before = await checksums(theirs);
    const folder = await temporaryFolder({ 'a.md': 'Something to find.' });
    await symlink(theirs, join(folder, '.quarry-added'));
    const refused = { code: 'path-unsafe', message: expect.stringContaining('.quarry-added is a symbolic') };
    const opened = await project(folder);
    await expect(opened.search('something')).rejects.toMatchObject(refused);
    await expect(opened.add({ name: 'more', text: 'x' })).rejects.toMatchObject(refused);
    await expect(opened.remove('virtual:note')).rejects.toMatchObject(refused);
    expect(await checksums(theirs)).toEqual(before);
    // In a folder of the user's own only what Quarry began to write goes.
    await (await project(neighbour)).search('something');
    expect(await readdir(theirs)).toContain('thesis.tmp');
    expect(await readdir(theirs)).not.toContain(unfinished);
  });

  test('loses by a full clean only what Quarry made', async () => {
    const folder = await temporaryFolder({ 'a.md': 'Something to find.' });
    const opened = await index(folder);
    const outside = await temporaryFolder({ 'photo.jpg': 'a child' });
    const state = join(folder, '.quarry');
    await writeFiles(state, { 'my-notes.md': 'mine', 'reports/x.ndjson': '{}' });
    await symlink(outside, join(state, 'index-7'));
    await symlink(outside, join(state, 'photos'));
    const { removed, left } = await opened.clean({ all: true });
    expect(left).toEqual(['my-notes.md', 'photos']);
    expect(removed).toEqual(expect.arrayContaining(['index-7', 'reports']));
    expect(removed).not.toContain('.quarry');
    const rest = (await readdir(state)).filter((name) => !/\.lock(?:\.json)?$/.test(name));
    expect(rest.sort()).toEqual(['my-notes.md', 'photos']);
    expect(await readFile(join(outside, 'photo.jpg'), 'utf8')).toBe('a child');
  });
});

async function checksums(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    found[path] = entry.isFile() ? sha256(await readFile(path, 'latin1')) : '';
  }
  return found;
}

async function expectClosed(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))];
  expect(paths.length).toBeGreaterThan(1);
  for (const path of paths) {
    const found = await lstat(path);
    expect([path, found.mode & 0o077]).toEqual([path, 0]);
  }
}
