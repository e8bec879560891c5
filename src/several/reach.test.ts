import { expect, test } from 'vitest';
import type { SearchOutcome } from '../calls/project.ts';
import { createReach, type Reach } from './reach.ts';

const nothing: SearchOutcome = { hits: [], warnings: [], pending: 0 };

/** A search that knows these levels; the answer is whether they were in reach. */
async function asked(reach: Reach, levels: readonly number[], before?: Promise<void>): Promise<boolean> {
  let answer = false;
  await reach.among(async (isInReach) => {
    await before;
    answer = await isInReach(levels);
    return nothing;
  });
  return answer;
}

test('leaves out whose best is behind as many as are wanted, in any order', async () => {
  const reach = createReach(3);
  const slow = Promise.resolve().then(() => undefined);
  const answers = [asked(reach, [0.2, 0.1]), asked(reach, [0.9, 0.3]), asked(reach, [0.6, 0.5], slow)];
  expect(await Promise.all(answers)).toEqual([false, true, true]);
});

test('takes all whose best is as good as the last that is wanted', async () => {
  const reach = createReach(2);
  expect(await Promise.all([0.5, 0.5, 0.5].map((level) => asked(reach, [level])))).toEqual([
    true,
    true,
    true,
  ]);
});

test('waits for none that fails or knew its answer before', async () => {
  const reach = createReach(1);
  const failing = reach.among(() => Promise.reject(new Error('gone')));
  const known = reach.among(async () => nothing);
  const waiting = asked(reach, [0.4]);
  await expect(failing).rejects.toThrow('gone');
  expect(await known).toBe(nothing);
  expect(await waiting).toBe(true);
});

test('decides without one that hangs', async () => {
  const reach = createReach(1);
  const held = Promise.withResolvers<void>();
  const hanging = asked(reach, [0.1], held.promise);
  expect(await asked(reach, [0.4])).toBe(true);
  held.resolve();
  expect(await hanging).toBe(false);
});

test('counts a search once that is begun again and tells twice', async () => {
  const reach = createReach(2);
  const twice = reach.among(async (isInReach) => {
    await isInReach([0.9]);
    await isInReach([0.9]);
    return nothing;
  });
  expect(await asked(reach, [0.4])).toBe(true);
  await twice;
  expect(await asked(reach, [0.3])).toBe(false);
});
