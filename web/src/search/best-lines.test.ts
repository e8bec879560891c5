import { expect, test } from 'vitest';
import type { SearchHit } from '../../../src/operations/find/hit-as-data.ts';
import { marksFor } from '../code/marks.ts';
import { bestLines, fromMatch } from './best-lines.ts';

const marks = marksFor('how is a lock taken', '');
const textsOf = (...asked: Parameters<typeof bestLines>) => bestLines(...asked).map(({ text }) => text);

test('the line with most of the words stands for a hit', () => {
  const text = '/**\n * A lock.\n */\nfunction take() {\n  // The lock is taken once.\n}';
  expect(textsOf({ text }, marks)).toEqual(['// The lock is taken once.']);
});

test('the line that a hit is about is shown, whatever else is', () => {
  const text = 'lock\nlock, locked\nnothing\nlocked lock\nwait(lock)\nend';
  expect(textsOf({ text, lines: [11, 16], focus: [15, 16] }, marks)).toContain('wait(lock)');
});

test('without any of the words it is the first line that says something', () => {
  expect(textsOf({ text: '/**\n *\n * Rent a boat.\n */' }, marks)).toEqual(['* Rent a boat.']);
  expect(textsOf({ text: '' }, marks)).toEqual(['']);
  expect(textsOf({}, undefined)).toEqual(['']);
});

test('of a message it is what is said, and not who wrote it', () => {
  const point = { message: 1, subject: 'A lock' };
  const place = { kind: 'messages', first: point, last: point } as const;
  const text =
    'From: Ada <ada@x.example>\nSubject: How a lock is taken\n\n> how is a lock taken?\nIt is taken at dusk.';
  expect(textsOf({ text, place }, marks)).toEqual(['It is taken at dusk.']);
});

test('of Markdown it is the words, without the marks around them', () => {
  const lineOf = (text: string, path = 'notes/a.md'): string => textsOf({ text, path }, marks).join('\n');
  expect(lineOf('- [ ] **The lock** is `taken`, see [here](a.md).')).toBe('The lock is taken, see here.');
  expect(lineOf('## How a lock is taken')).toBe('How a lock is taken');
  expect(lineOf('| `lock` | 2 * 3 * 4 |')).toBe('| lock | 2 * 3 * 4 |');
  expect(lineOf('# The lock is `taken`.', 'a.py')).toBe('# The lock is `taken`.');
});

test('further lines that say as much or something else stand beside it, as they come in the file', () => {
  const text =
    'import { lock, taken } from "a";\n\nlock.taken = true;\nlock.taken = true;\nbe(taken);\nlock.taken = false;';
  expect(bestLines({ text, lines: [7, 12] }, marks)).toEqual([
    { number: 7, text: 'import { lock, taken } from "a";' },
    { number: 9, text: 'lock.taken = true;' },
    { number: 12, text: 'lock.taken = false;' },
  ]);
});

test('lines of further places in the file count too, and lines with few of the words do not', () => {
  const more = [{ text: 'A lock, taken twice.', lines: [40, 40] }] as unknown as NonNullable<
    SearchHit['more']
  >;
  expect(textsOf({ text: 'The lock is taken.', lines: [1, 1], more }, marks)).toEqual([
    'The lock is taken.',
    'A lock, taken twice.',
  ]);
  const wide = marksFor('lock taken once by the writer', '');
  expect(textsOf({ text: 'A lock taken once by a writer\na lock', lines: [1, 2] }, wide)).toEqual([
    'A lock taken once by a writer',
  ]);
});

test('stands for a message without a word of the query by what it says, not by its greeting', () => {
  const message = 'From: Ada <ada@x.example>\nSubject: Regatta\n\nDear all,\n\nWe meet at the jetty.\n\nAda';
  const place = { kind: 'messages', first: 1, last: 1 } as never;
  expect(bestLines({ text: message, place }, marksFor('regatta', ''))).toEqual([
    { text: 'We meet at the jetty.' },
  ]);
  const short = 'From: Ada <ada@x.example>\n\nYes, agreed.\n';
  expect(bestLines({ text: short, place }, marksFor('regatta', ''))).toEqual([{ text: 'Yes, agreed.' }]);
});

test('a line whose first match comes late begins near it', () => {
  const marks = marksFor('regatta', '');
  const early =
    'The regatta of the club is rowed on the lake, at eight in the morning, when the wind is low.';
  expect(fromMatch(early, marks)).toBe(early);
  const late = `${'Much is said of the weather and of the lake. '.repeat(3)}Then comes the regatta of the club.`;
  expect(fromMatch(late, marks)).toBe('… lake. Then comes the regatta of the club.');
  const joined = `${'x'.repeat(100)}regatta`;
  expect(fromMatch(joined, /regatta/g)).toBe(joined);
  expect(fromMatch(late, undefined)).toBe(late);
});
