import { expect, test } from 'vitest';
import { filterSchema } from '../../core/filter.ts';
import { filterOf } from './filter-input.ts';

test('an input has a field for every field of a filter', () => {
  const filter = filterOf({
    type: ['code'],
    path: ['src/**'],
    language: ['typescript'],
    kind: ['function'],
    origin: ['file'],
    since: '2026-01-31',
    until: '2026-02-28',
  });
  expect(filterSchema.parse(filter)).toEqual({
    types: ['code'],
    paths: ['src/**'],
    languages: ['typescript'],
    symbolKinds: ['function'],
    origins: ['file'],
    since: expect.any(Number),
    until: expect.any(Number),
  });
  expect(Object.keys(filter ?? {}).sort()).toEqual(Object.keys(filterSchema.shape).sort());
});

test('lists without values narrow nothing down', () => {
  expect(filterOf({ type: [], path: [] })).toBeUndefined();
});
