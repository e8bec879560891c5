import { expect, test } from 'vitest';
import { harmless, harmlessLine } from './output.ts';

test.each([
  ['what clears, colours or titles a terminal', '\u001b[2J\u001b[31mred\u001b[0m\u001b]0;title\u0007', 'red'],
  ['what goes back in the line', 'safe\rlost \u0008', 'safe\ufffdlost \ufffd'],
  [
    'what turns the order of letters',
    'a\u202exe.fdp\u202c \u2067b\u2069',
    'a\ufffdxe.fdp\ufffd \ufffdb\ufffd',
  ],
])('%s is not shown', (_, text, shown) => {
  expect(harmless(text)).toBe(shown);
});

test('line ends, tabs and letters of every script stay', () => {
  expect(harmless('a\tb\r\nكيف حالك\u200f 検索 🙂')).toBe('a\tb\nكيف حالك\u200f 検索 🙂');
  expect(harmlessLine('a\nb')).toBe('a\ufffdb');
});
