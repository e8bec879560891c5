import { expect, test } from 'vitest';
import { analyseQuery } from '../query/analyse-query.ts';
import { candidatesOf } from './candidates.fixture.ts';
import { plainEvidence } from './plain-evidence.ts';

const leastOf = (query: string, ...texts: readonly string[]) =>
  plainEvidence(analyseQuery(query), candidatesOf(texts.map((text) => ({ text })))).atLeast;

test.each([
  ['rate limiting', 'it is rather limited'],
  ['dark mode', 'a model of the dark'],
  ['retry policy', 'retrieves by its policy'],
])('a word that only begins like one of a few is not that word: %s', (query, text) => {
  expect(leastOf(query, text)).toEqual([0]);
});

test.each([
  ['rate limiting', 'the rate is limited'],
  ['load balancer', 'const loadBalancers = 2'],
  ['東京 駅', '明日は東京駅で会う'],
])('all the words of a few in one text are strong, in other forms and inside names: %s', (query, text) => {
  expect(leastOf(query, text)).toEqual([0.5]);
});

test('behind a hit with one of two words a hit with both makes nothing strong, and a single word still does', () => {
  const [first, second = 0] = leastOf('retry policy', 'the policy of frames', 'a retry, by its policy');
  expect(first).toBe(0);
  expect(second).toBeGreaterThan(0.4);
  expect(second).toBeLessThan(0.5);
  expect(leastOf('quorbelix', 'the policy of frames', 'ask for quorbelix')).toEqual([0, 0.5]);
});
