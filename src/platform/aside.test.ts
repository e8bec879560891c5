import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createAside, withAside } from './aside.ts';

test('what arises aside is passed on while the stream waits for its next item, and what it throws is thrown', async () => {
  const aside = createAside<string>();
  const waits = Promise.withResolvers<void>();
  const stream = async function* () {
    yield 'first';
    aside.add('beside the second');
    await waits.promise;
    yield 'second';
    aside.add('last');
    throw new TypeError('broken');
  };
  const seen: string[] = [];
  const all = (async () => {
    for await (const item of withAside(stream(), aside)) {
      seen.push(item);
      if (item === 'beside the second') aside.add('one more');
      if (item === 'one more') waits.resolve();
    }
  })();
  await expect(all).rejects.toThrow('broken');
  expect(seen).toEqual(['first', 'beside the second', 'one more', 'second', 'last']);
});

test('nothing is held of items that are passed on, where nothing arises aside', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const stream = async function* () {
    for (let item = 0; item < 50_000; item += 1) yield item;
  };
  let before = 0;
  for await (const item of withAside(stream(), createAside())) {
    if (item !== 10_000 && item !== 49_999) continue;
    await nextTurn();
    collectGarbage();
    const { heapUsed } = process.memoryUsage();
    if (before > 0) expect(heapUsed - before).toBeLessThan(4e6);
    before = heapUsed;
  }
});
