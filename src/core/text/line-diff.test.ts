import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from './line-diff.ts';

test('says which lines are kept, removed and added', () => {
  const signs = { kept: ' ', removed: '-', added: '+' };
  const shown = diffLines('a\nb\nc\n', 'a\nB\nc\nd\n').map(({ kind, text }) => signs[kind] + text);
  expect(shown).toEqual([' a', '-b', '+B', ' c', '+d']);
  expect(diffLines('', 'a\n')).toEqual([{ kind: 'added', text: 'a' }]);
});

test('leads from one text to the other', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(`${before}\n`, `${after}\n`);
      const of = (...kinds: string[]) =>
        `${lines
          .filter(({ kind }) => kinds.includes(kind))
          .map((line) => line.text)
          .join('\n')}\n`;
      expect(of('kept', 'removed')).toBe(`${before}\n`);
      expect(of('kept', 'added')).toBe(`${after}\n`);
    }),
  );
});
