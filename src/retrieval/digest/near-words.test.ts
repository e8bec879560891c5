import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { openProject } from '../../index.ts';
import { resultOf } from '../../platform/streams.ts';
import { nearWords } from './near-words.ts';

test('a word that a hit shows is not looked up, and of any other one text that has it is enough', async () => {
  const folder = await temporaryFolder({
    'ferry.md': '# Ferries\n\nA ferry goes at noon.\n',
    'rope.md': '# Ropes\n\nEach rope is changed yearly.\n',
  });
  const project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
  await resultOf(project.freshen({ update: true }));
  const { hits } = await project.search('ferry', { update: false, topK: 1, threshold: 0 });
  const store = await project.store();
  const lookedUp: string[] = [];
  const noted = {
    state: () => store.state(),
    searchText: ((words, bounds) => {
      lookedUp.push(`${words.join(' ')} ${bounds.limit}`);
      return store.searchText(words, bounds);
    }) satisfies typeof store.searchText,
  };
  const { missing } = await nearWords(noted, 'ferry rope xylophone', hits);
  expect(missing).toEqual(['xylophone']);
  expect(lookedUp.slice(0, 2)).toEqual(['rope 1', 'xylophone 1']);
  await project.close();
});

test('no word of the query is offered as one near it, however many it has', async () => {
  const folder = await temporaryFolder({
    'timbuktu-ferry.md': '# Ferry to Timbuktu\n\nA ferry goes to timbuktu at noon.\n',
    'timbuktu-rope.md': '# Ropes about Timbuktu\n\nEach rope of timbuktu is changed about yearly.\n',
    'timbuktu-about.md': '# About the ferry\n\nAbout the ferry and the rope.\n',
  });
  const project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
  await resultOf(project.freshen({ update: true }));
  const { hits } = await project.search('timbuktu', { update: false, topK: 3, threshold: 0 });
  const many = 'one about xylophone kazoo bassoon clarinet oboe piccolo tuba cornet bugle timbuktu';
  const { words } = await nearWords(await project.store(), many, hits);
  expect(words).toContain('ferry');
  expect(words).not.toContain('timbuktu');
  // Nor one that is too common to be searched for.
  expect(words).not.toContain('about');
  await project.close();
});
