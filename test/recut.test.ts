import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Project } from '../src/calls/project.ts';
import type { IndexEvent } from '../src/core/events.ts';
import { putManifest } from '../src/index/write.ts';
import { openProject } from '../src/project/open-project.ts';
import { indexEvents } from './index-events.ts';
import { startOpenAiServer } from './servers/embedding/openai-server.ts';
import { temporaryFolder, writeFiles } from './temporary-folder.ts';

const opened: Project[] = [];
afterEach(async () => {
  for (const project of opened.splice(0)) await project.close();
});

const defaults =
  '[embedder]\ndriver = "hashing"\n[cache]\nmax_bytes = 0\n[resources]\nthreads = 1\n[index]\nfile_seconds = 60\n';
const chunking = '[chunking]\nsizes = "characters"\nby_characters = { size = 200, overlap = 0 }\n';
const smaller = defaults + chunking;

const page = (topic: string) =>
  `# ${topic}\n\n${Array.from({ length: 12 }, (_, index) => `Sentence ${index} about ${topic} and nothing else at all.`).join(' ')}\n`;
const topics = ['apples', 'pears', 'plums', 'quinces'];
const pages = Object.fromEntries(topics.map((topic) => [`${topic}.md`, page(topic)]));

/** The project with these settings in its file, which each of several processes finds there. */
async function open(folder: string, toml?: string, consent: readonly string[] = []): Promise<Project> {
  if (toml !== undefined) await writeFiles(folder, { 'quarry.toml': toml });
  const project = await openProject(folder, { consent });
  opened.push(project);
  return project;
}

/** Folders by their files, indexed once with the usual settings: each test works on a copy. */
const indexed = new Map<Record<string, string>, Promise<string>>();

async function indexedFolder(files: Record<string, string>): Promise<string> {
  const folder = await temporaryFolder({ ...files, 'quarry.toml': defaults });
  const project = await openProject(folder);
  await indexEvents(project);
  await project.close();
  return folder;
}

/** A project that was indexed with the usual settings, and whose settings are others by now. */
async function withOtherSettings(files: Record<string, string> = pages) {
  const prepared = indexed.get(files) ?? indexedFolder(files);
  indexed.set(files, prepared);
  const folder = await temporaryFolder();
  await cp(await prepared, folder, { recursive: true, preserveTimestamps: true });
  const previous = await open(folder);
  return { folder, previous, changed: await open(folder, smaller) };
}

const typesOf = (events: readonly IndexEvent[]) => events.map(({ type }) => type);
const firstUri = async (project: Project, words: string) =>
  (await project.search(words, { route: 'text' })).hits[0]?.document.uri;
const statusOf = (project: Project) => project.status({ compare: false });

/** Expects every document in one cut, with all of its vectors. */
async function expectWhole(project: Project): Promise<void> {
  const { stale, counts } = await statusOf(project);
  expect({ stale, left: counts.chunks - counts.embedded }).toEqual({ stale: 0, left: 0 });
  const indexed = (await project.manifest()).filter(({ status }) => status === 'indexed');
  expect(new Set(indexed.map(({ recipe }) => recipe)).size).toBe(1);
}

async function edit(folder: string): Promise<void> {
  await writeFiles(folder, {
    'medlars.md': '# medlars\n\nMedlars are eaten when they are bletted.\n',
    'apples.md': page('crabapples'),
  });
  await rm(join(folder, 'plums.md'));
}

async function expectEdited(project: Project): Promise<void> {
  expect(await firstUri(project, 'bletted')).toBe('medlars.md');
  expect(await firstUri(project, 'crabapples')).toBe('apples.md');
  expect((await project.search('plums', { route: 'text' })).hits).toEqual([]);
}

/** Enough documents for several groups. */
const many = Object.fromEntries(
  Array.from({ length: 150 }, (_, number) => [`many/${number}.md`, page(`topic${number}`)]),
);

describe('when the settings that cut files change', () => {
  test('each document answers with its vectors, in its old cut or in its new one, and a warning says so', async () => {
    const { previous, changed } = await withOtherSettings(many);
    const before = (await statusOf(previous)).counts;
    const seen: number[] = [];
    for await (const event of changed.index()) {
      if (event.type !== 'documents-recut') continue;
      const { counts, stale } = await statusOf(changed);
      expect(counts).toMatchObject({ documents: before.documents, embedded: counts.chunks });
      seen.push(stale);
      for (const route of ['text', 'dense'] as const) {
        const { hits, warnings, pending } = await changed.search('sentence about topic7', { route });
        expect(hits[0]?.document.uri).toBe('many/7.md');
        expect(pending).toBe(0);
        // A project that was opened before answers alike, and knows nothing of the settings of today.
        const before = await previous.search('sentence about topic7', { route });
        expect([before.hits[0]?.document.uri, before.warnings]).toEqual(['many/7.md', []]);
        expect(warnings.map(({ code }) => code)).toEqual(stale > 0 ? ['index-stale'] : []);
      }
    }
    expect(seen.length).toBeGreaterThan(2);
    expect([seen[0], seen.at(-1)]).toEqual([150, 0]);
    await expectWhole(changed);
    expect((await statusOf(changed)).counts.chunks).toBeGreaterThan(before.chunks);
  });

  test('a document is cut again though another run has noted the time of its file meanwhile', async () => {
    const { changed } = await withOtherSettings();
    const store = await changed.store();
    for await (const event of changed.index()) {
      if (event.type !== 'documents-recut' || event.done > 0) continue;
      await putManifest(
        store,
        (await store.manifest()).map((entry) => ({ ...entry, modifiedAt: 7 })),
      );
    }
    await expectWhole(changed);
    const noted = (await store.manifest()).filter(({ uri }) => uri in pages);
    expect(noted.map(({ modifiedAt }) => modifiedAt)).toEqual([7, 7, 7, 7]);
  });

  test('what was stopped continues where it was', async () => {
    const { folder, changed } = await withOtherSettings(many);
    const stop = new AbortController();
    const work = async () => {
      for await (const event of changed.index({ signal: stop.signal }))
        if (event.type === 'documents-recut' && event.done > 0) stop.abort();
    };
    await expect(work()).rejects.toMatchObject({ code: 'interrupted' });
    const { stale } = await statusOf(changed);
    expect(stale).toBeGreaterThan(0);
    expect(stale).toBeLessThan(151);
    const events = await indexEvents(await open(folder));
    expect(typesOf(events).filter((type) => type === 'document-indexed')).toHaveLength(stale);
    await expectWhole(changed);
  });

  test('a file is counted once, as indexed', async () => {
    const { folder, changed } = await withOtherSettings();
    await edit(folder);
    // The settings, two as they were, one that is new and one that has changed; another one is gone.
    expect((await indexEvents(changed)).at(-1)).toMatchObject({
      summary: { documents: { indexed: 5, deleted: 1, unchanged: 0, failed: 0 }, chunks: { pending: 0 } },
    });
  });

  test('content without a file is cut again from its text, and what came meanwhile is kept', async () => {
    const { folder, previous } = await withOtherSettings();
    await writeFiles(folder, { 'quarry.toml': defaults });
    // The white space between chunks is not kept, so that the text made of them is not the text that was added.
    const text = ['apples', 'pears'].map((topic) => `## ${topic}\n\n${page(topic)}`).join('\n\n \t\n\n');
    await previous.add({ name: 'note.md', text, title: 'First' });
    await previous.add({ name: 'old.md', text: 'A thought from before the change.' });
    const changed = await open(folder, smaller);
    let isAdded = false;
    for await (const event of changed.index()) {
      if (event.type !== 'documents-recut' || isAdded) continue;
      isAdded = true;
      await previous.add({ name: 'note.md', text, title: 'Second' });
      await previous.add({ name: 'new.md', text: 'A thought that came while all was cut.' });
      await previous.remove('virtual:old.md');
    }
    const titles = async () =>
      (await (await changed.store()).documents({ origins: ['virtual'] })).map(({ uri, title }) => [
        uri,
        title,
      ]);
    expect(Object.fromEntries(await titles())).toMatchObject({ 'virtual:note.md': 'Second' });
    expect((await titles()).map(([uri]) => uri).sort()).toEqual(['virtual:new.md', 'virtual:note.md']);
    await indexEvents(changed);
    await expectWhole(changed);
    expect(await firstUri(changed, 'came while all was cut')).toBe('virtual:new.md');
  });

  test('documents without vectors are cut again at once, and their old texts are not embedded any more', async () => {
    const folder = await temporaryFolder(pages);
    const previous = await open(folder, defaults);
    for await (const event of previous.index()) if (event.type === 'model-loading') break;
    expect((await statusOf(previous)).counts.embedded).toBe(0);
    const changed = await open(folder, smaller);
    const events = await indexEvents(changed);
    expect(typesOf(events)).not.toContain('documents-recut');
    const { chunks } = (await statusOf(changed)).counts;
    expect(events.at(-1)).toMatchObject({ summary: { chunks: { embedded: chunks, pending: 0 } } });
    await expectWhole(changed);
  });

  test('everything stays in one index file', async () => {
    const { folder, changed } = await withOtherSettings();
    await indexEvents(changed);
    const names = (await readdir(join(folder, '.quarry'))).filter((name) => name.startsWith('index-'));
    expect(names).toEqual(['index-1']);
  });
});

describe('a backend that fails while settings change', () => {
  test('leaves documents in their old cut with their vectors, until a run gets through', async () => {
    const server = await startOpenAiServer({ model: 'm', dimensions: 48 });
    // The settings themselves are left out, as they change.
    const others = '[cache]\nmax_bytes = 0\n[index]\nexclude = ["quarry.toml"]\n';
    const embedder = `[embedder]\ndriver = "openai"\nmodel = "m"\nurl = "${server.url}"\n${others}`;
    const folder = await temporaryFolder(pages);
    await indexEvents(await open(folder, embedder, [server.url]));
    const changed = await open(folder, embedder + chunking, [server.url]);
    server.inject(...Array.from({ length: 4 }, () => ({ kind: 'key-refused' }) as const));
    const emitted = (await indexEvents(changed)).find(({ type }) => type === 'documents-stale');
    expect(emitted).toMatchObject({ error: { code: 'provider-key' } });
    const { stale, counts } = await statusOf(changed);
    expect({ stale, left: counts.chunks - counts.embedded }).toEqual({ stale: 4, left: 0 });
    for (let left = stale; left > 0; left = (await statusOf(changed)).stale) await indexEvents(changed);
    await expectWhole(changed);
    await server.close();
  });

  test('does so too where the model changes with them, and the previous one answers', async () => {
    const server = await startOpenAiServer({ model: 'm', dimensions: 48 });
    const { folder } = await withOtherSettings();
    const embedder = `[embedder]\ndriver = "openai"\nmodel = "m"\nurl = "${server.url}"\n[cache]\nmax_bytes = 0\n`;
    const changed = await open(folder, embedder + chunking, [server.url]);
    server.inject(...Array.from({ length: 4 }, () => ({ kind: 'key-refused' }) as const));
    await indexEvents(changed);
    const between = await changed.search('sentence about quinces', { denseWeight: 1 });
    expect(between.hits[0]?.document.uri).toBe('quinces.md');
    while ((await statusOf(changed)).stale > 0) await indexEvents(changed);
    await expectWhole(changed);
    expect(
      [...(await (await changed.store()).state()).spaces.keys()].every((space) => space.includes('m')),
    ).toBe(true);
    await server.close();
  });
});

describe('while documents are cut again', () => {
  test('what another process finds changed is found at once', async () => {
    const { folder, previous, changed } = await withOtherSettings();
    const other = await open(folder);
    let emitted: IndexEvent[] | undefined;
    for await (const event of changed.index()) {
      if (event.type !== 'documents-recut' || emitted) continue;
      await edit(folder);
      emitted = [];
      for await (const step of other.index({ wait: false })) emitted.push(step);
      await expectEdited(other);
      await expectEdited(previous);
    }
    expect(emitted?.at(-1)).toMatchObject({
      summary: { documents: { indexed: 2, deleted: 1 }, chunks: { embedded: 0 } },
    });
    await expectEdited(other);
    await indexEvents(other);
    await expectWhole(other);
  });

  test('a change comes first where there is one, and the rest is continued', async () => {
    const { folder, changed } = await withOtherSettings(many);
    const giveWay = new AbortController();
    const first: IndexEvent[] = [];
    for await (const event of changed.index({ giveWay: giveWay.signal })) {
      first.push(event);
      if (event.type === 'documents-recut' && event.done > 0) giveWay.abort();
    }
    expect(typesOf(first).slice(-2)).toEqual(['documents-stale', 'index-end']);
    const { stale, counts } = await statusOf(changed);
    expect(stale).toBeGreaterThan(0);
    expect(counts.embedded).toBe(counts.chunks);
    await writeFiles(folder, { 'medlars.md': '# medlars\n\nMedlars are eaten when they are bletted.\n' });
    for await (const event of changed.index({ only: ['medlars.md'] }))
      if (event.type === 'documents-recut') expect(await firstUri(changed, 'bletted')).toBe('medlars.md');
    await expectWhole(changed);
  });

  test('a repair waits for its end, and neither waits for the other for ever', async () => {
    const { folder, changed } = await withOtherSettings();
    const other = await open(folder);
    let repairing: Promise<unknown> | undefined;
    const repair = async () => {
      const work = other.repair();
      for (let step = await work.next(); ; step = await work.next()) if (step.done) return step.value;
    };
    for await (const event of changed.index()) if (event.type === 'documents-recut') repairing ??= repair();
    expect(await repairing).toMatchObject({ repaired: [], rebuilt: false });
    await expectWhole(other);
  });
});

describe('the settings of today', () => {
  test('decide for a project that was opened with those of before', async () => {
    const { folder, previous, changed } = await withOtherSettings();
    await indexEvents(changed);
    expect((await indexEvents(previous)).at(-1)).toMatchObject({ summary: { documents: { indexed: 0 } } });
    await edit(folder);
    expect((await indexEvents(previous)).at(-1)).toMatchObject({
      summary: { documents: { indexed: 2, deleted: 1 }, chunks: { pending: 0 } },
    });
    await expectEdited(previous);
    expect((await indexEvents(changed)).at(-1)).toMatchObject({ summary: { documents: { indexed: 0 } } });
  });

  test('neither bring back what is left out now, nor drop the vectors of today', async () => {
    const folder = await temporaryFolder({ 'open.md': page('pears'), 'private/salary.md': page('salaries') });
    const previous = await open(folder, defaults);
    await indexEvents(previous);
    const wider = defaults.replace('"hashing"', '"hashing"\ndimensions = 96');
    const today = await open(folder, `${wider}exclude = ["private/**"]\n`);
    await indexEvents(today);
    const spaces = [...(await (await today.store()).state()).spaces.keys()];
    expect((await indexEvents(previous)).at(-1)).toMatchObject({
      summary: { documents: { indexed: 0, deleted: 0 }, chunks: { embedded: 0 } },
    });
    expect((await previous.search('salaries', { route: 'text' })).hits).toEqual([]);
    expect([...(await (await today.store()).state()).spaces.keys()]).toEqual(spaces);
  });

  test('end the cutting by others as soon as they change, and taken back leave nothing stale', async () => {
    const { folder, changed } = await withOtherSettings(many);
    for await (const event of changed.index())
      if (event.type === 'documents-recut' && event.done > 0)
        await writeFiles(folder, { 'quarry.toml': defaults });
    const back = await open(folder);
    const { stale } = await statusOf(back);
    expect(stale).toBeGreaterThan(0);
    expect(stale).toBeLessThan(150);
    await indexEvents(back);
    await expectWhole(back);
  });
});

test('a search by an embedder of its own takes in what changes, and cuts nothing else', async () => {
  const { folder, previous } = await withOtherSettings();
  const trial = await openProject(folder, {
    settings: { 'embedder.dimensions': 32, 'embedder.driver': 'hashing' },
  });
  opened.push(trial);
  await edit(folder);
  const emitted: IndexEvent[] = [];
  for await (const event of trial.index({ wait: false })) emitted.push(event);
  expect(typesOf(emitted)).not.toContain('documents-recut');
  expect(emitted.find(({ type }) => type === 'documents-stale')).toMatchObject({ stale: 2 });
  await expectEdited(previous);
});

test('a search with settings of its own answers from the index as it is', async () => {
  const folder = await temporaryFolder(pages);
  await indexEvents(await open(folder, defaults));
  const trial = await openProject(folder, { settings: { 'chunking.sizes': 'large' } });
  opened.push(trial);
  const work = async () => {
    for await (const _ of trial.index({ wait: false }));
  };
  await expect(work()).rejects.toMatchObject({ code: 'store-busy' });
  expect((await trial.search('sentence about quinces')).hits[0]?.document.uri).toBe('quinces.md');
});

test('a version of before takes in what changes, and leaves the rest as a later one cut it', async () => {
  const { folder, previous } = await withOtherSettings();
  await writeFiles(folder, { 'quarry.toml': defaults });
  const store = await previous.store();
  const later = (recipe: string) => recipe.replace(/^\[(\d+)/, (_, version) => `[${Number(version) + 1}`);
  await putManifest(
    store,
    (await store.manifest()).map((entry) => ({ ...entry, recipe: later(entry.recipe) })),
  );
  const cut = new Map((await store.manifest()).map(({ uri, recipe }) => [uri, recipe]));
  await edit(folder);
  expect((await indexEvents(previous)).at(-1)).toMatchObject({ summary: { documents: { indexed: 2 } } });
  await expectEdited(previous);
  const now = new Map((await store.manifest()).map(({ uri, recipe }) => [uri, recipe]));
  expect([now.get('pears.md'), now.get('quinces.md')]).toEqual([cut.get('pears.md'), cut.get('quinces.md')]);
  expect((await statusOf(previous)).stale).toBe(0);
});
