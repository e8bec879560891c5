import { expect, test } from 'vitest';
import type { SearchHit } from '../../../src/operations/find/hit-as-data.ts';
import { weakHits } from './weak-hits.ts';

const hitOf = (relevance: number) => ({ relevance }) as SearchHit;

test('hits after the fifth are weak ones to fold, up to the last that is not weak', () => {
  const weak = Array.from({ length: 8 }, () => hitOf(0.01));
  expect(weakHits(weak, [])).toBe(3);
  expect(weakHits([...weak, hitOf(0.9)], [])).toBe(0);
  expect(weakHits(weak.slice(0, 4), [])).toBe(0);
});

test('a message that its thread folds is not counted again among the weak ones', () => {
  const hits = Array.from({ length: 9 }, () => hitOf(0.01));
  const after = hits[3] as SearchHit;
  expect(weakHits(hits, [{ after, hits: hits.slice(4, 7) }])).toBe(2);
  // A thread that begins among the weak ones is folded with them.
  expect(weakHits(hits, [{ after: hits[5] as SearchHit, hits: hits.slice(6, 8) }])).toBe(4);
  expect(weakHits(hits, [{ after, hits: hits.slice(4) }])).toBe(0);
});
