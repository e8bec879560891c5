import { expect, test } from 'vitest';
import type { SearchHit } from '../../../src/operations/find/hit-as-data.ts';
import { whyHere } from './why.ts';

const hit = (trace: NonNullable<SearchHit['trace']>) => ({ trace, relevance: 0.5 }) as SearchHit;

test('a hit is explained in words that a user says, what counts most first', () => {
  expect(
    whyHere(
      hit([
        { stage: 'dense', rank: 2, score: 0.6 },
        { stage: 'text', rank: 9, score: 4 },
        { stage: 'fuse', rank: 1, score: 0.7 },
        { stage: 'rank', score: 0.1, note: 'has all the words' },
        { stage: 'rank', score: 0.3, note: 'file name matches the query' },
        { stage: 'rank', score: -0.2, note: 'example file' },
      ]),
    ),
  ).toEqual([
    'The name of its file fits.',
    'It has all of your words.',
    'Its meaning is among the closest to your words.',
    'It has some of your words.',
    'Lower down: an example file.',
  ]);
});

test('a rule that the page does not know says its own name', () => {
  expect(whyHere(hit([{ stage: 'rank', score: 1, note: 'was read often' }]))).toEqual([
    'Raised: was read often.',
  ]);
  expect(whyHere(hit([]))).toEqual(['It is the nearest there is.']);
});
