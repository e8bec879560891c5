import { expect, it } from 'vitest';
import { ShortestFirst } from './shortest-first.ts';

it('lets the call with the least left go first, and equals in their order', async () => {
  const turns = new ShortestFirst();
  const done: string[] = [];
  const gate = Promise.withResolvers<void>();
  const call = (name: string, left: number) =>
    turns.run(left, async () => {
      if (name === 'first') await gate.promise;
      done.push(name);
    });
  const calls = [
    call('first', 8),
    call('run', 7),
    call('question', 1),
    call('other run', 7),
    call('other question', 1),
  ];
  gate.resolve();
  await Promise.all(calls);
  expect(done).toEqual(['first', 'question', 'other question', 'run', 'other run']);
});

it('does one piece of work at a time, also after one that failed', async () => {
  const turns = new ShortestFirst();
  let underWay = 0;
  let max = 0;
  const call = (fails: boolean) =>
    turns.run(1, async () => {
      underWay += 1;
      max = Math.max(max, underWay);
      await Promise.resolve();
      underWay -= 1;
      if (fails) throw new RangeError('failed');
    });
  const outcomes = await Promise.allSettled([call(false), call(true), call(false), call(true)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  expect(max).toBe(1);
  await expect(turns.run(1, async () => 'idle again')).resolves.toBe('idle again');
});
