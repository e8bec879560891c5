import { expect, test } from 'vitest';
import { ReadingOrder } from './reading-order.ts';

const file = (uri: string) => ({ uri, size: 1, modifiedAt: 0 });
const files = ['a', 'b', 'c', 'd', 'e'].map(file);

test('files that somebody waits for come next, and every file comes once', () => {
  const order = new ReadingOrder();
  void order.want(['d']);
  const given = order.of(files);
  const next = () => (given.next().value as { uri: string } | undefined)?.uri;
  expect([next(), next()]).toEqual(['d', 'a']);
  void order.want(['e', 'c', 'a']);
  expect([next(), next(), next(), next()]).toEqual(['e', 'c', 'b', undefined]);
});

test('who waits hears when all of its files are done, also those that were done before or are not to be read', async () => {
  const order = new ReadingOrder();
  const early = order.want(['a', 'gone']);
  const given = order.of(files);
  given.next();
  order.done('a');
  await early;
  await order.want(['a', 'gone']);
  let isDone = false;
  const late = order.want(['b', 'c']).then(() => {
    isDone = true;
  });
  order.done('b');
  await Promise.resolve();
  expect(isDone).toBe(false);
  order.done('c');
  await late;
});

test('nobody waits for a run that has ended', async () => {
  const order = new ReadingOrder();
  const waiting = order.want(['a']);
  order.end();
  await waiting;
  await order.want(['b']);
});
