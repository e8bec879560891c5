import { cp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Project } from '../src/calls/project.ts';
import { openProject } from '../src/project/open-project.ts';
import { indexEvents } from './index-events.ts';
import { startOpenAiServer } from './servers/embedding/openai-server.ts';
import { temporaryFolder, writeFiles } from './temporary-folder.ts';

const opened: Project[] = [];
afterEach(async () => {
  for (const project of opened.splice(0)) await project.close();
});

async function open(folder: string, settings: Record<string, unknown> = {}): Promise<Project> {
  const project = await openProject(folder, {
    settings: { 'embedder.driver': 'hashing', ...settings },
  });
  opened.push(project);
  return project;
}

/** The same project with its settings in its own file, as a user changes them. */
async function openWithFile(folder: string, toml: string): Promise<Project> {
  await writeFiles(folder, { 'quarry.toml': toml });
  const project = await openProject(folder);
  opened.push(project);
  return project;
}

const page = (topic: string) =>
  Array.from({ length: 12 }, (_, index) => `Sentence ${index} about ${topic} and nothing else at all.`).join(
    ' ',
  );
const pages = Object.fromEntries(
  ['apples', 'pears', 'plums', 'quinces'].map((topic) => [`${topic}.md`, `# ${topic}\n\n${page(topic)}\n`]),
);

const indexes = async (folder: string) =>
  (await readdir(join(folder, '.quarry'))).filter((name) => name.startsWith('index-')).sort();

test('nothing is left of an index that does not answer any more, though a process was killed before it was removed', async () => {
  const folder = await temporaryFolder(pages);
  const first = await open(folder);
  await indexEvents(first);
  await first.add({ name: 'note.md', text: 'A thought of its own.' });
  await first.close();
  await cp(join(folder, '.quarry/index-1'), join(folder, '.quarry/index-2'), { recursive: true });
  await writeFiles(folder, { '.quarry/current': 'index-2\n' });
  const second = await open(folder);
  const events = await indexEvents(second);
  expect(events.find(({ type }) => type === 'leftovers-removed')).toMatchObject({ names: ['index-1'] });
  expect(await indexes(folder)).toEqual(['index-2']);
  await second.close();
  // Nor does an index whose pointer is lost go away.
  await rm(join(folder, '.quarry/current'));
  const again = await open(folder);
  await indexEvents(again);
  expect(await (await again.store()).paths()).toContain('virtual:note.md');
});

describe('after everything was removed', () => {
  test('a process that is still open can add content', async () => {
    const folder = await temporaryFolder(pages);
    const project = await open(folder);
    await indexEvents(project);
    expect((await project.clean({ all: true })).removed).toContain('.quarry');
    expect(await readdir(folder)).not.toContain('.quarry');
    await project.add({ name: 'note.md', text: 'A thought after the end.' });
    expect(await (await project.store()).paths()).toEqual(['virtual:note.md']);
  });

  test('a process that waited to write rebuilds the index', async () => {
    const folder = await temporaryFolder(pages);
    const first = await open(folder);
    const second = await open(folder);
    await indexEvents(first);
    let cleaning: Promise<unknown> | undefined;
    let waiting: Promise<unknown> | undefined;
    for await (const event of first.index()) {
      if (event.type !== 'scan-start') continue;
      cleaning = first.clean({ all: true });
      waiting = indexEvents(second);
    }
    await Promise.all([cleaning, waiting]);
    await indexEvents(second);
    expect((await second.status()).counts.documents).toBe(4);
  });
});

describe('when the model changes', () => {
  test('the previous model answers until the vectors of the new one are complete', async () => {
    const server = await startOpenAiServer({ model: 'new-model', dimensions: 48 });
    const folder = await temporaryFolder(pages);
    await indexEvents(await openWithFile(folder, '[embedder]\ndriver = "hashing"\n'));
    const toml = `[embedder]\ndriver = "openai"\nmodel = "new-model"\nurl = "${server.url}"\n`;
    const changed = await openProject(folder, { consent: [server.url], settings: {} }).then(() =>
      openWithConsent(folder, toml, server.url),
    );
    server.inject({ kind: 'key-refused' });
    expect((await indexEvents(changed)).map(({ type }) => type)).toContain('vectors-failed');
    const between = await changed.search('sentence about quinces', { denseWeight: 1, update: false });
    expect(between.hits[0]?.document.uri).toBe('quinces.md');
    // The file of settings itself has changed, and the previous model is not asked to embed any more.
    expect(between.warnings).toMatchObject([
      { code: 'vectors-pending', message: expect.stringContaining('1 chunk has') },
    ]);
    expect(between.pending).toBeGreaterThan(0);
    expect([...(await (await changed.store()).state()).spaces.keys()]).toEqual(['hashing:64']);

    await indexEvents(changed);
    expect([...(await (await changed.store()).state()).spaces.keys()]).toHaveLength(1);
    expect([...(await (await changed.store()).state()).spaces.keys()][0]).toContain('new-model');
    const calls = server.calls.length;
    const after = await changed.search('sentence about quinces', { denseWeight: 1 });
    expect(after.hits[0]?.document.uri).toBe('quinces.md');
    expect(server.calls.length).toBe(calls + 1);
    await server.close();
  });
});

async function openWithConsent(folder: string, toml: string, address: string): Promise<Project> {
  await writeFiles(folder, { 'quarry.toml': toml });
  const project = await openProject(folder, { consent: [address] });
  opened.push(project);
  return project;
}

describe('what happens to the files of an index meanwhile', () => {
  test('one that is deleted while a project is open is begun again, for everyone to see', async () => {
    const folder = await temporaryFolder(pages);
    const project = await open(folder);
    await indexEvents(project);
    await rm(join(folder, '.quarry'), { recursive: true });
    expect((await indexEvents(project)).at(-1)).toMatchObject({ summary: { documents: { indexed: 4 } } });
    expect((await (await open(folder)).status({ compare: false })).counts.documents).toBe(4);
    expect(await readdir(join(folder, '.quarry'))).toContain('.gitignore');
  });

  test('a project that is moved away while it is open keeps its documents', async () => {
    const folder = await temporaryFolder(pages);
    const project = await open(folder);
    await indexEvents(project);
    const moved = `${folder}-moved`;
    await rename(folder, moved);
    await expect(indexEvents(project)).rejects.toMatchObject({ code: 'project-not-found' });
    expect((await (await open(moved)).status({ compare: false })).counts.documents).toBe(4);
  });

  test('a pointer that leads nowhere hides no index', async () => {
    const folder = await temporaryFolder(pages);
    await indexEvents(await open(folder));
    for (const garbage of ['nonsense', 'index-9', '../index-1', '']) {
      await writeFiles(folder, { '.quarry/current': garbage });
      expect((await (await open(folder)).status({ compare: false })).counts.documents).toBe(4);
    }
  });
});
