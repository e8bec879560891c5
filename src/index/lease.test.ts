import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LeaseRecord } from '../contracts/leases.ts';
import { type KeptLease, timedLease } from '../drivers/stores/leases.ts';
import { takeLease } from './lease.ts';

let kept: KeptLease | undefined;
let losesAnswers: boolean;
let closed: number;

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  });
  kept = undefined;
  closed = 0;
  losesAnswers = false;
});
afterEach(() => {
  vi.useRealTimers();
});

async function open(): Promise<LeaseRecord> {
  const record = timedLease(
    () => kept,
    (lease) => {
      kept = lease;
      if (losesAnswers) throw new Error('cut off');
    },
  );
  return {
    ...record,
    close: async () => {
      closed += 1;
    },
  };
}

const ofAnother = (fence: number): KeptLease => ({ holder: 'another', fence, renewed: Date.now() });

test('a lease that is renewed is never taken over, and one that is released is free at once', async () => {
  const lease = await takeLease(open);
  expect(lease?.isTakenOver).toBe(false);
  const waiting = takeLease(open, { wait: true });
  await vi.advanceTimersByTimeAsync(600_000);
  expect(await takeLease(open)).toBeUndefined();
  await lease?.release();
  await vi.advanceTimersByTimeAsync(1_000);
  const next = await waiting;
  expect(next?.isTakenOver).toBe(false);
  expect(next?.fence()).toBeGreaterThan(lease?.fence() ?? Number.POSITIVE_INFINITY);
  await next?.release();
  await next?.release();
  expect(closed).toBe(3);
});

test('the fence rises with each grant, also where the clock was set back or the record was lost', async () => {
  const fences: number[] = [];
  for (const change of [() => {}, () => vi.setSystemTime(1_000), () => (kept = undefined)]) {
    change();
    const lease = await takeLease(open);
    fences.push(lease?.fence() ?? 0);
    await lease?.release();
    vi.setSystemTime(Date.now() + 3_600_000_000_000);
  }
  expect(fences).toEqual([...new Set(fences)].sort((one, other) => one - other));
});

test('a lease whose holder ended is taken over when its term is over, by who waits and who does not', async () => {
  kept = ofAnother(7);
  expect(await takeLease(open)).toBeUndefined();
  const waiting = takeLease(open, { wait: true });
  await vi.advanceTimersByTimeAsync(25_000);
  expect(kept).toMatchObject({ fence: 7 });
  await vi.advanceTimersByTimeAsync(6_000);
  const lease = await waiting;
  expect(lease?.isTakenOver).toBe(true);
  await lease?.release();
  kept = { ...ofAnother(7), renewed: Date.now() - 31_000 };
  expect((await takeLease(open))?.isTakenOver).toBe(true);
});

test('who waits takes over what nobody renews, though the clock of the record says otherwise', async () => {
  kept = { ...ofAnother(7), renewed: Date.now() + 600_000 };
  const waiting = takeLease(open, { wait: true });
  await vi.advanceTimersByTimeAsync(31_000);
  expect((await waiting)?.isTakenOver).toBe(true);
});

test('a holder that was taken over from neither renews nor releases the lease of the next', async () => {
  const paused = await takeLease(open);
  kept = ofAnother(2 ** 45);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(() => paused?.fence()).toThrow(expect.objectContaining({ code: 'lock-lost' }));
  await paused?.release();
  expect(kept).toMatchObject({ holder: 'another', fence: 2 ** 45 });
});

test('a lease that was lost stays lost, though the record of the next holder is gone', async () => {
  const paused = await takeLease(open);
  kept = ofAnother(2 ** 45);
  await expect(paused?.confirm()).rejects.toMatchObject({
    code: 'lock-lost',
    remedy: expect.stringMatching(/^Nothing was over/),
  });
  kept = undefined;
  await vi.advanceTimersByTimeAsync(30_000);
  await expect(paused?.confirm()).rejects.toMatchObject({ code: 'lock-lost' });
  expect(kept).toBeUndefined();
});

test('who was paused and not taken over from continues', async () => {
  const lease = await takeLease(open);
  vi.setSystemTime(Date.now() + 45_000);
  await lease?.confirm();
  expect(kept).toMatchObject({ fence: lease?.fence(), renewed: Date.now() });
});

test('a lease whose renewal arrived without an answer, or whose record was lost, is still held', async () => {
  const lease = await takeLease(open);
  losesAnswers = true;
  await vi.advanceTimersByTimeAsync(8_000);
  losesAnswers = false;
  await vi.advanceTimersByTimeAsync(8_000);
  await lease?.confirm();
  kept = undefined;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(kept).toMatchObject({ fence: lease?.fence() });
});

test('a release that does not arrive keeps nobody waiting', async () => {
  const lease = await takeLease(async () => ({
    ...(await open()),
    replace: async (_, { holder }) => holder !== '' || new Promise(() => {}),
  }));
  const released = lease?.release();
  await vi.advanceTimersByTimeAsync(2_000);
  await released;
});

test('who waits can be stopped', async () => {
  await takeLease(open);
  const stop = new AbortController();
  const waiting = expect(takeLease(open, { wait: true, signal: stop.signal })).rejects.toMatchObject({
    code: 'interrupted',
  });
  await vi.advanceTimersByTimeAsync(100);
  stop.abort();
  await vi.advanceTimersByTimeAsync(1_000);
  await waiting;
  expect(closed).toBe(1);
});
