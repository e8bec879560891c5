import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PassSchedule, settle } from './pass-schedule.ts';
import { PendingChanges } from './pending-changes.ts';
import { defaultTiming } from './watch-timing.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const change = { kind: 'path', uri: 'a' } as const;

/** Settles while changes come at these milliseconds, and tells when it was done. */
async function settledAfter(changesAt: readonly number[], isBusy?: () => boolean): Promise<number> {
  const pending = new PendingChanges(defaultTiming);
  const began = performance.now();
  pending.notice(change);
  for (const at of changesAt) setTimeout(() => pending.notice(change), at);
  let done = Number.NaN;
  void settle(pending, isBusy && { isBusy: async () => isBusy() }, defaultTiming).then(() => {
    done = performance.now() - began;
  });
  await vi.advanceTimersByTimeAsync(120_000);
  return done;
}

describe('changes', () => {
  test('are complete after a moment of quiet', async () => {
    expect(await settledAfter([])).toBe(300);
    expect(await settledAfter([100, 350, 600])).toBe(900);
    expect(await settledAfter([400])).toBe(300);
  });

  test('that never pause are taken in after a while all the same', async () => {
    const always = Array.from({ length: 1000 }, (_, at) => at * 100);
    const after = await settledAfter(always);
    expect(after).toBeGreaterThanOrEqual(5000);
    expect(after).toBeLessThan(5400);
  });

  test('wait for a tool that is in the midst of them, but not for ever', async () => {
    const began = performance.now();
    const until = (end: number) => () => performance.now() - began < end;
    const after = await settledAfter([], until(20_000));
    expect(after).toBeGreaterThanOrEqual(20_300);
    expect(after).toBeLessThan(20_500);
    const bounded = await settledAfter([], () => true);
    expect(bounded).toBeGreaterThanOrEqual(60_000);
    expect(bounded).toBeLessThan(60_500);
  });
});

test('changes that settled while a pass went on are taken in at once', async () => {
  const pending = new PendingChanges(defaultTiming);
  pending.notice(change);
  vi.advanceTimersByTime(defaultTiming.quiet);
  const before = performance.now();
  await settle(pending, { isBusy: async () => false }, defaultTiming);
  expect(performance.now()).toBe(before);
});

describe('the schedule of passes', () => {
  test('scans everything at its interval, and more rarely where a scan takes long', () => {
    const schedule = new PassSchedule(defaultTiming);
    schedule.scanned(300, 100);
    expect(schedule.due()).toBeUndefined();
    vi.advanceTimersByTime(300_000);
    expect(schedule.due()).toBe('interval');
    schedule.scanned(300, 4_000);
    vi.advanceTimersByTime(300_000);
    expect(schedule.due()).toBeUndefined();
    vi.advanceTimersByTime(300_000);
    expect(schedule.due()).toBe('interval');
  });

  test('tells how long it rests after a scan, also when the interval changes', () => {
    const schedule = new PassSchedule(defaultTiming);
    expect(schedule.scanned(60, 100)).toBe(60_000);
    expect(schedule.scanned(60, 5_000)).toBe(750_000);
    expect(schedule.scanned(300, 500)).toBe(300_000);
    vi.advanceTimersByTime(100_000);
    expect(schedule.isScanDue).toBe(false);
    expect(schedule.scanEvery(60)).toBe(75_000);
    expect(schedule.isScanDue).toBe(true);
  });

  test('continues at once with what was interrupted, after a scan that is due', () => {
    const schedule = new PassSchedule(defaultTiming);
    schedule.scanned(300, 100);
    schedule.gaveWay();
    expect(schedule.due()).toBe('retry');
    vi.advanceTimersByTime(300_000);
    expect(schedule.due()).toBe('interval');
    schedule.scanned(300, 100);
    schedule.ended(true);
    expect(schedule.due()).toBeUndefined();
    // Interruptions are no failures.
    expect(schedule.failed()).toBe(5_000);
  });

  test('never scans by itself where the interval is 0', () => {
    const schedule = new PassSchedule(defaultTiming);
    schedule.scanned(0, 100);
    vi.advanceTimersByTime(86_400_000);
    expect(schedule.due()).toBeUndefined();
    expect(schedule.pause).toBe(defaultTiming.poll);
  });

  test('tries again after a failure, each time later, and at once again after a success', () => {
    const schedule = new PassSchedule(defaultTiming);
    schedule.scanned(1, 1);
    vi.advanceTimersByTime(1000);
    expect([0, 1, 2, 3, 4, 5, 6, 7].map(() => schedule.failed() / 1000)).toEqual([
      5, 10, 20, 40, 80, 160, 300, 300,
    ]);
    expect(schedule.due()).toBeUndefined();
    vi.advanceTimersByTime(300_000);
    expect(schedule.due()).toBe('retry');
    schedule.ended(true);
    expect(schedule.failed()).toBe(5_000);
  });

  test('tries again for vectors that could not be made', () => {
    const schedule = new PassSchedule(defaultTiming);
    schedule.ended(false);
    vi.advanceTimersByTime(5_000);
    expect(schedule.due()).toBe('retry');
    schedule.ended(true);
    expect(schedule.due()).toBeUndefined();
  });
});
