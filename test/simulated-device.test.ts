import { expect, test } from 'vitest';
import { QuarryError } from '../src/core/errors.ts';
import { createSimulatedDevice } from './simulated-device.ts';
import { createVirtualClock } from './virtual-clock.ts';

const asChunk = { as: 'chunk' } as const;
const tokens = (count: number) => 'abcd'.repeat(count);

test('lets virtual time pass in the order of what is waited for', async () => {
  const clock = createVirtualClock();
  const seen: string[] = [];
  const wait = async (milliseconds: number, name: string) => {
    await clock.wait(milliseconds);
    seen.push(`${name} at ${clock.now()}`);
  };
  await Promise.all([wait(3_600_000, 'late'), wait(5, 'early'), wait(5, 'second'), wait(0, 'now')]);
  expect(seen).toEqual(['now at 0', 'early at 5', 'second at 5', 'late at 3600000']);
});

test('forgets a wait that was aborted', async () => {
  const clock = createVirtualClock();
  const controller = new AbortController();
  const long = clock.wait(1000, controller.signal);
  controller.abort();
  await expect(long).rejects.toMatchObject({ code: 'interrupted' });
  await expect(clock.wait(1, controller.signal)).rejects.toMatchObject({ code: 'interrupted' });
  await clock.wait(7);
  expect(clock.now()).toBe(7);
});

test('takes as long as its cost model says, one call after the other on one lane', async () => {
  const device = createSimulatedDevice({ perCall: 10, perToken: 2 });
  await Promise.all([device.embed([tokens(3), tokens(1)], asChunk), device.embed([tokens(5)], asChunk)]);
  expect(device.ended.map(({ tokens: cost, endedAt }) => [cost, endedAt])).toEqual([
    [6, 22],
    [5, 42],
  ]);
  expect(device.maxInFlight).toBe(2);
});

test('packs texts and works on several lanes where the options say so', async () => {
  const device = createSimulatedDevice({ perCall: 10, perToken: 2, pads: false, lanes: 2 });
  await Promise.all([device.embed([tokens(3), tokens(1)], asChunk), device.embed([tokens(5)], asChunk)]);
  expect(device.ended.map(({ endedAt }) => endedAt)).toEqual([18, 20]);
});

test('gives the same unit vector for a text in every call', async () => {
  const device = createSimulatedDevice({ dimensions: 8 });
  const [one, two] = await device.embed(['one', 'two'], asChunk);
  const [again] = await createSimulatedDevice({ dimensions: 8 }).embed(['one'], asChunk);
  expect(again).toEqual(one);
  expect(again).toEqual(device.vectorOf('one'));
  expect(two).not.toEqual(one);
  expect(Math.hypot(...(one ?? []))).toBeCloseTo(1, 5);
});

test('fails as its options say', async () => {
  const busy = new QuarryError('provider-limited', 'Slow down.', 'Wait.', { retryAfter: 3 });
  const device = createSimulatedDevice({
    memoryTokens: 10,
    bodyBytes: 20,
    refuses: (text) => text === 'bad',
    fails: ({ number }) => (number === 0 ? busy : undefined),
  });
  await expect(device.embed(['a'], asChunk)).rejects.toBe(busy);
  await expect(device.embed(['a', 'bad'], asChunk)).rejects.toMatchObject({ code: 'embedding-failed' });
  await expect(device.embed([tokens(4), '', ''], asChunk)).rejects.toMatchObject({
    code: 'embedding-too-large',
  });
  await expect(device.embed(['é'.repeat(11)], asChunk)).rejects.toMatchObject({
    code: 'embedding-too-large',
  });
  await expect(device.embed(['a'], { ...asChunk, signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'interrupted',
  });
  expect(device.ended.filter(({ error }) => error)).toHaveLength(5);
  expect(device.inFlight).toBe(0);
});
