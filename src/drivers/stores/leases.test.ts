import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkLeases, type SharedRecords, takeLease } from './leases.ts';

let place: string;
let calls: number;
let losesAnswers: boolean;
let values: Map<string, string>;
let closed: number;

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  });
  values = new Map();
  closed = 0;
  calls = 0;
  losesAnswers = false;
  place = expect.getState().currentTestName ?? '';
});
afterEach(() => {
  vi.useRealTimers();
});

async function open(): Promise<SharedRecords> {
  return {
    read: async (key) => values.get(key),
    async replace(key, expected, value) {
      calls += 1;
      if (values.get(key) !== expected) return false;
      values.set(key, value);
      if (losesAnswers) throw new Error('cut off');
      return true;
    },
    close: () => {
      closed += 1;
    },
  };
}

test('a lock that is renewed is never taken over, and one that is released is free at once', async () => {
  const lock = await takeLease(place, open, 'writer');
  expect(lock).toBeDefined();
  expect(await takeLease(place, open, 'vectors')).toBeDefined();
  const waiting = takeLease(place, open, 'writer', { wait: true });
  await vi.advanceTimersByTimeAsync(600_000);
  expect(await takeLease(place, open, 'writer')).toBeUndefined();
  lock?.release();
  await vi.advanceTimersByTimeAsync(1_000);
  const next = await waiting;
  expect(next).toBeDefined();
  next?.release();
  await vi.advanceTimersByTimeAsync(10);
  expect(closed).toBe(3);
});

test('a lock whose holder ended is taken over by who waits, and later by who does not', async () => {
  values.set('lock:writer', `gone ${Date.now()}`);
  expect(await takeLease(place, open, 'writer')).toBeUndefined();
  const waiting = takeLease(place, open, 'writer', { wait: true });
  await vi.advanceTimersByTimeAsync(25_000);
  expect(values.get('lock:writer')).toMatch(/^gone/);
  await vi.advanceTimersByTimeAsync(6_000);
  (await waiting)?.release();
  values.set('lock:writer', `gone ${Date.now() - 3 * 60_000}`);
  expect(await takeLease(place, open, 'writer')).toBeDefined();
});

test('a holder that was taken over from neither renews nor releases the lock of the next', async () => {
  const paused = await takeLease(place, open, 'writer');
  values.set('lock:writer', `next ${Date.now()}`);
  await vi.advanceTimersByTimeAsync(20_000);
  paused?.release();
  await vi.advanceTimersByTimeAsync(10);
  expect(values.get('lock:writer')).toMatch(/^next/);
});

test('a write asks nobody while the lock is renewed, and is refused once another has taken it over', async () => {
  const lock = await takeLease(place, open, 'writer');
  await vi.advanceTimersByTimeAsync(60_000);
  const before = calls;
  await checkLeases(place);
  await checkLeases('elsewhere');
  expect(calls).toBe(before);

  // The machine sleeps: no timer fires, and one of the clocks stands still.
  vi.setSystemTime(Date.now() + 45_000);
  values.set('lock:writer', `next ${Date.now()}`);
  await expect(checkLeases(place)).rejects.toMatchObject({
    code: 'lock-lost',
    remedy: expect.stringMatching(/^Nothing was over/),
  });
  await expect(checkLeases(place)).rejects.toMatchObject({ code: 'lock-lost' });
  lock?.release();
  await checkLeases(place);
});

test('a lock that was lost stays lost, though the record of the next holder is gone', async () => {
  await takeLease(place, open, 'writer');
  values.set('lock:writer', `next ${Date.now()}`);
  await vi.advanceTimersByTimeAsync(10_000);
  values.clear();
  await vi.advanceTimersByTimeAsync(30_000);
  await expect(checkLeases(place)).rejects.toMatchObject({ code: 'lock-lost' });
  expect(values.has('lock:writer')).toBe(false);
});

test('who was paused and not taken over from continues', async () => {
  await takeLease(place, open, 'writer');
  vi.setSystemTime(Date.now() + 45_000);
  await checkLeases(place);
  expect(values.get('lock:writer')).toMatch(new RegExp(` ${Date.now()}$`));
});

test('a lock whose renewal arrived without an answer, or whose record was lost, is still held', async () => {
  await takeLease(place, open, 'writer');
  losesAnswers = true;
  await vi.advanceTimersByTimeAsync(8_000);
  losesAnswers = false;
  await vi.advanceTimersByTimeAsync(8_000);
  await checkLeases(place);
  values.clear();
  await vi.advanceTimersByTimeAsync(30_000);
  await checkLeases(place);
  expect(values.has('lock:writer')).toBe(true);
});

test('who waits can be stopped', async () => {
  await takeLease(place, open, 'writer');
  const stop = new AbortController();
  const waiting = expect(
    takeLease(place, open, 'writer', { wait: true, signal: stop.signal }),
  ).rejects.toMatchObject({
    code: 'interrupted',
  });
  await vi.advanceTimersByTimeAsync(100);
  stop.abort();
  await vi.advanceTimersByTimeAsync(1_000);
  await waiting;
});
