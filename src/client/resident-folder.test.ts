import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { startOfProcess } from '../platform/process-start.ts';
import { tryLock } from '../platform/sqlite/writer-lock.ts';
import { createClient } from './client.ts';
import { engineProcess, noteEngine } from './engine-process.ts';
import { residentAddress } from './resident-address.ts';
import { ensureResidentFolder, residentTransport } from './resident-folder.ts';

const isRoot = process.getuid?.() === 0;
const previousFolder = process.env.TMPDIR;

/** The cache folder of this user has a path that is too long for a socket, so that the temporary folder is used. */
const environment = (name: string) =>
  name === 'QUARRY_CACHE_FOLDER' ? `/home/someone/${'long/'.repeat(30)}` : undefined;

beforeEach(async () => {
  process.env.TMPDIR = await temporaryFolder();
});
afterEach(() => {
  if (previousFolder === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = previousFolder;
});

const ask = () => createClient(residentTransport(environment)).request('GET', '/health');

describe.skipIf(process.platform === 'win32')('the folder of the engine in the temporary folder', () => {
  test('is made for this user alone', async () => {
    const address = residentAddress(environment);
    expect(address.folder.startsWith(process.env.TMPDIR ?? '')).toBe(true);
    await ensureResidentFolder(address);
    await ensureResidentFolder(address);
    expect((await lstat(address.folder)).mode & 0o777).toBe(0o700);
  });

  test.skipIf(!isRoot)(
    'is not used where another user made it: neither asked, nor written, nor believed',
    async () => {
      const address = residentAddress(environment);
      await mkdir(address.folder, { mode: 0o777 });
      await writeFile(address.process, `${process.ppid}\n${startOfProcess(process.ppid)}`);
      expect(await engineProcess(address)).toBe(process.ppid);
      chownSync(address.folder, 12_345, 12_345);
      let connections = 0;
      const forger = createServer((socket) => {
        connections += 1;
        socket.end('HTTP/1.1 200 OK\r\n\r\n{}');
      }).listen(address.socket);
      onTestFinished(() => void forger.close());
      await once(forger, 'listening');
      await expect(ask()).rejects.toMatchObject({
        code: 'server-unreachable',
        message: expect.stringContaining('belongs to another user (12345)'),
      });
      await expect(ensureResidentFolder(address)).rejects.toMatchObject({ code: 'path-unsafe' });
      expect(await engineProcess(address)).toBeUndefined();
      expect(connections).toBe(0);
    },
  );

  test('is not used where it is a link, and nothing behind the link changes', async () => {
    const victim = await temporaryFolder({ 'thesis.txt': 'years of work' });
    const address = residentAddress(environment);
    await symlink(victim, address.folder);
    await expect(ask()).rejects.toMatchObject({ code: 'server-unreachable' });
    await expect(ensureResidentFolder(address)).rejects.toMatchObject({ code: 'path-unsafe' });
    expect(() => noteEngine(address)).toThrow(expect.objectContaining({ code: 'path-unsafe' }));
    expect(await readdir(victim)).toEqual(['thesis.txt']);
  });

  test('holds no link that is followed, and no pipe that is waited for', async () => {
    const victim = await temporaryFolder({ 'thesis.txt': 'years of work' });
    const address = residentAddress(environment);
    await ensureResidentFolder(address);
    await symlink(join(victim, 'thesis.txt'), address.process);
    expect(() => noteEngine(address)).toThrow(expect.objectContaining({ code: 'path-unsafe' }));
    expect(await readFile(join(victim, 'thesis.txt'), 'utf8')).toBe('years of work');
    execFileSync('rm', [address.process]);
    execFileSync('mkfifo', [address.process]);
    expect(await engineProcess(address)).toBeUndefined();
  });
});

test('where the system does not tell when a process began, an engine is known by the lock that it holds', async () => {
  const address = residentAddress(environment);
  await ensureResidentFolder(address);
  await writeFile(address.process, `${process.ppid}\n`, { mode: 0o600 });
  expect(await engineProcess(address)).toBeUndefined();
  const lock = await tryLock(address.lock);
  expect(await engineProcess(address)).toBe(process.ppid);
  lock?.release();
  expect(await engineProcess(address)).toBeUndefined();
});
