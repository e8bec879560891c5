import { expect, test } from 'vitest';
import { hasLinks, linkTo } from './links.ts';

const within = (variables: Record<string, string>) => (name: string) => variables[name];

test.each([
  [{ TERM_PROGRAM: 'iTerm.app' }, true],
  [{ VTE_VERSION: '6003' }, true],
  [{ VTE_VERSION: '4999' }, false],
  [{ TERM: 'xterm-kitty' }, true],
  [{ WT_SESSION: 'x' }, true],
  [{ TERM: 'xterm-256color' }, false],
  [{ TERM: 'dumb', WT_SESSION: 'x' }, false],
  [{ WT_SESSION: 'x', NO_COLOR: '1' }, false],
  [{ WT_SESSION: 'x', CI: 'true' }, false],
  [{ WT_SESSION: 'x', FORCE_HYPERLINK: '0' }, false],
  [{ TERM: 'xterm', FORCE_HYPERLINK: '1' }, true],
])('a terminal with %j has links: %s', (variables, expected) => {
  expect(hasLinks(true, within(variables))).toBe(expected);
});

test('what is not a terminal has none', () => {
  expect(hasLinks(false, within({ WT_SESSION: 'x' }))).toBe(false);
});

test('a path cannot end its link or control the terminal', () => {
  const shown = linkTo('/p', 'a\u001b]8;;http://evil\u0007 b\u001b\\c\n\u009c%20;ü.md', 'text');
  const [begin, end] = ['\u001b]8;;', '\u001b\\'];
  const tail = `${end}text${begin}${end}`;
  expect(shown.startsWith(begin) && shown.endsWith(tail)).toBe(true);
  const address = shown.slice(begin.length, -tail.length);
  expect(address).toMatch(/^file:\/\/\/p\/a%1B[!-~]*\.md$/);
  expect(decodeURIComponent(address)).toContain('%20;ü.md');
});
