import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { IndexEvent } from '../src/core/events.ts';
import { openProject } from '../src/project/open-project.ts';
import type { Project } from '../src/project/project.ts';
import { temporaryFolder, writeFiles } from '../src/testing/temporary-folder.ts';
import { indexEvents } from './index-events.ts';

const opened: Project[] = [];
afterEach(async () => {
  for (const project of opened.splice(0)) await project.close();
});

const usual = '[embedder]\ndriver = "hashing"\n[cache]\nmax_bytes = 0\n';
const smaller = `${usual}[chunking]\nmin_tokens = 8\ntarget_tokens = 32\nmax_tokens = 48\n`;

const page = (topic: string) =>
  `# ${topic}\n\n${Array.from({ length: 12 }, (_, index) => `Sentence ${index} about ${topic} and nothing else at all.`).join(' ')}\n`;

/** The project with these settings in its file, which each of several processes finds there. */
async function open(folder: string, toml?: string): Promise<Project> {
  if (toml !== undefined) await writeFiles(folder, { 'quarry.toml': toml });
  const project = await openProject(folder);
  opened.push(project);
  return project;
}

/** A project that was indexed with the usual settings, and whose settings are others by now. */
async function withOtherSettings(): Promise<{ folder: string; former: Project; changed: Project }> {
  const topics = ['apples', 'pears', 'plums', 'quinces'];
  const folder = await temporaryFolder(
    Object.fromEntries(topics.map((topic) => [`${topic}.md`, page(topic)])),
  );
  const former = await open(folder, usual);
  await indexEvents(former);
  return { folder, former, changed: await open(folder, smaller) };
}

const indexes = async (folder: string) =>
  (await readdir(join(folder, '.quarry'))).filter((name) => name.startsWith('index-')).sort();
const typesOf = (events: readonly IndexEvent[]) => events.map(({ type }) => type);
const firstUri = async (project: Project, words: string) =>
  (await project.search(words, { denseWeight: 0 })).hits[0]?.document.uri;

async function edit(folder: string): Promise<void> {
  await writeFiles(folder, {
    'medlars.md': '# medlars\n\nMedlars are eaten when they are bletted.\n',
    'apples.md': page('crabapples'),
  });
  await rm(join(folder, 'plums.md'));
}

/** What a project whose settings are those of its file finds after the edits, in whatever index it has. */
async function expectEdited(project: Project): Promise<void> {
  expect(await firstUri(project, 'bletted')).toBe('medlars.md');
  expect(await firstUri(project, 'crabapples')).toBe('apples.md');
  expect((await project.search('plums', { denseWeight: 0 })).hits).toEqual([]);
}

describe('while vectors are made for other settings', () => {
  test('what another process finds changed is taken into the index that answers, and into the new one', async () => {
    const { folder, former, changed } = await withOtherSettings();
    const other = await open(folder);
    let told: IndexEvent[] = [];
    for await (const event of changed.index()) {
      if (event.type !== 'model-loading' || told.length > 0) continue;
      await edit(folder);
      for await (const step of other.index({ wait: false })) told = [...told, step];
      expect(await indexes(folder)).toEqual(['index-1', 'index-2']);
      await expectEdited(other);
      await expectEdited(former);
    }
    expect(typesOf(told)).toContain('rebuild-paused');
    // The others stay in their old cut until the new index answers.
    expect(told.at(-1)).toMatchObject({
      summary: { documents: { indexed: 2, deleted: 1 }, chunks: { embedded: 0 } },
    });
    expect(await indexes(folder)).toEqual(['index-2']);
    await expectEdited(other);
    const { counts, changes, isRebuilding } = await other.status();
    expect(counts.embedded).toBe(counts.chunks);
    expect({ changes, isRebuilding }).toEqual({
      changes: { added: 0, changed: 0, deleted: 0 },
      isRebuilding: false,
    });
    const recipes = (await other.manifest()).filter(({ status }) => status === 'indexed');
    expect(new Set(recipes.map(({ recipe }) => recipe)).size).toBe(1);
  });

  test('a change comes first where there is one, and the rest is gone on with', async () => {
    const { folder, changed } = await withOtherSettings();
    const giveWay = new AbortController();
    const first: IndexEvent[] = [];
    for await (const event of changed.index({ giveWay: giveWay.signal })) {
      first.push(event);
      if (event.type === 'model-loading') giveWay.abort();
    }
    expect(typesOf(first).slice(-3)).toEqual(['vectors-paused', 'rebuild-paused', 'index-end']);
    expect(await indexes(folder)).toEqual(['index-1', 'index-2']);
    expect((await changed.status({ compare: false })).isRebuilding).toBe(true);

    await edit(folder);
    const paths = ['medlars.md', 'apples.md', 'plums.md'];
    let isFound = false;
    for await (const event of changed.index({ only: paths })) {
      if (event.type !== 'model-loading' || isFound) continue;
      isFound = true;
      await expectEdited(changed);
    }
    expect(isFound).toBe(true);
    expect(await indexes(folder)).toEqual(['index-2']);
    await expectEdited(changed);
    const { chunks, embedded } = (await changed.status({ compare: false })).counts;
    expect(embedded).toBe(chunks);
  });

  test('what has changed is counted once, though it is taken into both indexes', async () => {
    const { folder, changed } = await withOtherSettings();
    await edit(folder);
    // The settings, two as they were, one that is new and one that has changed; another one is gone.
    expect((await indexEvents(changed)).at(-1)).toMatchObject({
      summary: { documents: { indexed: 5, deleted: 1, unchanged: 0 } },
    });
  });

  test('what is wrong is told once, though it is met in both indexes', async () => {
    const { folder } = await withOtherSettings();
    const changed = await open(folder, `${smaller}[index]\nroots = [".", "absent"]\n`);
    const events = await indexEvents(changed);
    expect(typesOf(events).filter((type) => type === 'scan-start').length).toBeGreaterThan(1);
    expect(typesOf(events).filter((type) => type === 'root-failed')).toHaveLength(1);
  });

  test('the new index is not cleaned away', async () => {
    const { folder, changed } = await withOtherSettings();
    const other = await open(folder);
    let removed: readonly string[] | undefined;
    for await (const event of changed.index())
      if (event.type === 'model-loading' && !removed) ({ removed } = await other.clean());
    expect(removed).toEqual([]);
    expect(await indexes(folder)).toEqual(['index-2']);
    expect((await other.status()).counts.documents).toBe(5);
  });

  test('a repair waits for its end, and neither waits for the other for ever', async () => {
    const { folder, changed } = await withOtherSettings();
    const other = await open(folder);
    let repairing: Promise<unknown> | undefined;
    const repair = async () => {
      const work = other.repair();
      for (let step = await work.next(); ; step = await work.next()) if (step.done) return step.value;
    };
    for await (const event of changed.index()) if (event.type === 'model-loading') repairing ??= repair();
    expect(await repairing).toMatchObject({ mended: [], rebuilt: false });
    expect(await indexes(folder)).toEqual(['index-2']);
  });
});

test('a repair after a change of settings lets others take in text while it makes vectors', async () => {
  const { folder, changed } = await withOtherSettings();
  const other = await open(folder);
  const repairing = changed.repair();
  let isFound = false;
  for await (const event of repairing) {
    if (event.type !== 'model-loading' || isFound) continue;
    isFound = true;
    await edit(folder);
    for await (const _ of other.index({ wait: false }));
    await expectEdited(other);
  }
  expect(isFound).toBe(true);
  expect(await indexes(folder)).toEqual(['index-2']);
  await expectEdited(other);
});

test('settings that are taken back leave an index that is not called unfinished', async () => {
  const { folder, changed } = await withOtherSettings();
  const giveWay = new AbortController();
  for await (const event of changed.index({ giveWay: giveWay.signal }))
    if (event.type === 'model-loading') giveWay.abort();
  const back = await open(folder, usual);
  await indexEvents(back);
  expect((await back.status()).isRebuilding).toBe(false);
  expect(await indexes(folder)).toEqual(['index-1']);
});

test('a project with settings of before brings the index in step by those of today', async () => {
  const { folder, former, changed } = await withOtherSettings();
  await indexEvents(changed);
  expect(typesOf(await indexEvents(former))).not.toContain('index-copying');
  await edit(folder);
  expect((await indexEvents(former)).at(-1)).toMatchObject({
    summary: { documents: { indexed: 2, deleted: 1 }, chunks: { pending: 0 } },
  });
  await expectEdited(former);
  expect(await indexes(folder)).toEqual(['index-2']);
  expect((await indexEvents(changed)).at(-1)).toMatchObject({ summary: { documents: { indexed: 0 } } });
});

test('a project with settings of before neither brings back what is left out now, nor drops the vectors of today', async () => {
  const folder = await temporaryFolder({ 'open.md': page('pears'), 'private/salary.md': page('salaries') });
  const former = await open(folder, usual);
  await indexEvents(former);
  const wider = usual.replace('"hashing"', '"hashing"\ndimensions = 96');
  const today = await open(folder, `${wider}[index]\nexclude = ["private/**"]\n`);
  await indexEvents(today);
  const spaces = await (await today.store()).spaces();
  expect((await indexEvents(former)).at(-1)).toMatchObject({
    summary: { documents: { indexed: 0, deleted: 0 }, chunks: { embedded: 0 } },
  });
  expect((await former.search('salaries', { denseWeight: 0 })).hits).toEqual([]);
  expect(await (await today.store()).spaces()).toEqual(spaces);
});

test('settings that change while an index is built for them keep it from answering', async () => {
  const { folder, changed } = await withOtherSettings();
  const told: IndexEvent[] = [];
  for await (const event of changed.index()) {
    told.push(event);
    if (event.type === 'model-loading') await writeFiles(folder, { 'quarry.toml': usual });
  }
  expect(typesOf(told).slice(-2)).toEqual(['rebuild-paused', 'index-end']);
  expect(await indexes(folder)).toEqual(['index-1', 'index-2']);
  await indexEvents(await open(folder));
  expect(await indexes(folder)).toEqual(['index-1']);
});

test('a search by an embedder of its own takes in what changes, and builds no index for settings of today', async () => {
  const { folder, former } = await withOtherSettings();
  const trial = await openProject(folder, {
    settings: { 'embedder.dimensions': 32, 'embedder.driver': 'hashing' },
  });
  opened.push(trial);
  await edit(folder);
  const told: IndexEvent[] = [];
  for await (const event of trial.index({ wait: false })) told.push(event);
  expect(typesOf(told)).toContain('rebuild-paused');
  await expectEdited(former);
  expect(await indexes(folder)).toEqual(['index-1']);
});

test('a version of before takes in what changes, and leaves the index as a later one cut it', async () => {
  const { folder, former } = await withOtherSettings();
  await writeFiles(folder, { 'quarry.toml': usual });
  const store = await former.store();
  const recipe = await store.fact('recipe');
  const later = recipe?.replace(/^\[(\d+)/, (_, version) => `[${Number(version) + 1}`) ?? '';
  await store.setFact('recipe', later);
  await edit(folder);
  expect(typesOf(await indexEvents(former))).not.toContain('index-copying');
  await expectEdited(former);
  expect(await store.fact('recipe')).toBe(later);
  expect(later).not.toBe(recipe);
});

test('content that is added before the first run leads to no second index', async () => {
  const folder = await temporaryFolder({ 'pears.md': page('pears') });
  const project = await open(folder, smaller);
  await project.add({ name: 'note.md', text: 'A thought that came first.' });
  const reader = await open(folder);
  let found: string | undefined;
  for await (const event of project.index()) {
    expect(event.type).not.toBe('index-copying');
    if (event.type === 'model-loading') found ??= await firstUri(reader, 'pears');
  }
  expect(found).toBe('pears.md');
  expect(await indexes(folder)).toEqual(['index-1']);
  expect(await firstUri(project, 'thought')).toBe('virtual:note.md');
});
