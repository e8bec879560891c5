import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asBytes, compileWildcard } from './wildcard.ts';

const covers = (pattern: string, text: string, ignoreCase = false) =>
  compileWildcard(asBytes(pattern), ignoreCase)(asBytes(text));

test('a text whose special characters are escaped covers itself and nothing longer', () => {
  const plain = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(plain, (text) => {
      const escaped = text.replace(/[*?[\]\\]/g, '\\$&');
      expect(covers(escaped, text)).toBe(true);
      expect(covers(escaped, `${text}x`)).toBe(false);
    }),
  );
});

test('a star stays within its folder and two span folders', () => {
  expect(covers('a/*', 'a/b')).toBe(true);
  expect(covers('a/*', 'a/b/c')).toBe(false);
  expect(covers('a/**', 'a/b/c')).toBe(true);
  expect(covers('**/c', 'c')).toBe(true);
  expect(covers('a/**/c', 'a/c')).toBe(true);
  expect(covers('a/**/c', 'a/b/b/c')).toBe(true);
  expect(covers('a/**/c', 'abc')).toBe(false);
});

test('a question mark covers one byte, so half of an accented letter', () => {
  expect(covers('?', 'e')).toBe(true);
  expect(covers('?', 'é')).toBe(false);
  expect(covers('??', 'é')).toBe(true);
  expect(covers('a?b', 'a/b')).toBe(false);
});

test('letters match in any case where the repository says so', () => {
  expect(covers('READ*.[m-n]d', 'readme.MD', true)).toBe(true);
  expect(covers('READ*', 'readme', false)).toBe(false);
  expect(covers('[[:upper:]]', 'a', true)).toBe(true);
});

test('an open bracket, an unknown class or a lone backslash makes a pattern that covers nothing', () => {
  for (const pattern of ['[a', '[[:nothing:]]', 'a\\', '[', '[\\', '[a-']) {
    expect(covers(pattern, pattern)).toBe(false);
    expect(covers(pattern, 'a')).toBe(false);
  }
});

test('a pattern made to explode comes to an end', () => {
  const text = 'a'.repeat(2000);
  expect(covers(`${'*a'.repeat(60)}*b`, text)).toBe(false);
  expect(covers(`${'**/*a*'.repeat(30)}b`, 'aaaa/'.repeat(60))).toBe(false);
  expect(covers(`${'**/'.repeat(100)}b`, 'a/'.repeat(1000))).toBe(false);
});
