import { expect, test } from 'vitest';
import { marksFor } from '../code/marks.ts';
import { bestLine } from './best-line.ts';

const marks = marksFor('how is a lock taken', '');

test('the line with most of the words stands for a hit', () => {
  const text = '/**\n * A lock.\n */\nfunction take() {\n  // The lock is taken once.\n}';
  expect(bestLine({ text }, marks)).toBe('// The lock is taken once.');
});

test('the line that a hit is about comes before others', () => {
  const text = 'lock taken\nnothing\nwait(lock)\nend';
  expect(bestLine({ text, lines: [11, 14], focus: [12, 13] }, marks)).toBe('wait(lock)');
});

test('without any of the words it is the first line that says something', () => {
  expect(bestLine({ text: '/**\n *\n * Rent a boat.\n */' }, marks)).toBe('* Rent a boat.');
  expect(bestLine({ text: '' }, marks)).toBe('');
  expect(bestLine({}, undefined)).toBe('');
});

test('of a message it is what is said, and not who wrote it', () => {
  const point = { message: 1, subject: 'A lock' };
  const place = { kind: 'messages', first: point, last: point } as const;
  const text =
    'From: Ada <ada@x.example>\nSubject: How a lock is taken\n\n> how is a lock taken?\nIt is taken at dusk.';
  expect(bestLine({ text, place }, marks)).toBe('It is taken at dusk.');
});

test('of Markdown it is the words, without the marks around them', () => {
  const lineOf = (text: string, path = 'notes/a.md'): string => bestLine({ text, path }, marks);
  expect(lineOf('- [ ] **The lock** is `taken`, see [here](a.md).')).toBe('The lock is taken, see here.');
  expect(lineOf('## How a lock is taken')).toBe('How a lock is taken');
  expect(lineOf('| `lock` | 2 * 3 * 4 |')).toBe('| lock | 2 * 3 * 4 |');
  expect(lineOf('# The lock is `taken`.', 'a.py')).toBe('# The lock is `taken`.');
});
