import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginningOf, shortened } from './shortened.ts';

test.each([
  ['heron', 5, 'heron'],
  ['heron', 4, 'her…'],
  ['a heron', 3, 'a…'],
  ['🪿🪿🪿', 4, '🪿…'],
  ['', 3, ''],
])('%j of at most %i is %j', (text, max, expected) => {
  expect(shortened(text, max)).toBe(expected);
});

test('is never longer, never ends inside a character, and begins as the text does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, max) => {
      const short = shortened(text, max);
      expect(short.length).toBeLessThanOrEqual(max);
      expect(short.isWellFormed()).toBe(true);
      expect(text.startsWith(short.replace(/…$/, '')) || short === text).toBe(true);
    }),
  );
});

test('the beginning of a text has no half of a character', () => {
  expect([beginningOf('🪿🪿', 3), beginningOf('🪿🪿', 4), beginningOf('heron', 2)]).toEqual([
    '🪿',
    '🪿🪿',
    'he',
  ]);
});
