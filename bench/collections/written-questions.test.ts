import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { readSet } from './read-set.ts';

const options = { cacheFolder: '' };

test('our own questions are asked of the packages that are unpacked, by lines or by files', async () => {
  const folder = await temporaryFolder({ 'hookable/README.md': '# Hooks' });
  const [part] = (await readSet(`questions:${folder}:hookable`, options)).parts;
  expect(part?.questions[0]).toMatchObject({
    id: 'hookable/1',
    labels: expect.arrayContaining([{ path: 'README.md', grade: 1, lines: [110, 121] }]),
  });
  const byFile = await readSet(`questions:${folder}:hookable:files`, { ...options, limit: 2 });
  expect(byFile.name).toBe('questions/hookable/files');
  expect(byFile.parts.flatMap(({ questions }) => questions)).toHaveLength(2);
  expect(byFile.parts[0]?.questions[0]?.labels[0]).not.toHaveProperty('lines');
});

test('a folder without such packages is an error that says what belongs there', async () => {
  const folder = await temporaryFolder();
  await expect(readSet(`questions:${folder}:held-out`, options)).rejects.toMatchObject({
    code: 'usage-invalid',
    remedy: expect.stringContaining('sources.tsv'),
  });
});
