import { expect, test } from 'vitest';
import { effectOf } from './effect.ts';

test('a change of the settings is told by what it did to what can be found', () => {
  const before = { documents: 40, chunks: 1200, skipped_reasons: { 'too-old': 3, excluded: 1 } };
  expect(effectOf(before, { documents: 43, chunks: 1200, skipped_reasons: { excluded: 1 } })).toBe(
    'What can be found has changed: documents 40 → 43, left out 4 → 1.',
  );
  expect(effectOf(before, before)).toMatch(/same as before: 40 documents in 1,200 pieces/);
});
