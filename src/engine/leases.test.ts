import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openLeases } from './leases.ts';

test('a lock belongs to one holder until it gives it back or stops renewing it', async () => {
  let now = 0;
  const leases = openLeases(await temporaryFolder(), () => now);
  expect(await leases.hold('writer', 'one', 30)).toBe(true);
  expect(await leases.hold('writer', 'other', 30)).toBe(false);
  expect(await leases.hold('vectors', 'other', 30)).toBe(true);
  now = 29_000;
  expect(await leases.hold('writer', 'one', 30)).toBe(true);
  now = 58_000;
  expect(await leases.hold('writer', 'other', 30)).toBe(false);
  expect(await leases.hold('writer', 'other', 0)).toBe(false);
  now = 59_000;
  expect(await leases.hold('writer', 'other', 30)).toBe(true);
  expect(await leases.hold('writer', 'other', 0)).toBe(false);
  expect(await leases.hold('writer', 'one', 30)).toBe(true);
});

test('a holder that was paused may go on writing, unless another has had the lock meanwhile', async () => {
  let now = 0;
  const leases = openLeases(await temporaryFolder(), () => now);
  expect(await leases.hold('vectors', 'one', 30)).toBe(true);
  now = 31_000;
  expect(await leases.renew('vectors', 'one', 30)).toBe(true);
  now = 62_000;
  expect(await leases.hold('vectors', 'other', 30)).toBe(true);
  expect(await leases.renew('vectors', 'one', 30)).toBe(false);
  await leases.hold('vectors', 'other', 0);
  expect(await leases.renew('vectors', 'one', 30)).toBe(false);
  expect(await leases.hold('vectors', 'one', 0)).toBe(false);
  expect(await leases.hold('vectors', 'one', 30)).toBe(true);
});

test('after a restart the last holder may go on, and who had the lock before it may not', async () => {
  const folder = await temporaryFolder();
  let now = 0;
  const before = openLeases(folder, () => now);
  await before.hold('writer', 'paused', 30);
  now = 31_000;
  await before.hold('writer', 'next', 30);
  await before.hold('vectors', 'paused', 30);
  await before.hold('vectors', 'paused', 0);

  now = 0;
  const after = openLeases(folder, () => now);
  expect(await after.renew('writer', 'paused', 30)).toBe(false);
  expect(await after.hold('writer', 'paused', 30)).toBe(false);
  expect(await after.renew('writer', 'next', 30)).toBe(true);
  expect(await after.renew('unknown', 'paused', 30)).toBe(false);
  // It was given back.
  expect(await after.hold('vectors', 'next', 30)).toBe(true);
  now = 31_000;
  expect(await after.hold('writer', 'third', 30)).toBe(true);
});

test('of two that ask at the same moment one gets the lock', async () => {
  const leases = openLeases(await temporaryFolder());
  const holders = Array.from({ length: 8 }, (_, number) => `holder ${number}`);
  const held = await Promise.all(holders.map((holder) => leases.hold('writer', holder, 30)));
  expect(held.filter(Boolean)).toHaveLength(1);
});

test('a record that is damaged lets nobody write, and says what to do', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'leases.json'), 'nonsense');
  await expect(openLeases(folder).hold('writer', 'one', 30)).rejects.toMatchObject({
    code: 'file-unreadable',
    remedy: expect.stringContaining('Delete the file'),
  });
});

test('names that nobody holds any more are forgotten in time, held ones never, and there are not too many', async () => {
  let now = 0;
  const leases = openLeases(await temporaryFolder(), () => now);
  const names = Array.from({ length: 1000 }, (_, number) => `lock ${number}`);
  const held = await Promise.all(names.map((name) => leases.hold(name, 'one', 1)));
  expect(held.every(Boolean)).toBe(true);
  await leases.hold('lock 0', 'one', 3600);
  expect(await leases.hold('one more', 'one', 30)).toBe(false);
  now = 2000;
  expect(await leases.hold('one more', 'one', 30)).toBe(true);
  expect(await leases.hold('lock 0', 'other', 30)).toBe(false);
  expect(await leases.renew('lock 1', 'one', 30)).toBe(false);
});
