import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Gathering } from './gathering.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Those that have gone on, in the order in which they did. */
function passing(together: Gathering) {
  const passed: string[] = [];
  const come = (name: string, weight: number) => {
    void together.join(weight).then(() => passed.push(name));
  };
  return { passed, come };
}

it('lets all continue once they weigh enough, and gathers again', async () => {
  const { passed, come } = passing(new Gathering({ max: 10, milliseconds: 50 }));
  come('a', 4);
  come('b', 4);
  await vi.advanceTimersByTimeAsync(0);
  expect(passed).toEqual([]);
  come('c', 4);
  come('d', 4);
  await vi.advanceTimersByTimeAsync(0);
  expect(passed).toEqual(['a', 'b', 'c']);
  await vi.advanceTimersByTimeAsync(50);
  expect(passed).toEqual(['a', 'b', 'c', 'd']);
});

it('lets nobody wait longer than the first one may, however many come after it', async () => {
  const { passed, come } = passing(new Gathering({ max: 1000, milliseconds: 50 }));
  come('first', 1);
  await vi.advanceTimersByTimeAsync(40);
  come('second', 1);
  await vi.advanceTimersByTimeAsync(10);
  expect(passed).toEqual(['first', 'second']);
});

it('does not hold up what is heavy enough alone, and leaves no timer behind', async () => {
  const { passed, come } = passing(new Gathering({ max: 10, milliseconds: 50 }));
  come('heavy', 10);
  await vi.advanceTimersByTimeAsync(0);
  expect(passed).toEqual(['heavy']);
  expect(vi.getTimerCount()).toBe(0);
});

it('lets those who wait continue when it is told to, and those who come later wait', async () => {
  const together = new Gathering({ max: 10, milliseconds: 50 });
  const { passed, come } = passing(together);
  come('a', 9);
  together.goOn();
  come('b', 9);
  await vi.advanceTimersByTimeAsync(0);
  expect(passed).toEqual(['a']);
  together.goOn();
  together.goOn();
  await vi.advanceTimersByTimeAsync(0);
  expect(passed).toEqual(['a', 'b']);
});
