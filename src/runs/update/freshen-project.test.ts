import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startOpenAiServer } from '../../../test/servers/embedding/openai-server.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import { catalogue, loadOperation } from '../../operations/catalogue.ts';
import { resultOf } from '../../platform/streams.ts';
import { openProject } from '../../project/open-project.ts';
import { answerFresh, shareFreshening } from './freshen-project.ts';

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
  expect((await project.search('green tea', { update: false })).hits).toHaveLength(isUpdated ? 1 : 0);
  await project.close();
});

test('a question waits for the first run of another one, as long as nothing is there that could answer', async () => {
  const folder = await temporaryFolder({ 'tea.md': '# Tea\n\nGreen tea.' });
  const settings = { 'embedder.driver': 'hashing' };
  const [engine, other] = await Promise.all([
    openProject(folder, { settings }),
    openProject(folder, { settings }),
  ]);
  const run = engine.index()[Symbol.asyncIterator]();
  await run.next();
  const waited: string[] = [];
  const asked = resultOf(other.freshen(), ({ type }) => waited.push(type));
  const isOver = await Promise.race([asked.then(() => true), setTimeout(1500, false)]);
  while (!(await run.next()).done);
  const { warnings } = await asked;
  expect({ isOver, warnings }).toEqual({ isOver: false, warnings: [] });
  expect(waited.filter((type) => type === 'index-waiting').length).toBeLessThan(2);
  expect((await other.search('green tea', { update: false })).hits).toHaveLength(1);
  await Promise.all([engine.close(), other.close()]);
});

test('a question lets a run that its own process has just begun end its text, so that a file saved right before is found', async () => {
  const folder = await temporaryFolder({ 'tea.md': '# Tea\n\nGreen tea.' });
  const project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
  await resultOf(project.freshen());
  await writeFile(join(folder, 'coffee.md'), '# Coffee\n\nBlack coffee.');
  const run = project.index()[Symbol.asyncIterator]();
  await run.next();
  const asked = resultOf(project.freshen());
  await setTimeout(900);
  while (!(await run.next()).done);
  expect((await asked).warnings).toEqual([]);
  expect((await project.search('coffee', { update: false })).hits[0]?.document.uri).toBe('coffee.md');
  await project.close();
});

test('a run that waits for one of its own process keeps that alive, also where nothing else does', async () => {
  const folder = await temporaryFolder({ 'tea.md': '# Tea\n\nGreen tea.' });
  const program = `
    const { openProject } = await import(${JSON.stringify(new URL('../../project/open-project.ts', import.meta.url).href)});
    const project = await openProject(${JSON.stringify(folder)}, { settings: { 'embedder.driver': 'hashing' } });
    for await (const _ of project.index());
    const run = project.index()[Symbol.asyncIterator]();
    await run.next();
    const other = project.index({ wait: false })[Symbol.asyncIterator]();
    try { while (!(await other.next()).done); } catch ({ code }) { console.log(code); }`;
  const words = ['--input-type=module', '--eval', program];
  expect((await promisify(execFile)(process.execPath, words)).stdout).toBe('store-busy\n');
});

test('an answer begins when the update has ended, and what both emit comes in that order', async () => {
  const order: string[] = [];
  const update = async function* () {
    yield { type: 'model-loading', model: 'm' } as const;
    order.push('updated');
    return { warnings: [] };
  };
  const answer = async function* () {
    order.push('asked');
    yield { type: 'answer-text', text: 'Tea.' } as const;
    return 'Tea.';
  };
  const events: string[] = [];
  const { outcome, fresh } = await resultOf(
    answerFresh(update() as never, () => answer()),
    ({ type }) => events.push(type),
  );
  expect({ outcome, fresh }).toEqual({ outcome: 'Tea.', fresh: { warnings: [] } });
  expect(order).toEqual(['updated', 'asked']);
  expect(events).toEqual(['model-loading', 'answer-text']);
});

test.each(['search', 'context', 'ask', 'memory', 'read'])(
  'every operation that answers goes through the same update: %s',
  async (name) => {
    const folder = await temporaryFolder({ 'tea.md': '# Tea\n\nGreen tea.' });
    const project = await openProject(folder, {
      settings: { 'embedder.driver': 'hashing', 'generator.driver': 'none' },
    });
    const asked: unknown[] = [];
    const watched: Project = {
      ...project,
      freshen(options) {
        asked.push(options?.update);
        return project.freshen(options);
      },
    };
    const entry = catalogue.find((each) => each.name === name) ?? expect.unreachable();
    const { input, run } = await loadOperation(entry);
    const words = { search: 'query', context: 'query', ask: 'question', memory: 'text', read: 'path' };
    const given = { [words[name as keyof typeof words]]: name === 'read' ? 'tea.md' : 'green tea' };
    await resultOf(run(watched, input.parse({ ...given, update: true }), {}));
    expect(asked).toEqual([true]);
    await project.close();
  },
);

/** A project whose searches wait no time at all for vectors. */
async function impatient(): Promise<Project> {
  const folder = await temporaryFolder({ 'tea.md': '# Tea\n\nGreen tea.' });
  const settings = { 'embedder.driver': 'hashing', 'index.search_seconds': 0, 'cache.max_bytes': 0 };
  return openProject(folder, { settings });
}

async function kindsOf(project: Project): Promise<string[]> {
  const kinds: string[] = [];
  await resultOf(project.freshen(), ({ type }) => kinds.push(type));
  return kinds;
}

test('a search that has used up its wait answers by words, and says what is pending and what to run', async () => {
  const server = await startOpenAiServer({ model: 'm' });
  const folder = await temporaryFolder({ 'tea.md': '# Tea\n\nGreen tea.' });
  const project = await openProject(folder, {
    settings: {
      'embedder.driver': 'openai',
      'embedder.url': server.url,
      'embedder.model': 'm',
      'index.search_seconds': 0,
      'cache.max_bytes': 0,
    },
  });
  const { hits, warnings, pending, indexed } = await project.search('green tea', { route: 'hybrid' });
  expect(hits).toHaveLength(1);
  expect(pending).toBe(1);
  expect(indexed).toMatchObject({ documents: { indexed: 1 }, chunks: { pending: 1 } });
  expect(warnings).toMatchObject([
    {
      code: 'vectors-pending',
      message: '1 chunk has no vector yet: words alone find and order it.',
      remedy: expect.stringContaining('quarry index'),
    },
  ]);
  await project.close();
  await server.close();
});

test('the first search in a folder says which mail it leaves out for its age, and how it is kept', async () => {
  const message = (said: string, date: Date) =>
    `From: a@example.org\nSubject: Roof\nDate: ${date.toUTCString()}\n\n${said}\n`;
  const longAgo = new Date('2020-03-03');
  const folder = await temporaryFolder({
    'old.eml': message('The roof leaks.', longAgo),
    'new.eml': message('The roof is mended.', new Date()),
    'box.mbox': [message('The roof leaks again.', longAgo), message('The roof was paid for.', new Date())]
      .map((each) => `From a@example.org Tue Mar  3 10:00:00 2020\n${each}\n`)
      .join(''),
  });
  const project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
  const { hits, warnings } = await project.search('roof');
  expect(hits.map(({ document }) => document.uri).sort()).toEqual(['box.mbox', 'new.eml']);
  expect(warnings).toMatchObject([
    {
      code: 'documents-too-old',
      message: '2 files are left out, whole or in part: email older than 60 days (max_age_days).',
      remedy: expect.stringContaining('max_age_days.email'),
    },
  ]);
  // Once is enough; what was written a moment ago is read again.
  await expect.poll(async () => (await project.search('roof')).warnings).toEqual([]);
  await project.close();
});

test('searches do not wait for vectors again until a run has made them', async () => {
  const project = await impatient();
  expect(await kindsOf(project)).toContain('model-loading');
  expect(await kindsOf(project)).not.toContain('model-loading');
  for await (const _ of project.index());
  await project.add({ name: 'note.md', text: 'Black tea.' });
  expect((await (await project.store()).state()).facts.get('waited-for-vectors')).toBeUndefined();
  await project.close();
});

test('a search for literal text does not wait for vectors', async () => {
  const project = await impatient();
  const { warnings } = await project.search('Green tea', { route: 'exact' });
  expect(warnings).toEqual([]);
  expect((await (await project.store()).state()).facts.get('waited-for-vectors')).toBeUndefined();
  await project.close();
});

test('a search whose update loses its lease answers from what is there, and says so', async () => {
  const folder = await temporaryFolder({ 'tea.md': '# Tea\n\nGreen tea.' });
  const project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
  for await (const _ of project.index());
  await writeFile(join(folder, 'mate.md'), '# Mate\n\nTea of another kind.');
  // As another process that took over commits, from a machine whose clock is ahead.
  const fences = new Map([['writer.lock', Date.now() + 60_000]]);
  await (await project.store()).commit({ fences });
  const { hits, warnings } = await project.search('tea');
  expect(hits.map(({ document }) => document.uri)).toEqual(['tea.md']);
  expect(warnings.map(({ code }) => code)).toContain('lock-lost');
  await project.close();
});

test('a search that needs vectors does not make do with a freshening for words that runs already', async () => {
  const begun: boolean[] = [];
  const gate = Promise.withResolvers<void>();
  // biome-ignore lint/correctness/useYield: only its end matters here.
  const freshening = shareFreshening(async function* ({ vectors = true } = {}) {
    begun.push(vectors);
    await gate.promise;
    return { warnings: [] };
  });
  const words = freshening.join({ vectors: false });
  const left = new AbortController();
  const called = [freshening.join({}), freshening.join({ vectors: true })];
  const gone = freshening.join({ signal: left.signal });
  left.abort();
  await expect(gone).rejects.toMatchObject({ code: 'interrupted' });
  expect(begun).toEqual([false]);
  gate.resolve();
  await Promise.all([words, ...called]);
  expect(begun).toEqual([false, true]);
  await freshening.close();
});

test('a failed freshening for words does not end a search that needs vectors', async () => {
  const freshening = shareFreshening(async function* ({ vectors = true } = {}) {
    yield* [];
    if (!vectors) throw new Error('the disk is full for a moment');
    return { warnings: [] };
  });
  const words = freshening.join({ vectors: false });
  const both = freshening.join({});
  await expect(words).rejects.toThrow('for a moment');
  expect(await both).toEqual({ warnings: [] });
});
