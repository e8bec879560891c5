import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Hit } from '../core/hit.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openProject } from './open-project.ts';
import type { Project } from './project.ts';

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
  const revision = await (await project.store()).revision();
  expect((await project.search(question)).hits).toHaveLength(1);
  await rm(join(folder, '.quarry'), { recursive: true });
  await rm(join(folder, 'a.md'));
  const other = await temporaryFolder({ 'b.md': 'The lock is taken there.' });
  const { cp } = await import('node:fs/promises');
  await cp(other, folder, { recursive: true });
  await indexed(folder);
  expect(await (await project.store()).revision()).toBe(revision);
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
    const revision = store.revision.bind(store);
    const asked = vi.spyOn(store, 'revision').mockImplementationOnce(async () => {
      await rm(join(folder, '.quarry'), { recursive: true });
      await indexed(folder);
      // Another search sees it first, and closes what is open of the former one.
      await project.store();
      return revision();
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
