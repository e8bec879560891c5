import { expect, test } from 'vitest';
import { systemClock } from './clock.ts';

test('goes forward', async () => {
  const before = systemClock.now();
  await systemClock.wait(1);
  expect(systemClock.now()).toBeGreaterThanOrEqual(before);
});

test('lets other work run in a wait of nothing', async () => {
  let hasRun = false;
  setImmediate(() => {
    hasRun = true;
  });
  await systemClock.wait(0);
  expect(hasRun).toBe(true);
});

test('ends a wait with interrupted when the signal is aborted, before or during it', async () => {
  await expect(systemClock.wait(0, AbortSignal.abort())).rejects.toMatchObject({ code: 'interrupted' });
  await expect(systemClock.wait(10, AbortSignal.abort())).rejects.toMatchObject({ code: 'interrupted' });
  const controller = new AbortController();
  const waiting = systemClock.wait(3_600_000, controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'interrupted' });
});

test('does not cut short a wait that is longer than a timer can hold', async () => {
  const controller = new AbortController();
  const end = systemClock.wait(2 ** 40, controller.signal).then(
    () => 'over',
    () => 'stopped',
  );
  await systemClock.wait(2);
  controller.abort();
  expect(await end).toBe('stopped');
});
