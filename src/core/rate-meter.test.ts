import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRateMeter, type Speed } from './rate-meter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Reports work done at an even pace, and returns the speed after the last report. */
function runEvenly(milliseconds: number, things: number, steps: number, total: number): Speed {
  const meter = createRateMeter();
  let speed = meter.reach(0, total);
  for (let step = 1; step <= steps; step += 1) {
    vi.advanceTimersByTime(milliseconds);
    speed = meter.reach(step * things, total);
  }
  return speed;
}

test.each([
  ['an event each millisecond', 1, 1, 4000],
  ['one each quarter of a second', 250, 32, 100],
  ['one each half minute', 30_000, 8, 2],
])('%s: rate and rest are those of an even run', (_, milliseconds, things, steps) => {
  const total = things * steps * 2;
  const { rate = 0, secondsLeft = 0 } = runEvenly(milliseconds, things, steps, total);
  expect(rate).toBeCloseTo((things * 1000) / milliseconds, 6);
  expect(secondsLeft).toBeCloseTo((milliseconds * steps) / 1000, 6);
});

test('nothing is known from one event, from a moment, or while nothing gets done', () => {
  expect(createRateMeter().reach(500, 1000)).toEqual({});
  expect(runEvenly(100, 10, 9, 1000)).toEqual({});
  expect(runEvenly(1000, 0, 20, 1000)).toEqual({});
});

test('the time left is unknown before three seconds and after the end', () => {
  expect(runEvenly(1000, 10, 2, 1000)).toEqual({ rate: 10 });
  expect(runEvenly(1000, 10, 5, 50)).toEqual({ rate: 10 });
});

test('what was slow before the last ten seconds does not count', () => {
  const meter = createRateMeter();
  let speed: Speed = {};
  for (let second = 0; second <= 60; second += 1) {
    speed = meter.reach(second <= 40 ? second : 40 + (second - 40) * 50, 2000);
    vi.advanceTimersByTime(1000);
  }
  expect(speed).toEqual({ rate: 50, secondsLeft: (2000 - 1040) / 50 });
});

test('a count that starts again is another run', () => {
  const meter = createRateMeter();
  meter.reach(900, 1000);
  vi.advanceTimersByTime(5000);
  expect(meter.reach(10, 1000)).toEqual({});
  vi.advanceTimersByTime(5000);
  expect(meter.reach(60, 1000)).toEqual({ rate: 10, secondsLeft: 94 });
});

test('rate and time left are always finite and above zero', () => {
  const step = fc.record({ wait: fc.integer({ min: 0, max: 60_000 }), done: fc.nat(5000) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const meter = createRateMeter();
      let done = 0;
      for (const { wait, done: more } of steps) {
        vi.advanceTimersByTime(wait);
        done += more;
        const { rate = 1, secondsLeft = 1 } = meter.reach(done, 100_000);
        expect(rate > 0 && Number.isFinite(rate)).toBe(true);
        expect(secondsLeft > 0 && Number.isFinite(secondsLeft)).toBe(true);
      }
    }),
  );
});
