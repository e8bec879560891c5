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
