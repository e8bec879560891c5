import { describe, expect, test } from 'vitest';
import { inTurn, observe, resultOf } from './streams.ts';

function counting(upTo: number) {
  const seen = { isClosed: false };
  const stream = (async function* (): AsyncGenerator<number, string> {
    try {
      for (let number = 1; number <= upTo; number += 1) yield number;
      return 'all';
    } finally {
      seen.isClosed = true;
    }
  })();
  return { seen, stream };
}

describe('a stream that is observed', () => {
  test('is passed on with its result, but for the events that are kept back', async () => {
    const looked: number[] = [];
    const { stream } = counting(4);
    const observed = observe(stream, (number) => {
      looked.push(number);
      return number !== 2;
    });
    const passed: number[] = [];
    let step = await observed.next();
    for (; !step.done; step = await observed.next()) passed.push(step.value);
    expect({ looked, passed, result: step.value }).toEqual({
      looked: [1, 2, 3, 4],
      passed: [1, 3, 4],
      result: 'all',
    });
  });

  test('is closed when it is left early', async () => {
    const { seen, stream } = counting(4);
    for await (const number of observe(stream, () => undefined)) if (number === 2) break;
    expect(seen.isClosed).toBe(true);
  });

  test('is closed when looking at an event fails', async () => {
    const { seen, stream } = counting(4);
    const look = () => {
      throw new Error('no more');
    };
    await expect(observe(stream, look).next()).rejects.toThrow('no more');
    expect(seen.isClosed).toBe(true);
  });
});

test('the result of a stream is that of its end', async () => {
  let sum = 0;
  const { stream } = counting(4);
  const result = await resultOf(stream, (number) => {
    sum += number;
  });
  expect({ result, sum }).toEqual({ result: 'all', sum: 10 });
});

describe('streams in turn', () => {
  test('give their items one after the other, and each begins when the one before has ended', async () => {
    const [one, other] = [counting(2), counting(3)];
    const passed: number[] = [];
    const second = () => {
      expect(one.seen.isClosed).toBe(true);
      return other.stream;
    };
    for await (const number of inTurn(() => one.stream, second)) passed.push(number);
    expect(passed).toEqual([1, 2, 1, 2, 3]);
  });

  test('may be opened by waiting, and what cannot be opened fails the step', async () => {
    const fails = async () => Promise.reject(new Error('not there'));
    const both = inTurn(async () => counting(1).stream, fails);
    expect(await both.next()).toEqual({ done: false, value: 1 });
    await expect(both.next()).rejects.toThrow('not there');
  });

  test('begin none that is still being opened when they are left', async () => {
    const { stream } = counting(2);
    const opening = Promise.withResolvers<AsyncIterable<number>>();
    const left = inTurn(() => opening.promise);
    const step = left.next();
    await left.return?.();
    opening.resolve(stream);
    expect(await step).toEqual({ done: true, value: undefined });
  });

  test('close the open one when they are left early, and begin no other', async () => {
    const { seen, stream } = counting(4);
    const second = () => {
      throw new Error('not asked for');
    };
    const both = inTurn(() => stream, second);
    for await (const number of both) if (number === 2) break;
    expect(seen.isClosed).toBe(true);
    expect(await both.next()).toEqual({ done: true, value: undefined });
  });
});
