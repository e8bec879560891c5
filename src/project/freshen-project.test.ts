import { expect, test } from 'vitest';
import { resultOf } from '../platform/streams.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openProject } from './open-project.ts';

test.each([
  ['as index.on_search says', { 'index.on_search': false }, undefined, false],
  ['unless the caller says otherwise', { 'index.on_search': false }, true, true],
  ['and by default', {}, undefined, true],
])('the index is brought up to date before an answer, %s', async (_, settings, update, isUpdated) => {
  const folder = await temporaryFolder({ 'tea.md': '# Tea\n\nGreen tea.' });
  const project = await openProject(folder, { settings: { 'embedder.driver': 'hashing', ...settings } });
  const { summary, warnings } = await resultOf(project.freshen({ update }));
  expect(warnings).toEqual([]);
  expect(summary?.documents.indexed).toBe(isUpdated ? 1 : undefined);
  expect((await project.search('green tea')).hits).toHaveLength(isUpdated ? 1 : 0);
  await project.close();
});
