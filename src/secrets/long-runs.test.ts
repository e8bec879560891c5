import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longRuns, minTokenLength } from './long-runs.ts';

test('yields exactly the stretches that a plain search finds', () => {
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom('a', '_', ' ', '\n', 'é', '😀', '/'),
        fc.integer({ min: 1, max: 60 }).map((length) => 'x'.repeat(length)),
      ),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (sample) => {
      const plain = [...sample.matchAll(new RegExp(`[\\w+/=.~-]{${minTokenLength},}`, 'g'))];
      const expected = plain.map((match) => ({ start: match.index, end: match.index + match[0].length }));
      expect([...longRuns(sample)]).toEqual(expected);
    }),
  );
});
