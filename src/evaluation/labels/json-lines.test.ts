import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { linesOf, type NumberedLine } from './json-lines.ts';

test('lines are whole and counted wherever the parts of a file end, however long they are', async () => {
  // A file is read in parts of 256 KiB: the second line goes through four of them, the third ends with the fifth.
  const lengths = [10, 2 ** 20, 2 ** 18 - 14, 0, 3, 2 ** 18];
  const lines = lengths.map((length, index) => `${index}`.repeat(length));
  const folder = await temporaryFolder({ 'a.jsonl': `\uFEFF${lines.join('\r\n')}` });
  const found: NumberedLine[] = [];
  for await (const line of linesOf(join(folder, 'a.jsonl'))) found.push(line);
  expect(found.map(({ line, text }) => [line, text.length])).toEqual([
    [1, 10],
    [2, 2 ** 20],
    [3, 2 ** 18 - 14],
    [5, 3],
    [6, 2 ** 18],
  ]);
  expect(found.map(({ text }) => text)).toEqual(lines.filter((line) => line !== ''));
});
