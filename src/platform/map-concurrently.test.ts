import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { mapConcurrently } from './map-concurrently.ts';

test('a bounded map keeps at most so many items under way and reports each one', async () => {
  let running = 0;
  let max = 0;
  const seen: string[] = [];
  const work = async (item: number) => {
    running += 1;
    max = Math.max(max, running);
    await new Promise(setImmediate);
    running -= 1;
    if (item === 3) throw new TypeError('three');
    return item * 10;
  };
  for await (const outcome of mapConcurrently([1, 2, 3, 4, 5], 2, work)) {
    seen.push('error' in outcome ? `failed ${outcome.item}` : `${outcome.item}: ${outcome.value}`);
  }
  expect(max).toBe(2);
  expect(seen.sort()).toEqual(['1: 10', '2: 20', '4: 40', '5: 50', 'failed 3']);
});

test('a bounded map keeps heavy items apart, and works on one that is too heavy alone', async () => {
  const running: number[] = [];
  const seen: number[][] = [];
  const work = async (item: number) => {
    running.push(item);
    seen.push([...running]);
    await new Promise(setImmediate);
    running.splice(running.indexOf(item), 1);
  };
  const weighing = { max: 10, weightOf: (item: number) => item };
  for await (const _ of mapConcurrently([4, 5, 6, 99, 1, 2, 3], 3, work, weighing));
  expect(seen).toHaveLength(7);
  for (const together of seen)
    if (together.length > 1) expect(together.reduce((a, b) => a + b)).toBeLessThanOrEqual(10);
  expect(seen).toContainEqual([99]);
  expect(seen).toContainEqual([1, 2, 3]);
});

test('a bounded map holds on to nothing that it has passed on while a slow item is under way', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const slow = Promise.withResolvers<void>();
  const passedOn: WeakRef<object>[] = [];
  const work = async (item: number) => {
    if (item === 0) await slow.promise;
    return { item };
  };
  for await (const outcome of mapConcurrently(Array.from({ length: 100 }).keys(), 3, work)) {
    if ('value' in outcome) passedOn.push(new WeakRef(outcome.value));
    if (passedOn.length < 99) continue;
    await nextTurn();
    collectGarbage();
    slow.resolve();
    break;
  }
  expect(passedOn.filter((value) => value.deref()).length).toBeLessThan(10);
});
