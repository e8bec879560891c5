import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import { openProject } from '../../index.ts';

let project: Project;
beforeAll(async () => {
  const folder = await temporaryFolder({
    'a.ts': 'export function moor() {\n  return 1;\n}\n',
    'b.md': '# Ropes\n\nA rope.\n',
    'quarry.toml': '[types]\nadr = ["decisions/**"]\n',
  });
  project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
  await project.search('rope');
});
afterAll(() => project.close());

const search = (filter: object) => project.search('rope', { filter, update: false });

test('a type or a language that the index does not have is an error that lists those that it has', async () => {
  await expect(search({ types: ['cod'] })).rejects.toMatchObject({
    code: 'usage-invalid',
    remedy: expect.stringMatching(/^Did you mean code\? There are: adr, code, /),
  });
  await expect(search({ languages: ['rust'] })).rejects.toMatchObject({ remedy: 'There is: typescript.' });
  await expect(project.context('rope', { filter: { types: ['mail'] } })).rejects.toThrow(/type "mail"/);
});

test('one that it has is none, and neither is a type of the settings or of our own that has no file yet', async () => {
  expect((await search({ types: ['adr'] })).hits).toEqual([]);
  expect((await search({ types: ['email', 'sheet'] })).hits).toEqual([]);
  expect((await project.search('moor', { filter: { languages: ['typescript'] } })).hits).toHaveLength(1);
});
