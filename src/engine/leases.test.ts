import { expect, test } from 'vitest';
import { createLeases } from './leases.ts';

test('a lock belongs to one holder until it gives it back or stops renewing it', () => {
  let now = 0;
  const leases = createLeases(() => now);
  expect(leases.hold('writer', 'one', 30)).toBe(true);
  expect(leases.hold('writer', 'other', 30)).toBe(false);
  expect(leases.hold('vectors', 'other', 30)).toBe(true);
  now = 29_000;
  expect(leases.hold('writer', 'one', 30)).toBe(true);
  now = 58_000;
  expect(leases.hold('writer', 'other', 30)).toBe(false);
  expect(leases.hold('writer', 'other', 0)).toBe(false);
  now = 59_000;
  expect(leases.hold('writer', 'other', 30)).toBe(true);
  expect(leases.hold('writer', 'other', 0)).toBe(false);
  expect(leases.hold('writer', 'one', 30)).toBe(true);
});

test('a holder that was paused may go on writing, unless another has had the lock meanwhile', () => {
  let now = 0;
  const leases = createLeases(() => now);
  expect(leases.renew('writer', 'before a restart', 30)).toBe(true);
  expect(leases.hold('vectors', 'one', 30)).toBe(true);
  now = 31_000;
  expect(leases.renew('vectors', 'one', 30)).toBe(true);
  now = 62_000;
  expect(leases.hold('vectors', 'other', 30)).toBe(true);
  expect(leases.renew('vectors', 'one', 30)).toBe(false);
  leases.hold('vectors', 'other', 0);
  expect(leases.renew('vectors', 'one', 30)).toBe(false);
  expect(leases.hold('vectors', 'one', 0)).toBe(false);
  expect(leases.hold('vectors', 'one', 30)).toBe(true);
});

test('names that nobody holds any more are forgotten in time, held ones never', () => {
  let now = 0;
  const leases = createLeases(() => now);
  leases.hold('kept', 'one', 3600);
  for (let number = 0; number < 3000; number += 1) leases.hold(`lock ${number}`, 'one', 1);
  now = 2000;
  leases.hold('last', 'one', 30);
  expect(leases.hold('kept', 'other', 30)).toBe(false);
  expect(leases.renew('lock 0', 'other', 30)).toBe(true);
});
