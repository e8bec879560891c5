import { afterEach, expect, test, vi } from 'vitest';
import { sample } from './samples.ts';

afterEach(() => vi.unstubAllEnvs());

const items = Array.from({ length: 10 }, (_, at) => at);

test('a run tries a part of many cases, and runs one after the other try them all', () => {
  vi.stubEnv('CI', undefined);
  const parts = [0, 1, 2].map((from) => sample(3, items, from));
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(4);
  expect(parts.flat().sort((one, other) => one - other)).toEqual(items);
});

test('a run tries one of few', () => {
  vi.stubEnv('CI', undefined);
  for (let from = 0; from < 5; from += 1) expect(sample(3, ['a', 'b'], from)).toHaveLength(1);
});

test('CI tries all', () => {
  vi.stubEnv('CI', 'true');
  expect(sample(3, items)).toEqual(items);
});
