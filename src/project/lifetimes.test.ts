import { readdir } from 'node:fs/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { startOpenAiServer } from '../../test/servers/embedding/openai-server.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import { countsOf } from '../testing/counts-of.ts';
import { openProject } from './open-project.ts';

const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1, 'cache.max_bytes': 0 };
const opened: Project[] = [];
afterEach(async () => {
  for (const project of opened.splice(0)) await project.close();
});

async function open(more: Record<string, unknown> = {}): Promise<Project> {
  const folder = await temporaryFolder({ 'apples.md': '# Apples\n\nApples keep well in a cellar.\n' });
  const project = await openProject(folder, { settings: { ...settings, ...more } });
  opened.push(project);
  return project;
}

async function index(project: Project, signal?: AbortSignal): Promise<void> {
  for await (const _ of project.index({ signal }));
}

describe('closing a project', () => {
  test('closes every part, also where one fails to close', async () => {
    const project = await open({ 'cache.max_bytes': 1_000_000 });
    await index(project);
    const store = await project.store();
    const cache = await project.vectorCache();
    if (!cache) throw new Error('no cache');
    const close = cache.close.bind(cache);
    cache.close = async () => {
      await close();
      throw new Error('stuck');
    };
    await expect(project.close()).rejects.toThrow('stuck');
    await expect(countsOf(store)).rejects.toThrow();
  });
});

test('a signal that is aborted already stops work before it begins', async () => {
  const project = await open();
  const signal = AbortSignal.abort();
  const interrupted = { code: 'interrupted' };
  await expect(index(project, signal)).rejects.toMatchObject(interrupted);
  await expect(project.add({ name: 'note', text: 'A note.' }, { signal })).rejects.toMatchObject(interrupted);
  await expect(project.search('apples', { signal })).rejects.toMatchObject(interrupted);
  const emitted: string[] = [];
  for await (const { type } of project.watch({ signal })) emitted.push(type);
  expect(emitted).toEqual(['watch-end']);
  expect(await readdir(project.folder)).toEqual(['apples.md']);
});

test('content whose vectors cannot be made is in all the same, and a warning says why', async () => {
  const server = await startOpenAiServer({ model: 'm' });
  const project = await open({
    'embedder.driver': 'openai',
    'embedder.url': server.url,
    'embedder.model': 'm',
  });
  server.inject({ kind: 'key-refused' });
  const { uri, warnings } = await project.add({ name: 'note.md', text: 'A note about pears.' });
  expect(warnings).toMatchObject([{ code: 'provider-key' }]);
  expect((await project.search('pears', { route: 'text', update: false })).hits[0]?.document.uri).toBe(uri);
  expect((await project.status()).counts).toMatchObject({ chunks: 1, embedded: 0 });
  await index(project);
  const { chunks, embedded } = (await project.status()).counts;
  expect(embedded).toBe(chunks);
  await server.close();
});
