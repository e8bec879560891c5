import { expect, test } from 'vitest';
import { openParserFiles } from './page-files.ts';

test('a file of the parser of PDFs is read once, and of other addresses nothing is read or kept', async () => {
  const read: string[] = [];
  const fileAt = openParserFiles(async (name) => {
    read.push(name);
    return undefined;
  });
  for (const path of ['/assets/pdf.other', '/assets/pdf.min.mjs/x', '/assets/../pdf.min.mjs', '/pdf.min.mjs'])
    expect(fileAt(path)).toBeUndefined();
  expect(read).toEqual([]);
  await fileAt('/assets/pdf.min.mjs');
  await fileAt('/assets/pdf.min.mjs');
  await fileAt('/assets/pdf.worker.min.mjs');
  expect(read).toEqual(['pdf.min.mjs', 'pdf.worker.min.mjs']);
});
