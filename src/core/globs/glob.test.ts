import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draws } from '../../../test/property-draws.ts';
import { pathExpressions, pathMatcher } from './glob.ts';

describe('groups', () => {
  test.each([
    ['*.{ts,tsx}', ['a.ts', 'src/b.tsx'], ['a.js', 'a.{ts,tsx}']],
    ['{src,test}/**/*.ts', ['src/a/b.ts', 'test/c.ts'], ['lib/c.ts']],
    ['{a,{b,c}d}.md', ['a.md', 'bd.md', 'cd.md'], ['d.md', 'b.md']],
    ['page-{8..11}.txt', ['page-8.txt', 'page-11.txt'], ['page-1.txt', 'page-12.txt']],
    ['{08..10}.txt', ['08.txt', '10.txt'], ['8.txt']],
    ['{a..c}.txt', ['b.txt'], ['d.txt']],
    ['@(a|b).md', ['a.md', 'b.md'], ['ab.md', 'c.md']],
    ['?(un)signed.md', ['signed.md', 'unsigned.md'], ['designed.md']],
    ['(a|b).md', ['a.md'], ['(a|b).md']],
    ['{plain}.md', ['{plain}.md'], ['plain.md']],
    ['{open.md', ['{open.md'], ['open.md']],
    ['{src,docs}', ['src/a.ts', 'docs/b/c.md'], ['lib/src.ts']],
    ['a\\{b,c\\}.md', ['a{b,c}.md'], ['ab.md']],
  ])('%s', (glob, matching, others) => {
    const matches = pathMatcher([glob]);
    expect(matching.filter((uri) => !matches(uri))).toEqual([]);
    expect(others.filter(matches)).toEqual([]);
  });
});

describe('brackets', () => {
  test.each([
    ['app/[id]/page.tsx', ['app/[id]/page.tsx', 'app/i/page.tsx'], ['app/id/page.tsx']],
    ['app/[...slug]/**', ['app/[...slug]/a/b.tsx'], ['app/slug/b.tsx']],
    ['app/[id]', ['app/[id]/page.tsx'], []],
    ['[a-c].md', ['b.md'], ['[a-c].md', 'd.md']],
    ['[!a].md', ['b.md', 'ж.md'], ['a.md']],
    ['[open.md', ['[open.md'], ['open.md']],
    ['?.md', ['ж.md', 'x.md'], ['xx.md']],
  ])('%s', (glob, matching, others) => {
    const matches = pathMatcher([glob]);
    expect(matching.filter((uri) => !matches(uri))).toEqual([]);
    expect(others.filter(matches)).toEqual([]);
  });
});

test.each([
  '{a,b}'.repeat(8),
  '{1..100000000}',
  '@(a|b)'.repeat(20),
  '+(a|aa)',
  '*(*(*(a)))',
  'x!(a)',
  '[а-я]*.md',
  'x'.repeat(1001),
])('refuses what would take too long or is not known: %s', (glob) => {
  expect(() => pathMatcher([glob])).toThrowError(expect.objectContaining({ code: 'usage-invalid' }));
});

test('globs made to explode come to an end on names made for them', () => {
  const matches = pathMatcher([`${'*a'.repeat(60)}*b*`, `${'**/*a*'.repeat(25)}b*`, `${'*?'.repeat(60)}b*`]);
  for (let at = 0; at < 20; at += 1)
    expect(matches(`${'a'.repeat(200)}/${'a'.repeat(200 + at)}`)).toBe(false);
});

test('globs that are long altogether are refused: each file would be compared with all of it', () => {
  const long = `${'a'.repeat(900)}{b,c,d,e,f,g,h,i,j,k}`;
  expect(() => pathMatcher(Array.from({ length: 190 }, () => long))).toThrow(
    expect.objectContaining({ code: 'usage-invalid' }),
  );
  expect(pathMatcher([long])('a'.repeat(900))).toBe(false);
});

test('thousands of names, folders and endings are looked up, whatever is compared with them', () => {
  const globs = Array.from({ length: 480 }, (_, at) => [
    `a/n${at}.md`,
    `n${at}.md`,
    `f${at}/**`,
    `*.e${at}`,
  ]).flat();
  const matches = pathMatcher(globs);
  expect(['a/n7.md', 'b/n9.md', 'f8/x/y', 'a/b.e479'].filter((uri) => !matches(uri))).toEqual([]);
  expect(['a/n480.md', 'g/f8', 'a.e480', 'e1'].filter(matches)).toEqual([]);
});

test('many wildcards amid the text are refused: each file would be compared with all of them', () => {
  const globs = (length: number) => Array.from({ length }, (_, at) => `**/*e*${at}*`);
  expect(() => pathMatcher(globs(51))).toThrow(expect.objectContaining({ code: 'usage-invalid' }));
  expect(pathMatcher(globs(50))('a/be49x')).toBe(true);
  expect(() => pathMatcher(Array.from({ length: 201 }, (_, at) => `a?${at}`))).toThrow('at most 200');
});

test('what is looked up means the same as what is compared', () => {
  const part = fc.constantFrom('a', 'b', '.', '/', '**/', '/**', '*', '?', '[ab]', '\\*', 'ab', '!');
  const glob = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
  const uri = fc
    .array(fc.constantFrom('a', 'b', '.', '/', '*', 'ab', '\n'), { maxLength: 7 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(glob, { minLength: 1, maxLength: 4 }), uri, (globs, text) => {
      fc.pre(globs.every((each) => each.replace(/^!?(\.?\/)?/, '') !== '') && text !== '');
      const { admitted, excluded } = pathExpressions(globs);
      const isIn = (expression: string | undefined, otherwise: boolean) =>
        expression === undefined ? otherwise : new RegExp(expression).test(text);
      expect(pathMatcher(globs)(text)).toBe(isIn(admitted, true) && !isIn(excluded, false));
    }),
    { numRuns: draws(3000) },
  );
});
