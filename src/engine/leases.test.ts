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
