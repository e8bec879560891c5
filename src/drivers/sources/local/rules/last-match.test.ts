import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../../../../../test/property-draws.ts';
import { parseIgnoreFile } from './ignore-rules.ts';
import { lastMatch } from './last-match.ts';

const part = fc.stringMatching(/^[abAB.]{1,3}$/);
const pathText = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const patternPiece = fc.constantFrom(
  'a',
  'b',
  'B',
  '.',
  '.a',
  '.b',
  '*',
  '**',
  '?',
  '/',
  '[ab]',
  '[a/b]',
  '\\',
  '!',
);
const line = fc.array(patternPiece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));

test('finds the rule that going through all of them from the end finds', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 12 }),
      pathText,
      fc.boolean(),
      fc.boolean(),
      (lines, path, isFolder, ignoreCase) => {
        const rules = parseIgnoreFile(lines.join('\n'), '.gitignore', ignoreCase);
        const name = path.slice(path.lastIndexOf('/') + 1);
        const expected = rules.findLast((rule) => rule.matches(path, name, isFolder));
        expect(lastMatch(rules, path, name, isFolder)).toBe(expected);
      },
    ),
    { numRuns: draws(5000) },
  );
});

test('finds a rule whose stars swallow the slash before its last part, as git does', () => {
  const decide = (name: string) => lastMatch(parseIgnoreFile('lib**/a', 'f'), name, name, false)?.label;
  expect(decide('liba')).toBe('f:1 lib**/a');
  expect(decide('a')).toBe(undefined);
});

test('lets a later rule by extension win over an earlier one by name, and the other way round', () => {
  const decide = (text: string) => lastMatch(parseIgnoreFile(text, 'f'), 'x/a.md', 'a.md', false)?.label;
  expect(decide('a.md\n!*.md')).toBe('f:2 !*.md');
  expect(decide('*.md\n!a.md')).toBe('f:2 !a.md');
  expect(decide('x/*\na.md/\n*.txt')).toBe('f:1 x/*');
});
