import { expect, test } from 'vitest';
import { notAmong, sortedOut } from './warnings.ts';

const late = { code: 'model-failed', message: 'The reranker scored none of 20 chunks within 120 ms.' };
const stale = { code: 'index-stale', message: 'The index is behind.' };

test('a warning that stands above the hits is not said again by the answer', () => {
  expect(notAmong([late, stale], [{ ...late }])).toEqual([stale]);
});

test('that the best hits were not looked at closely is a note, and no warning', () => {
  const pending = { code: 'vectors-pending', message: '3 vectors are missing.' };
  expect(sortedOut([late, stale, pending])).toEqual({ serious: [stale], isFirstOrder: true });
  const broken = { code: 'model-failed', message: "The reranker's answer makes no sense." };
  expect(sortedOut([broken])).toEqual({ serious: [broken], isFirstOrder: false });
  expect(sortedOut([stale])).toEqual({ serious: [stale], isFirstOrder: false });
});
