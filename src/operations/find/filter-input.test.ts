import { expect, test } from 'vitest';
import { filterSchema } from '../../core/filter.ts';
import { pathMatcher } from '../../core/globs/glob.ts';
import { filterOf } from './filter-input.ts';

test('an input has a field for every field of a filter', () => {
  const filter = filterOf({
    type: ['code'],
    path: ['src/**'],
    language: ['typescript'],
    kind: ['function'],
    origin: ['file'],
    tag: ['boat'],
    field: ['status=open'],
    author: ['ada'],
    since: '2026-01-31',
    until: '2026-02-28',
  });
  expect(filterSchema.parse(filter)).toEqual({
    types: ['code'],
    paths: ['src/**'],
    languages: ['typescript'],
    symbolKinds: ['function'],
    origins: ['file'],
    tags: ['boat'],
    fields: ['status=open'],
    authors: ['ada'],
    since: expect.any(Number),
    until: expect.any(Number),
  });
  expect(Object.keys(filter ?? {}).sort()).toEqual(Object.keys(filterSchema.shape).sort());
});

test('lists without values narrow nothing down', () => {
  expect(filterOf({ type: [], path: [] })).toBeUndefined();
});

const pathsOf = (input: Parameters<typeof filterOf>[0]) => {
  const admits = pathMatcher(filterOf(input)?.paths ?? []);
  return (path: string) => admits(path);
};

test('a folder admits what is in it and nothing beside it, also together with a glob', () => {
  const inFolder = pathsOf({ in: ['src/store/'] });
  expect(['src/store/a.ts', 'src/store/b/c.md'].every(inFolder)).toBe(true);
  expect(['src/storey.ts', 'lib/src/store/a.ts', 'src/a.ts'].some(inFolder)).toBe(false);
  const both = pathsOf({ in: ['./src'], path: ['*.ts'] });
  expect(both('src/deep/a.ts')).toBe(true);
  expect(both('src/a.md') || both('docs/a.ts')).toBe(false);
  expect(pathsOf({ in: ['a[1]'] })('a[1]/b.ts')).toBe(true);
  expect(pathsOf({ in: ['src/a.ts'] })('src/a.ts')).toBe(true);
  const atTheTop = pathsOf({ in: ['a,{b}.ts'] });
  expect(['a,{b}.ts', 'a,{b}.ts/c.ts', 'src/a,{b}.ts'].map(atTheTop)).toEqual([true, true, false]);
  expect(() => filterOf({ in: ['../elsewhere'] })).toThrow(/leads out/);
  expect(() => filterOf({ in: ['src'], path: ['docs/**'] })).toThrow(/another folder/);
});

test('code and no tests are short for a type and for globs', () => {
  expect(filterOf({ code: true })).toEqual({ types: ['code'] });
  const isCode = pathsOf({ tests: false });
  const tests =
    'test/a.ts src/__tests__/a.js src/a.test.ts a_spec.rb pkg/test_a.py x/AccountTest.java e2e/run.ts';
  expect(tests.split(' ').filter(isCode)).toEqual([]);
  expect(['src/a.ts', 'src/latest.ts', 'src/contest/b.py', 'protest.md'].every(isCode)).toBe(true);
  expect(filterOf({ tests: true })).toBeUndefined();
});

test('a day is the first and the last that counts: the filter begins with it and ends with the day after', () => {
  expect(filterOf({ since: '2026-11-18', until: '2026-11-18' })).toEqual({
    since: Date.parse('2026-11-18T00:00Z'),
    until: Date.parse('2026-11-19T00:00Z'),
  });
});
