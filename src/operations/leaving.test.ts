import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import { openProject } from '../project/open-project.ts';
import { searchOperation } from './find/search.ts';
import { indexOperation } from './index/index-project.ts';

const begin = {
  index: (project: Project) => indexOperation.run(project, { paths: [], full: true }, {}),
  search: (project: Project) =>
    searchOperation.run(project, searchOperation.input.parse({ query: 'tea', update: true }), {}),
};

test.each(['index', 'search'] as const)('who leaves %s early leaves no lock behind', async (name) => {
  const folder = await temporaryFolder({ 'tea.md': '# Tea\n\nGreen tea.', 'pot.md': '# Pot\n\nNo kettle.' });
  const settings = { 'embedder.driver': 'hashing' };
  const project = await openProject(folder, { settings });
  const other = await openProject(folder, { settings });
  let seen = 0;
  for await (const _ of begin[name](project)) {
    seen += 1;
    break;
  }
  expect(seen).toBe(1);
  for (const next of [other, project]) {
    const types: string[] = [];
    for await (const { type } of next.index({ wait: false })) types.push(type);
    expect(types.at(-1)).toBe('index-end');
  }
  await Promise.all([project.close(), other.close()]);
});
