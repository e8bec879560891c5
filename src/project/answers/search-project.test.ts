import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import type { Hit } from '../../core/hit.ts';
import { openProject } from '../open-project.ts';

const opened: Project[] = [];
afterEach(async () => {
  for (const project of opened.splice(0)) await project.close();
});

async function indexed(folder: string): Promise<Project> {
  const project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
  opened.push(project);
  for await (const event of project.index()) if (event.type === 'document-failed') throw event;
  return project;
}

const question = 'where is the lock taken?';

test('what a caller does with an answer does not show in the next one', async () => {
  const project = await indexed(await temporaryFolder({ 'a.md': 'The lock is taken here.', 'b.md': 'lock' }));
  const before = await project.search(question, { update: false });
  const kept = structuredClone(before);
  const spoil = (hits: readonly Hit[]) => {
    // As a program without types may do it.
    Object.assign(hits[0]?.document ?? {}, { uri: 'elsewhere.md' });
    (hits as Hit[]).reverse();
  };
  spoil(before.hits);
  const again = await project.search(question, { update: false });
  expect(again).toEqual(kept);
  spoil(again.hits);
  expect(await project.search(question, { update: false })).toEqual(kept);
});

test('answers of an index are forgotten with it, though the next one has come as far', async () => {
  const folder = await temporaryFolder({ 'a.md': 'The lock is taken here.' });
  const project = await indexed(folder);
  const revision = (await (await project.store()).state()).revision;
  expect((await project.search(question)).hits).toHaveLength(1);
  await rm(join(folder, '.quarry'), { recursive: true });
  await rm(join(folder, 'a.md'));
  const other = await temporaryFolder({ 'b.md': 'The lock is taken there.' });
  const { cp } = await import('node:fs/promises');
  await cp(other, folder, { recursive: true });
  await indexed(folder);
  expect((await (await project.store()).state()).revision).toBe(revision);
  expect((await project.search(question)).hits.map(({ document }) => document.uri)).toEqual(['b.md']);
});

// Windows deletes no file that is open.
describe.skipIf(process.platform === 'win32')('a search answers though the index is deleted', () => {
  test('before it', async () => {
    const folder = await temporaryFolder({ 'a.md': 'The lock is taken here.' });
    const project = await indexed(folder);
    await rm(join(folder, '.quarry'), { recursive: true });
    expect((await project.search(question)).hits).toHaveLength(1);
  });

  test('under it, and made again by another process', async () => {
    const folder = await temporaryFolder({ 'a.md': 'The lock is taken here.' });
    const project = await indexed(folder);
    const store = await project.store();
    const state = store.state.bind(store);
    const asked = vi.spyOn(store, 'state').mockImplementationOnce(async () => {
      await rm(join(folder, '.quarry'), { recursive: true });
      await indexed(folder);
      // Another search sees it first, and closes what is open of the previous one.
      await project.store();
      return state();
    });
    expect((await project.search(question, { update: false })).hits).toHaveLength(1);
    expect(asked).toHaveBeenCalledTimes(1);
  });
});

test('answers differ with the window, the filter and how many are wanted', async () => {
  const project = await indexed(await temporaryFolder({ 'a.md': 'The lock is taken here.', 'b.md': 'lock' }));
  expect((await project.search(question)).hits).toHaveLength(2);
  expect((await project.search(question, { topK: 1 })).hits).toHaveLength(1);
  expect((await project.search(question, { filter: { paths: ['b.md'] } })).hits).toHaveLength(1);
  expect((await project.search(question)).passages).toBeUndefined();
  expect((await project.search(question, { window: { neighbours: 1 } })).passages).toHaveLength(2);
});

describe('a document with several chunks that answer', () => {
  // Long enough to be a chunk each.
  const rest = (name: string) => Array.from({ length: 150 }, (_, number) => `${name}${number}`).join(' ');
  const section = (name: string) => `## ${name}\n\nHere the lock is taken by the ${name}. ${rest(name)}\n\n`;
  const files = {
    'long.md': `# Locks\n\n${['writer', 'reader', 'keeper', 'cleaner'].map(section).join('')}`,
    'short.md': 'A lock is taken here too.',
  };
  const placesOf = (hits: readonly Hit[]) =>
    hits.map(({ document, more = [] }) => [document.uri, ...more.map((hit) => hit.document.uri)]);

  test('is one hit that names them, as many as a hit may stand for', async () => {
    const project = await indexed(await temporaryFolder(files));
    const { hits } = await project.search(question, { topK: 2 });
    expect(placesOf(hits).sort()).toEqual([['long.md', 'long.md', 'long.md'], ['short.md']]);
    const [first, ...further] = hits.flatMap((hit) => (hit.more ? [hit, ...hit.more] : []));
    expect(new Set([first, ...further].map((hit) => hit?.chunk.id)).size).toBe(3);
    for (const { relevance, score } of further) {
      expect(relevance).toBeLessThanOrEqual(first?.relevance ?? 0);
      expect(score).toBeLessThanOrEqual(first?.score ?? 0);
    }
  });

  test('is several hits where that is asked for, and in what goes into a prompt', async () => {
    const project = await indexed(await temporaryFolder(files));
    const { hits } = await project.search(question, { topK: 4, byDocument: false });
    expect(placesOf(hits).flat().sort()).toEqual(['long.md', 'long.md', 'long.md', 'short.md']);
    expect(hits.every(({ more }) => more === undefined)).toBe(true);
    const { sources } = await project.context(question, { topK: 4, threshold: 0 });
    expect(sources.map(({ uri }) => uri).sort()).toEqual(['long.md', 'long.md', 'long.md', 'short.md']);
  });

  test('has all its chunks in the text with surroundings', async () => {
    const project = await indexed(await temporaryFolder(files));
    const { hits, passages = [] } = await project.search(question, { topK: 2, window: { neighbours: 0 } });
    const shown = passages.flatMap((passage) => passage.hits.map(({ chunk }) => chunk.id)).sort();
    const found = hits.flatMap(({ chunk, more = [] }) => [chunk.id, ...more.map((hit) => hit.chunk.id)]);
    expect(shown).toEqual(found.sort());
  });
});

test('a store that keeps nothing says so', async () => {
  const folder = await temporaryFolder({ 'a.md': 'The lock is taken here.' });
  const project = await openProject(folder, { settings: { 'store.driver': 'mock' } });
  opened.push(project);
  const { hits, warnings } = await project.search(question);
  expect(hits).toEqual([]);
  expect(warnings.map(({ message }) => message)).toEqual([
    'The store "mock" keeps nothing, so nothing is found.',
  ]);
});
