import { execFileSync } from 'node:child_process';
import { chownSync, closeSync, writeSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import {
  ensureOwnFile,
  ensureOwnFolder,
  hasOwnFile,
  hasOwnFolder,
  isOwn,
  openOwnFile,
  readOwnFile,
  withinOwnFolder,
  writeOwnFile,
} from './own-files.ts';

const isWindows = process.platform === 'win32';
const isRoot = process.getuid?.() === 0;

/** What a stranger may put under a name, besides a regular file. */
const notFiles: Readonly<Record<string, (path: string, outside: string) => unknown>> = {
  'a link to a file': (path, outside) => symlink(join(outside, 'thesis.txt'), path),
  'a link to a folder': (path, outside) => symlink(outside, path),
  'a link that leads nowhere': (path, outside) => symlink(join(outside, 'new'), path),
  'a link to an endless device': (path) => symlink('/dev/zero', path),
  'a named pipe': (path) => execFileSync('mkfifo', [path]),
  'a folder': (path) => mkdir(path),
};

async function decoy(): Promise<{ outside: string; path: string }> {
  const outside = await temporaryFolder({ 'thesis.txt': 'years of work' });
  return { outside, path: join(await temporaryFolder(), 'name') };
}

const unsafe = expect.objectContaining({ code: 'path-unsafe' });

describe.skipIf(isWindows)('a file under a name that Quarry uses', () => {
  for (const [what, put] of Object.entries(notFiles)) {
    test(`is refused at once where it is ${what}, and nothing outside changes`, async () => {
      const { outside, path } = await decoy();
      await put(path, outside);
      expect(() => hasOwnFile(path)).toThrow(unsafe);
      expect(() => readOwnFile(path)).toThrow(unsafe);
      expect(() => readOwnFile(path, { ofAnyone: true })).toThrow(unsafe);
      expect(() => writeOwnFile(path, 'text')).toThrow(unsafe);
      expect(() => openOwnFile(path)).toThrow(unsafe);
      expect(() => ensureOwnFile(path)).toThrow(unsafe);
      expect(await readFile(join(outside, 'thesis.txt'), 'utf8')).toBe('years of work');
      expect(await readdir(outside)).toEqual(['thesis.txt']);
    });
  }

  test.skipIf(!isRoot)(
    'is refused where it belongs to another user, unless it may be of anyone',
    async () => {
      const { path } = await decoy();
      await writeFile(path, 'text');
      chownSync(path, 12_345, 12_345);
      expect(isOwn(path)).toBe(false);
      expect(() => readOwnFile(path)).toThrow('belongs to another user (12345)');
      expect(() => writeOwnFile(path, 'new')).toThrow(unsafe);
      expect(readOwnFile(path, { ofAnyone: true })?.toString()).toBe('text');
    },
  );

  test('is read up to a limit', async () => {
    const { path } = await decoy();
    await writeFile(path, 'x'.repeat(101));
    expect(() => readOwnFile(path, { maxBytes: 100 })).toThrow('is larger than 100 bytes');
    expect(readOwnFile(path, { maxBytes: 101 })).toHaveLength(101);
  });

  test('is for this user alone, also where it was open to others before', async () => {
    const { path } = await decoy();
    writeOwnFile(path, 'a longer text');
    expect((await lstat(path)).mode & 0o777).toBe(0o600);
    await chmod(path, 0o644);
    writeOwnFile(path, 'text');
    expect((await lstat(path)).mode & 0o777).toBe(0o600);
    expect(readOwnFile(path)?.toString()).toBe('text');
    const file = openOwnFile(path);
    writeSync(file, 'log');
    closeSync(file);
    ensureOwnFile(path);
    expect(readOwnFile(path)?.toString()).toBe('log');
  });

  test('may be absent', async () => {
    const { path } = await decoy();
    expect(hasOwnFile(path)).toBe(false);
    expect(readOwnFile(path)).toBeUndefined();
    expect(isOwn(path)).toBe(false);
    await writeFile(path, '');
    expect(readOwnFile(join(path, 'below'))).toBeUndefined();
    expect(hasOwnFolder(join(path, 'below'))).toBe(false);
  });
});

describe.skipIf(isWindows)('a folder under a name that Quarry uses', () => {
  const { 'a folder': _, ...others } = notFiles;
  const notFolders: typeof notFiles = { ...others, 'a file': (path) => writeFile(path, '') };
  for (const [what, put] of Object.entries(notFolders)) {
    test(`is refused where it is ${what}`, async () => {
      const { outside, path } = await decoy();
      await put(path, outside);
      const before = (await lstat(outside)).mode;
      expect(() => hasOwnFolder(path)).toThrow(unsafe);
      expect(() => ensureOwnFolder(path)).toThrow(unsafe);
      expect((await lstat(outside)).mode).toBe(before);
    });
  }

  test.skipIf(!isRoot)('is refused where it belongs to another user', async () => {
    const { path } = await decoy();
    await mkdir(path);
    chownSync(path, 12_345, 12_345);
    expect(() => hasOwnFolder(path)).toThrow('belongs to another user (12345)');
    expect(() => ensureOwnFolder(path)).toThrow(unsafe);
  });

  test('is closed to others when it is made, and when it is found open', async () => {
    const { path } = await decoy();
    expect(hasOwnFolder(path)).toBe(false);
    ensureOwnFolder(path);
    expect((await lstat(path)).mode & 0o777).toBe(0o700);
    await chmod(path, 0o777);
    expect(hasOwnFolder(path)).toBe(true);
    expect((await lstat(path)).mode & 0o777).toBe(0o700);
    ensureOwnFolder(path);
  });

  test.skipIf(process.platform !== 'linux')(
    'stays the one that is worked in, also where a link takes its name meanwhile',
    async () => {
      const { outside, path } = await decoy();
      await mkdir(join(path, 'reports'), { recursive: true });
      await mkdir(join(outside, 'reports'));
      const names = await withinOwnFolder(path, async (steady) => {
        await rename(path, `${path}-moved`);
        await symlink(outside, path);
        await rm(join(steady, 'reports'), { recursive: true });
        return readdir(steady);
      });
      expect(names).toEqual([]);
      expect(await readdir(outside)).toContain('reports');
      await expect(withinOwnFolder(path, async () => 'worked')).rejects.toThrow(unsafe);
      expect(await withinOwnFolder(join(outside, 'none'), async () => 'worked')).toBeUndefined();
    },
  );
});
