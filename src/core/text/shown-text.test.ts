import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draws } from '../../../test/property-draws.ts';
import { neutraliseLine, neutraliseName } from './neutralise.ts';
import { deceptive, hostileText } from './shown-text.fixture.ts';
import { shownJson, shownLine, shownText } from './shown-text.ts';

test.each([
  ['what clears, colours or titles a terminal', '\u001b[2J\u001b[31mred\u001b[0m\u001b]0;title\u0007', 'red'],
  ['what goes back in the line', 'safe\rlost \u0008', 'safe\nlost '],
  ['what turns the order of letters', 'a\u202exe.fdp\u202c \u2067b\u2069', 'axe.fdp b'],
  ['a word in tag characters', 'a\u{e0068}\u{e0069}b', 'ab'],
  ['what has no width', 'pass\u200bword\ufeff\u2060', 'password'],
])('%s is not shown', (_, text, shown) => {
  expect(shownText(text)).toBe(shown);
});

test('line ends, tabs and letters of every script stay', () => {
  const text = 'a\tb\nكيف حالك 検索 🙂 👨‍👩‍👧 می‌خواهم';
  expect(shownText(text)).toBe(text);
});

test('a name stands on one line, and two names never look alike', () => {
  expect(shownLine('a\nb\u001b[2J.md')).toBe('a\\nb\\u{1b}[2J.md');
  expect(shownLine('a\u202ab')).not.toBe(shownLine('ab'));
  expect(shownLine('docs/می‌خواهم 👨‍👩‍👧.md')).toBe('docs/می‌خواهم 👨‍👩‍👧.md');
});

describe('whatever a document holds,', () => {
  test('nothing of what is shown deceives, and a second pass changes nothing', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(shownText(text)).not.toMatch(deceptive);
        expect(shownText(shownText(text))).toBe(shownText(text));
        for (const line of [shownLine(text), neutraliseLine(text), neutraliseName(text)]) {
          expect(line).not.toMatch(deceptive);
          expect(line).not.toMatch(/[\n\r\t]/);
          expect(shownLine(line)).toBe(line);
        }
      }),
      { numRuns: draws(2000) },
    );
  });

  test('JSON holds the same data, and nothing in it deceives', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const json = shownJson({ [text]: [text] }, 2);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ [text]: [text] })));
        expect(json).not.toMatch(deceptive);
      }),
    );
  });
});
