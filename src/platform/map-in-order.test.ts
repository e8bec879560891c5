import { expect, test } from 'vitest';
import { mapInOrder } from './map-in-order.ts';

/** Work that ends when it is told to. */
function work() {
  const begun = new Map<string, PromiseWithResolvers<string>>();
  return {
    begun,
    begin(item: string): Promise<string> {
      const outcome = Promise.withResolvers<string>();
      begun.set(item, outcome);
      return outcome.promise;
    },
    end: (...items: string[]) => {
      for (const item of items) begun.get(item)?.resolve(item.toUpperCase());
    },
  };
}

const turn = () => new Promise(setImmediate);

test('has several under way, and gives each in its order as soon as it is known', async () => {
  const { begun, begin, end } = work();
  const mapped = mapInOrder('abcd'.split('').values(), 3, begin);
  const first = mapped.next();
  await turn();
  expect([...begun.keys()]).toEqual(['a', 'b', 'c']);
  end('b', 'a');
  expect(await first).toEqual({ done: false, value: 'A' });
  expect(await mapped.next()).toEqual({ done: false, value: 'B' });
  const third = mapped.next();
  await turn();
  end('c', 'd');
  expect(await third).toMatchObject({ value: 'C' });
  expect(await mapped.next()).toMatchObject({ value: 'D' });
  expect(await mapped.next()).toMatchObject({ done: true });
});

test('does not wait for items that are slow to come before it gives what is known', async () => {
  const slow = Promise.withResolvers<void>();
  async function* items() {
    yield 'a';
    await slow.promise;
    yield 'b';
  }
  const mapped = mapInOrder(items(), 8, async (item) => item);
  expect(await mapped.next()).toMatchObject({ value: 'a' });
  slow.resolve();
  expect(await mapped.next()).toMatchObject({ value: 'b' });
});

test('one at a time begins nothing before the last one was taken', async () => {
  const { begun, begin, end } = work();
  const mapped = mapInOrder('ab'.split('').values(), 1, begin);
  const first = mapped.next();
  await turn();
  end('a');
  await first;
  await turn();
  expect([...begun.keys()]).toEqual(['a']);
  await mapped.return(undefined);
});

test('keeps what is heavy apart', async () => {
  const { begun, begin, end } = work();
  const weighing = { max: 10, weightOf: (item: string) => item.length };
  const mapped = mapInOrder(['aaaaaaaaaaaa', 'b', 'c'].values(), 8, begin, weighing);
  const first = mapped.next();
  await turn();
  expect(begun.size).toBe(1);
  end('aaaaaaaaaaaa');
  await first;
  const second = mapped.next();
  await turn();
  expect(begun.size).toBe(3);
  end('b', 'c');
  await second;
  await mapped.return(undefined);
});

test('throws a failure in its place, begins nothing after it, and ends when all that was begun is over', async () => {
  const { begun, begin, end } = work();
  const mapped = mapInOrder('abcde'.split('').values(), 3, begin);
  const first = mapped.next();
  await turn();
  begun.get('b')?.reject(new TypeError('b'));
  await turn();
  end('a');
  expect(await first).toMatchObject({ value: 'A' });
  let isOver = false;
  const failing = mapped.next().finally(() => {
    isOver = true;
  });
  await turn();
  expect([isOver, [...begun.keys()]]).toEqual([false, ['a', 'b', 'c']]);
  end('c');
  await expect(failing).rejects.toThrow('b');
});

test('throws a failure of the items after what was begun before it, and waits for what was begun when it is left early', async () => {
  const { begin, end } = work();
  function* items() {
    yield 'a';
    throw new TypeError('no more');
  }
  const mapped = mapInOrder(items(), 3, begin);
  const first = mapped.next();
  await turn();
  end('a');
  expect(await first).toMatchObject({ value: 'A' });
  await expect(mapped.next()).rejects.toThrow('no more');

  const left = mapInOrder('ab'.split('').values(), 2, begin);
  const one = left.next();
  await turn();
  end('a');
  await one;
  let isOver = false;
  const leaving = left.return(undefined).then(() => {
    isOver = true;
  });
  await turn();
  expect(isOver).toBe(false);
  end('b');
  await leaving;
});
