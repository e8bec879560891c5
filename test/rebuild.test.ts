import { cp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openProject } from '../src/project/open-project.ts';
import type { Project } from '../src/project/project.ts';
import { startOpenAiServer } from '../src/testing/embedding-servers/openai-server.ts';
import { temporaryFolder, writeFiles } from '../src/testing/temporary-folder.ts';
import { indexEvents } from './index-events.ts';

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

const smaller = { 'chunking.min_tokens': 8, 'chunking.target_tokens': 32, 'chunking.max_tokens': 48 };
const indexes = async (folder: string) =>
  (await readdir(join(folder, '.quarry'))).filter((name) => name.startsWith('index-')).sort();

describe('when the settings that cut files change', () => {
  test('the new index is built beside the old one, which answers until it is whole', async () => {
    const folder = await temporaryFolder(pages);
    const reader = await open(folder);
    await indexEvents(reader);
    const before = (await reader.status({ compare: false })).counts;
    expect(await indexes(folder)).toEqual(['index-1']);

    const changed = await open(folder, smaller);
    for await (const event of changed.index()) {
      if (event.type !== 'document-indexed') continue;
      // Whoever asks meanwhile sees the former index, complete.
      expect((await reader.status({ compare: false })).counts.chunks).toBe(before.chunks);
      const { hits, pending } = await reader.search('sentence about quinces');
      expect(hits[0]?.document.uri).toBe('quinces.md');
      expect(pending).toBe(0);
    }
    expect(await indexes(folder)).toEqual(['index-2']);
    // The reader, which was open all the time, sees the new one.
    const after = (await reader.status({ compare: false })).counts;
    expect(after.chunks).toBeGreaterThan(before.chunks);
    expect(after.embedded).toBe(after.chunks);
  });

  test('what was stopped goes on where it was', async () => {
    const folder = await temporaryFolder(pages);
    await indexEvents(await open(folder));
    const stop = new AbortController();
    const stopped = await open(folder, smaller);
    const work = async () => {
      for await (const event of stopped.index({ signal: stop.signal }))
        if (event.type === 'document-indexed') stop.abort();
    };
    await expect(work()).rejects.toMatchObject({ code: 'interrupted' });
    expect(await indexes(folder)).toEqual(['index-1', 'index-2']);
    const events = await indexEvents(await open(folder, smaller));
    const read = events.filter(({ type }) => type === 'document-indexed').length;
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(4);
    expect(await indexes(folder)).toEqual(['index-2']);
  });

  test('content without a file that came meanwhile is carried over', async () => {
    const folder = await temporaryFolder(pages);
    const before = await open(folder);
    await indexEvents(before);
    await before.add({ name: 'old.md', text: 'A thought from before the change.' });
    const changed = await open(folder, smaller);
    let isAdded = false;
    for await (const event of changed.index()) {
      if (event.type !== 'document-indexed' || isAdded) continue;
      isAdded = true;
      await before.add({ name: 'new.md', text: 'A thought that came while all was rebuilt.' });
      await before.remove('virtual:old.md');
    }
    const paths = await (await changed.store()).paths();
    expect(paths.filter((path) => path.includes('.md') && !(path in pages))).toEqual(['virtual:new.md']);
    const { hits } = await changed.search('came while all was rebuilt', { denseWeight: 0 });
    expect(hits[0]?.document.uri).toBe('virtual:new.md');
  });
});

describe('an index for other settings', () => {
  test('holds added content in the new cut, with all of its vectors', async () => {
    const folder = await temporaryFolder(pages);
    const before = await open(folder);
    await indexEvents(before);
    // The white space between chunks is not kept, so that the text made of them is not the text that was added.
    const paragraphs = ['apples', 'pears', 'plums'].map((topic) => `## ${topic}\n\n${page(topic)}`);
    await before.add({ name: 'note.md', text: paragraphs.join('\n\n \t\n\n') });
    const changed = await open(folder, smaller);
    const end = (await indexEvents(changed)).at(-1);
    const { chunks, embedded } = (await changed.status({ compare: false })).counts;
    expect(end).toMatchObject({ summary: { chunks: { total: chunks, pending: 0 } } });
    expect(embedded).toBe(chunks);
    const indexed = (await changed.manifest()).filter(({ status }) => status === 'indexed');
    expect(new Set(indexed.map(({ recipe }) => recipe)).size).toBe(1);
  });

  test('carries over content that was added again under another title alone', async () => {
    const folder = await temporaryFolder(pages);
    const before = await open(folder);
    await indexEvents(before);
    const note = { name: 'note.md', text: 'The same thought as before.' };
    await before.add({ ...note, title: 'First' });
    const changed = await open(folder, smaller);
    let isAdded = false;
    for await (const event of changed.index()) {
      if (event.type !== 'vectors-added' || isAdded) continue;
      isAdded = true;
      await before.add({ ...note, title: 'Second' });
    }
    const [document] = await (await changed.store()).documents({ origins: ['virtual'] });
    expect(document?.title).toBe('Second');
  });

  test('is kept back while it lacks vectors that the former one has, and takes its place once they are made', async () => {
    const server = await startOpenAiServer({ model: 'new-model', dimensions: 48 });
    const folder = await temporaryFolder(pages);
    await indexEvents(await openWithFile(folder, '[embedder]\ndriver = "hashing"\n'));
    const toml =
      `[embedder]\ndriver = "openai"\nmodel = "new-model"\nurl = "${server.url}"\n` +
      '[chunking]\nmin_tokens = 8\ntarget_tokens = 32\nmax_tokens = 48\n';
    const changed = await openWithConsent(folder, toml, server.url);
    server.inject({ kind: 'key-refused' });
    const events = await indexEvents(changed);
    expect(events.map(({ type }) => type)).toContain('index-kept-back');
    expect(await indexes(folder)).toEqual(['index-1', 'index-2']);
    expect((await changed.status({ compare: false })).isRebuilding).toBe(true);
    const between = await changed.search('sentence about quinces', { denseWeight: 1 });
    expect(between.hits[0]?.document.uri).toBe('quinces.md');

    const later = await indexEvents(changed);
    expect(later.filter(({ type }) => type === 'document-indexed')).toEqual([]);
    expect(await indexes(folder)).toEqual(['index-2']);
    const { isRebuilding, counts } = await changed.status({ compare: false });
    expect(isRebuilding).toBe(false);
    expect(counts.embedded).toBe(counts.chunks);
    await server.close();
  });

  test('leaves nothing of the former one, though a process was killed between the switch and the removal', async () => {
    const folder = await temporaryFolder(pages);
    const first = await open(folder);
    await indexEvents(first);
    await first.close();
    await cp(join(folder, '.quarry/index-1'), join(folder, '.quarry/index-2'), { recursive: true });
    await writeFiles(folder, { '.quarry/current': 'index-2\n' });
    const events = await indexEvents(await open(folder));
    expect(events.find(({ type }) => type === 'leftovers-removed')).toMatchObject({ names: ['index-1'] });
    expect(await indexes(folder)).toEqual(['index-2']);
  });
});

test('an index whose pointer is lost goes on to answer, with content that has no file', async () => {
  const folder = await temporaryFolder(pages);
  await indexEvents(await open(folder));
  const changed = await open(folder, smaller);
  await indexEvents(changed);
  await changed.add({ name: 'note.md', text: 'A thought of its own.' });
  await changed.close();
  await rm(join(folder, '.quarry/current'));
  const again = await open(folder, smaller);
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

  test('whoever waited to write makes the index anew', async () => {
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
  test('the former model answers until the vectors of the new one are complete', async () => {
    const server = await startOpenAiServer({ model: 'new-model', dimensions: 48 });
    const folder = await temporaryFolder(pages);
    await indexEvents(await openWithFile(folder, '[embedder]\ndriver = "hashing"\n'));
    const toml = `[embedder]\ndriver = "openai"\nmodel = "new-model"\nurl = "${server.url}"\n`;
    const changed = await openProject(folder, { consent: [server.url], settings: {} }).then(() =>
      openWithConsent(folder, toml, server.url),
    );
    server.inject({ kind: 'key-refused' });
    expect((await indexEvents(changed)).map(({ type }) => type)).toContain('vectors-failed');
    const between = await changed.search('sentence about quinces', { denseWeight: 1 });
    expect(between.hits[0]?.document.uri).toBe('quinces.md');
    expect(between.warnings).toEqual([]);
    expect(between.pending).toBeGreaterThan(0);
    expect(await (await changed.store()).spaces()).toEqual(['hashing:64']);

    await indexEvents(changed);
    expect(await (await changed.store()).spaces()).toHaveLength(1);
    expect((await (await changed.store()).spaces())[0]).toContain('new-model');
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
  test('one that is deleted while a project is open is begun anew, for everyone to see', async () => {
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

  test('one that was damaged while it was built is begun anew, and the one that answers stays', async () => {
    const folder = await temporaryFolder(pages);
    const before = await open(folder);
    await indexEvents(before);
    await before.add({ name: 'note.md', text: 'A note without a file.' });
    const copy = join(folder, '.quarry', 'index-2');
    await cp(join(folder, '.quarry', 'index-1'), copy, { recursive: true });
    await writeFiles(copy, { 'index.sqlite': 'x'.repeat(100_000) });
    const changed = await open(folder, smaller);
    await indexEvents(changed);
    expect(await (await changed.store()).paths()).toContain('virtual:note.md');
    expect(await indexes(folder)).toEqual(['index-2']);
  });
});

test('a search with settings of its own answers from the index as it is', async () => {
  const folder = await temporaryFolder(pages);
  await indexEvents(await open(folder));
  const trial = await open(folder, { 'chunking.target_tokens': 60 });
  const work = async () => {
    for await (const _ of trial.index({ wait: false }));
  };
  await expect(work()).rejects.toMatchObject({ code: 'store-busy' });
  expect((await trial.search('sentence about quinces')).hits[0]?.document.uri).toBe('quinces.md');
  expect(await indexes(folder)).toEqual(['index-1']);
});
