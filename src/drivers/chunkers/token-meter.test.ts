import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../../../test/property-draws.ts';
import { createTokenMeter } from './token-meter.ts';

/** As word pieces are: a mark is one token, a word one for every four characters begun. */
function countTokens(text: string): number {
  return (text.match(/[a-z]{1,4}|[.(){};]/g) ?? []).length;
}

const word = fc.string({ unit: fc.constantFrom(...'abcdefgh'), minLength: 1, maxLength: 60 });
const longLine = fc
  .array(fc.oneof({ weight: 4, arbitrary: word }, fc.constantFrom(' ', '.', '();', '\n')), {
    minLength: 40,
    maxLength: 200,
  })
  .map((parts) => parts.join('.'));

test('measures any range of long lines as the tokenizer would', () => {
  fc.assert(
    fc.property(longLine, fc.nat(), fc.nat(), (text, first, second) => {
      const [start, end] = [first % (text.length + 1), second % (text.length + 1)].sort((a, b) => a - b);
      const tokens = createTokenMeter(text, { countTokens }).tokens(start ?? 0, end ?? 0);
      expect(tokens).toBe(countTokens(text.slice(start, end)));
    }),
    { numRuns: draws(500) },
  );
});

test('measures white space as nothing', () => {
  const meter = createTokenMeter('  \n\t\n', { countTokens: (text) => text.length });
  expect(meter.tokens(0, 5)).toBe(0);
});

test('tokenises each line once, whatever is asked', () => {
  const measured: string[] = [];
  const meter = createTokenMeter('one\ntwo\nthree\n', {
    countTokens(text) {
      measured.push(text.trim());
      return 1;
    },
  });
  expect([meter.tokens(0, 4), meter.tokens(0, 8), meter.tokens(4, 14)]).toEqual([1, 2, 2]);
  expect(measured).toEqual(['one', 'two', 'three']);
});
