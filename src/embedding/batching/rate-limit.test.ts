import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../test/virtual-clock.ts';
import { RateLimit } from './rate-limit.ts';

test('gives no more turns in any minute than allowed, and wastes few', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 600 }),
      fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 5 }),
      async (callsPerMinute, breaks) => {
        const clock = createVirtualClock();
        const limit = new RateLimit(clock);
        const starts: number[] = [];
        for (let call = 0; call < callsPerMinute * 3; call += 1) {
          if (call % 7 === 0) await clock.wait(breaks[call / 7] ?? 0);
          await limit.turn(callsPerMinute);
          starts.push(clock.now());
        }
        // A thousandth of a millisecond pays for the rounding of sums.
        for (const [at, start] of starts.entries()) {
          const last = starts[at + callsPerMinute];
          if (last !== undefined) expect(last - start).toBeGreaterThanOrEqual(60_000 - 0.001);
        }
        const broken = breaks.reduce((sum, one) => sum + one, 0);
        expect(starts.at(-1)).toBeLessThanOrEqual(broken + 3 * 60_000 * 1.02);
      },
    ),
    { numRuns: 15 },
  );
});

test('gives turns in the order they were asked for', async () => {
  const clock = createVirtualClock();
  const limit = new RateLimit(clock);
  const seen: number[] = [];
  const ask = async (name: number) => {
    await limit.turn(60);
    seen.push(name, clock.now());
  };
  await Promise.all([ask(1), ask(2), ask(3)]);
  expect(seen).toEqual([1, 0, 2, 1000, 3, 2000]);
});

test('gives the turn of an aborted wait to the next in line, and no turn twice', async () => {
  const clock = createVirtualClock();
  const limit = new RateLimit(clock);
  const controller = new AbortController();
  const starts: number[] = [];
  const ask = async (signal?: AbortSignal) => {
    await limit.turn(60, signal);
    starts.push(clock.now());
  };
  const first = ask();
  const left = [ask(controller.signal), ask(controller.signal)];
  const others = [ask(), ask()];
  await clock.wait(500);
  controller.abort();
  for (const one of left) await expect(one).rejects.toMatchObject({ code: 'interrupted' });
  await Promise.all([first, ...others, ask()]);
  expect(starts).toEqual([0, 1000, 2000, 3000]);
});

test('lets go of a wait that is aborted', async () => {
  const clock = createVirtualClock();
  const limit = new RateLimit(clock);
  await limit.turn(1);
  const controller = new AbortController();
  const waiting = limit.turn(1, controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'interrupted' });
});
