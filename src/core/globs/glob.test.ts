import { describe, expect, test } from 'vitest';
import { pathMatcher } from './glob.ts';

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
  expect(() => pathMatcher([glob])).toThrowError(expect.objectContaining({ code: 'filter-invalid' }));
});

test('two hundred globs made to explode come to an end on names made for them', () => {
  const globs = Array.from(
    { length: 200 },
    (_, at) =>
      [`${'*a'.repeat(60)}*b${at}`, `${'**/*a*'.repeat(30)}b${at}`, `${'?'.repeat(at)}${'*?'.repeat(100)}b`][
        at % 3
      ],
  ) as string[];
  const matches = pathMatcher(globs);
  for (let at = 0; at < 20; at += 1)
    expect(matches(`${'a'.repeat(200)}/${'a'.repeat(200 + at)}`)).toBe(false);
});

test('globs that are long altogether are refused: each file would be compared with all of it', () => {
  const long = `${'*a'.repeat(450)}{b,c,d,e,f,g,h,i,j,k}`;
  expect(() => pathMatcher(Array.from({ length: 190 }, () => long))).toThrow(
    expect.objectContaining({ code: 'filter-invalid' }),
  );
  expect(pathMatcher([long])('a'.repeat(900))).toBe(false);
});
