import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type SharedRecords, takeLease } from './leases.ts';

let values: Map<string, string>;
let closed: number;

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  });
  values = new Map();
  closed = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

async function open(): Promise<SharedRecords> {
  return {
    read: async (key) => values.get(key),
    async replace(key, expected, value) {
      if (values.get(key) !== expected) return false;
      values.set(key, value);
      return true;
    },
    close: () => {
      closed += 1;
    },
  };
}

test('a lock that is renewed is never taken over, and one that is released is free at once', async () => {
  const lock = await takeLease(open, 'writer');
  expect(lock).toBeDefined();
  expect(await takeLease(open, 'vectors')).toBeDefined();
  const waiting = takeLease(open, 'writer', { wait: true });
  await vi.advanceTimersByTimeAsync(600_000);
  expect(await takeLease(open, 'writer')).toBeUndefined();
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
  expect(await takeLease(open, 'writer')).toBeUndefined();
  const waiting = takeLease(open, 'writer', { wait: true });
  await vi.advanceTimersByTimeAsync(25_000);
  expect(values.get('lock:writer')).toMatch(/^gone/);
  await vi.advanceTimersByTimeAsync(6_000);
  (await waiting)?.release();
  values.set('lock:writer', `gone ${Date.now() - 3 * 60_000}`);
  expect(await takeLease(open, 'writer')).toBeDefined();
});

test('a holder that was taken over from neither renews nor releases the lock of the next', async () => {
  const paused = await takeLease(open, 'writer');
  values.set('lock:writer', `next ${Date.now()}`);
  await vi.advanceTimersByTimeAsync(20_000);
  paused?.release();
  await vi.advanceTimersByTimeAsync(10);
  expect(values.get('lock:writer')).toMatch(/^next/);
});

test('who waits can be stopped', async () => {
  await takeLease(open, 'writer');
  const stop = new AbortController();
  const waiting = expect(
    takeLease(open, 'writer', { wait: true, signal: stop.signal }),
  ).rejects.toMatchObject({
    code: 'interrupted',
  });
  await vi.advanceTimersByTimeAsync(100);
  stop.abort();
  await vi.advanceTimersByTimeAsync(1_000);
  await waiting;
});
