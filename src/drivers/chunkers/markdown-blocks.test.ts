import { expect, test } from 'vitest';
import { markdownBlocks } from './markdown-blocks.ts';

test('a table begins where a line of dashes stands below its first', () => {
  for (const dashes of ['|---|:-:|', '  --- | ---  ', '| - | - ', ' |:---| '])
    expect(markdownBlocks(`| a | b |\n${dashes}\n| c | d |`).map(({ kind }) => kind)).toEqual(['table']);
  for (const other of ['---', '| a |', '|', '-|-x'])
    expect(markdownBlocks(`| a | b |\n${other}\n| c | d |`).map(({ kind }) => kind)).not.toContain('table');
});

test('no run of blanks makes the looking for tables long', () => {
  const blanks = ' '.repeat(80_000);
  for (const line of [`${blanks}x|`, `-${blanks}x|`, `|${blanks}x`])
    expect(markdownBlocks(`a\n${line}\nb`)).toHaveLength(1);
}, 5_000);

test('no heading takes the square of its length', () => {
  const long = 60_000;
  const headings = ['[', '{#', '<a', ' #', '!['].map((part) => `# ${part.repeat(long / part.length)} b`);
  for (const heading of [...headings, `# a${' '.repeat(long)}b`, `${'<a'.repeat(long / 2)}\n===`])
    expect(markdownBlocks(heading)).toHaveLength(1);
}, 5_000);

test.each([
  ['# Tea ##', 'Tea'],
  ['## Tea #', 'Tea'],
  ['# C#', 'C#'],
  ['#', ''],
  ['#\tTea  ', 'Tea'],
  ['# [Tea](a.md) <b>now</b> {#tea}', 'Tea now'],
])('the heading %j is called %j', (line, title) => {
  expect(markdownBlocks(line)[0]).toMatchObject({ kind: 'heading', title });
});
