import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countMatchesWithin } from './match-within.ts';

const ample = { milliseconds: 10_000, max: 1_000 };

test('counts the matches in each text', () => {
  expect(countMatchesWithin(/o\b/g, ['no go', 'none', '', 'so'], ample)).toEqual([2, 0, 0, 1]);
});

test('counts alike with and without the global flag, and however often it is asked', () => {
  const expression = /a/g;
  expression.lastIndex = 2;
  for (const each of [expression, /a/, expression]) {
    expect(countMatchesWithin(each, ['aaa', 'banana'], ample)).toEqual([3, 3]);
  }
});

test('continues by a whole character after an empty match', () => {
  expect(countMatchesWithin(/(?:)/gu, ['', 'ab', '🦀🦀'], ample)).toEqual([1, 3, 3]);
});

test('counts no further than it is asked to', () => {
  expect(countMatchesWithin(/x*?/g, ['x'.repeat(100)], { ...ample, max: 7 })).toEqual([7]);
});

test('gives up at the text for which an expression would take forever, and works afterwards', () => {
  const text = `${'a'.repeat(100)}!`;
  const bounds = { milliseconds: 300, max: 10 };
  expect(countMatchesWithin(/^(a+)+$/g, ['a', 'b', text, 'a'], bounds)).toEqual([1, 0]);
  expect(countMatchesWithin(/^(a+)+$/g, [text, 'a'], bounds)).toEqual([]);
  expect(countMatchesWithin(/^a+$/g, ['a', text], ample)).toEqual([1, 0]);
});

test('reports an expression that cannot be run', () => {
  const tooLarge = new RegExp('é'.repeat(200_000), 'giu');
  expect(() => countMatchesWithin(tooLarge, ['é'.repeat(200_000)], ample)).toThrow(SyntaxError);
});

test('counts what splitting finds', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '🦀') })), (texts) => {
      const expected = texts.map((text) => text.split('ab').length - 1);
      expect(countMatchesWithin(/ab/gu, texts, ample)).toEqual(expected);
    }),
  );
});
