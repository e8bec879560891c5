import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { takeLease } from '../../index/lease.ts';
import { lockIfFree } from '../../platform/sqlite/writer-lock.ts';
import { leaseConformance } from '../../testing/lease-conformance.ts';
import { fileLease, type KeptLease, servedLease, timedLease } from './leases.ts';

describe('a lease in memory', () => {
  test.each(leaseConformance)('$promise', async ({ check }) => {
    const kept = new Map<string, KeptLease>();
    await check(async (name) =>
      timedLease(
        () => kept.get(name),
        (lease) => kept.set(name, lease),
      ),
    );
  });
});

describe('a lease in a file that one process serves', () => {
  test.each(leaseConformance)('$promise', async ({ check }) => {
    const folder = await temporaryFolder();
    await check(async (name) => servedLease(join(folder, name)));
  });
});

describe('a lease in a file of this machine', () => {
  test.each(leaseConformance)('$promise', async ({ check }) => {
    const folder = await temporaryFolder();
    await check(async (name) => fileLease(join(folder, name)));
  });

  /** Another process that takes the lease and holds it. */
  const holder = async (path: string) => {
    const source = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
    const program = `
      import { takeLease } from ${source('../../index/lease.ts')};
      import { fileLease } from ${source('./leases.ts')};
      const lease = await takeLease(async () => ({ ...fileLease(${JSON.stringify(path)}), term: 1000 }));
      process.stdout.write(String(lease?.fence()));
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [fence] = await once(child.stdout, 'data');
    const kill = async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    };
    return { child, fence: Number(fence), kill };
  };
  const open = (path: string) => async () => ({ ...fileLease(path), term: 1_000 });

  test('is free as soon as the process of its holder is killed', async () => {
    const path = join(await temporaryFolder(), 'writer.lock');
    const { fence, kill } = await holder(path);
    expect(await takeLease(open(path))).toBeUndefined();
    await kill();
    const lease = await takeLease(open(path));
    expect(lease?.isTakenOver).toBe(false);
    expect(lease?.fence()).toBeGreaterThan(fence);
    await lease?.release();
  });

  test('is taken over from a paused process, by one of all who wait, and free again when that one ends', async () => {
    const path = join(await temporaryFolder(), 'writer.lock');
    const paused = await holder(path);
    paused.child.kill('SIGSTOP');
    const waiting = Array.from({ length: 3 }, () => takeLease(open(path), { wait: true }));
    const first = await Promise.race(waiting);
    expect(first?.isTakenOver).toBe(true);
    expect(first?.fence()).toBeGreaterThan(paused.fence);
    expect(await takeLease(open(path))).toBeUndefined();
    await first?.release();
    const fences = waiting.map(async (each) => {
      const lease = await each;
      await lease?.release();
      return lease?.fence();
    });
    expect(new Set(await Promise.all(fences)).size).toBe(3);
    // The lock that all versions know is taken again once the paused process has ended.
    await paused.kill();
    const last = await takeLease(open(path));
    expect(lockIfFree(path)).toBeUndefined();
    await last?.release();
    const lock = lockIfFree(path);
    expect(lock).toBeDefined();
    lock?.release();
  });

  test('is never taken over from a version without records, which renews nothing', async () => {
    const path = join(await temporaryFolder(), 'writer.lock');
    const lock = lockIfFree(path);
    const stop = AbortSignal.timeout(2_500);
    await expect(takeLease(open(path), { wait: true, signal: stop })).rejects.toMatchObject({
      code: 'interrupted',
    });
    lock?.release();
    expect(await takeLease(open(path))).toBeDefined();
  });

  test('is granted where its file was lost or says nothing that can be read', async () => {
    const path = join(await temporaryFolder(), 'writer.lock');
    // Far ahead of the clock: a grant after it would be higher than any that the clock gives.
    const planted = `{"holder":"","fence":${2 ** 50},"renewed":0}`;
    for (const content of ['', 'half {', '{"holder":"","fence":1e300,"renewed":0}', planted]) {
      await writeFile(`${path}.json`, content);
      const lease = await takeLease(open(path));
      expect(lease?.fence()).toBeLessThanOrEqual(Date.now());
      await rm(`${path}.json`);
      await lease?.confirm();
      await lease?.release();
    }
  });

  test('has a file of one size, whatever its holder calls itself', async () => {
    const path = join(await temporaryFolder(), 'client.lock.json');
    const fence = Date.now();
    for (const holder of ['B\u00dcRO-PC 7 x', '\u{1f600}'.repeat(100), '"\\'.repeat(100)]) {
      const record = servedLease(path);
      expect(await record.replace((await record.read())?.fence, { holder, fence })).toBe(true);
      expect(await record.read()).toMatchObject({ fence });
      expect((await stat(path)).size).toBe(1024);
    }
  });

  test('is refused where a link or a folder has the name of its file', async () => {
    const folder = await temporaryFolder();
    await symlink('/etc/hostname', join(folder, 'linked.json'));
    await mkdir(join(folder, 'made.json'));
    for (const name of ['linked', 'made'])
      await expect(takeLease(open(join(folder, name)))).rejects.toMatchObject({ code: 'path-unsafe' });
  });
});
