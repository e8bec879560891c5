import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import { QuarryError } from '../core/errors.ts';
import { type OpenOptions, openProject } from './open-project.ts';

const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1, 'cache.max_bytes': 0 };
const opened: Project[] = [];
afterEach(async () => {
  for (const project of opened.splice(0)) await project.close();
});

async function open(more: Record<string, unknown> = {}): Promise<Project> {
  const folder = await temporaryFolder({ 'tea.md': '# Tea\n\nGreen tea is steeped.\n' });
  const project = await openProject(folder, { settings: { ...settings, ...more } });
  opened.push(project);
  return project;
}

/** Runs a stream, or waits for a promise. */
async function settled(work: unknown): Promise<unknown> {
  if (work instanceof Promise) return work;
  for await (const _ of work as AsyncIterable<unknown>);
  return undefined;
}

/** The project as a program without types sees it. */
// biome-ignore lint/suspicious/noExplicitAny: the calls below are wrong on purpose.
type Untyped = any;

const search = (options: unknown) => (project: Untyped) => project.search('tea', options);
const calls: [what: string, call: (project: Untyped) => unknown, code?: string][] = [
  ['search: a negative topK', search({ topK: -1 })],
  ['search: a topK that is no number', search({ topK: Number.NaN })],
  ['search: a topK as text', search({ topK: '5' })],
  ['search: a fraction as topK', search({ topK: 2.5 })],
  ['search: far too many hits', search({ topK: 100_000 })],
  ['search: a threshold beyond 1', search({ threshold: 7 })],
  ['search: a dense weight that is no number', search({ denseWeight: Number.NaN })],
  ['search: an unknown route', search({ route: 'bogus' })],
  ['search: a misspelt option', search({ topk: 3 })],
  ['search: an option of another place', search({ since: 'foo' })],
  ['search: a moment that is none', search({ filter: { since: 'foo' } })],
  ['search: an infinite moment', search({ filter: { until: Number.NEGATIVE_INFINITY } })],
  ['search: a misspelt filter', search({ filter: { type: ['code'] } })],
  ['search: an unknown origin', search({ filter: { origins: ['elsewhere'] } })],
  ['search: a path that leads out', search({ filter: { paths: ['../../etc/passwd'] } }), 'usage-invalid'],
  ['search: an exclusion that leads out', search({ filter: { paths: ['!src/../../x'] } }), 'usage-invalid'],
  ['search: a path of no letters', search({ filter: { paths: [''] } }), 'usage-invalid'],
  ['search: a window of no size', search({ window: { neighbours: -1 } })],
  ['search: a misspelt window', search({ window: { neighbors: 1 } })],
  ['search: a signal that is none', search({ signal: {} })],
  ['search: options that are none', search('fast')],
  ['search: a query that is no text', (project) => project.search(7)],
  ['search: an empty query', (project) => project.search(' '), 'usage-invalid'],
  ['context: an unknown format', (project) => project.context('tea', { format: 'xml' })],
  ['context: too few tokens', (project) => project.context('tea', { maxTokens: 1 })],
  ['context: an empty query', (project) => project.context(' '), 'usage-invalid'],
  ['inject: a prompt that is no text', (project) => project.inject(undefined, 'tea')],
  ['inject: no query', (project) => project.inject('prompt')],
  ['index: a path that leads out', (p) => p.index({ only: ['../../../etc/passwd'] }), 'path-outside-root'],
  ['index: an absolute path', (p) => p.index({ only: ['/etc/passwd'] }), 'path-outside-root'],
  ['index: paths that are no list', (project) => project.index({ only: 'tea.md' })],
  ['index: a misspelt option', (project) => project.index({ ful: true })],
  ['freshen: a misspelt option', (project) => project.freshen({ updates: true })],
  ['watch: an unknown wait', (project) => project.watch({ timing: { quite: 1 } })],
  ['add: no name', (project) => project.add({ name: '', text: 'Black tea.' })],
  ['add: no text', (project) => project.add({ name: 'note.md' })],
  ['add: nothing', (project) => project.add()],
  ['add: a misspelt field', (project) => project.add({ name: 'n', text: 't', titel: 'T' })],
  ['remove: an empty uri', (project) => project.remove('')],
  ['remove: a list', (project) => project.remove(['tea.md'])],
  ['status: a misspelt option', (project) => project.status({ compares: false })],
  ['verify: an unknown option', (project) => project.verify({ all: true })],
  ['repair: an unknown option', (project) => project.repair({ all: true })],
  ['clean: a word for yes', (project) => project.clean({ all: 'yes' })],
  ['manifest: a misspelt option', (project) => project.manifest({ chunk: true })],
  ['embedder: a number', (project) => project.embedder(1)],
];

describe.each([
  ['', {}],
  [' of a disabled project', { enabled: false }],
])('a wrong call%s fails with a code and a remedy before anything is done', (_, more) => {
  test.each(calls.map(([what, call, code = 'usage-invalid']) => ({ what, call, code })))(
    '$what',
    async ({ call, code }) => {
      const project = await open(more);
      const failure = await settled(call(project)).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(failure).toBeInstanceOf(QuarryError);
      expect(failure).toMatchObject({ code, remedy: expect.stringMatching(/\.$|^Run: /) });
      expect(await readdir(project.folder)).toEqual(['tea.md']);
    },
  );
});

test('the message names the call and the value, and the remedy says what would do', async () => {
  const project: Untyped = await open();
  await expect(project.search('tea', { topK: -1 })).rejects.toMatchObject({
    message: 'search: topK -1: Too small: expected number to be >=1.',
  });
  await expect(project.search('tea', { topk: 3 })).rejects.toMatchObject({
    message: 'search has no option "topk".',
    remedy: expect.stringContaining('topK'),
  });
});

test.each([
  ['a misspelt option', { setting: {} }],
  ['settings that are no table', { settings: 'fast' }],
  ['consent to no address', { consent: ['not an address'] }],
])('a project is not opened with %s', async (_, options) => {
  const folder = await temporaryFolder({});
  await expect(openProject(folder, options as OpenOptions)).rejects.toMatchObject({ code: 'usage-invalid' });
});

describe('a closed project', () => {
  test.each<[string, (project: Project) => unknown]>([
    ['search', (project) => project.search('tea')],
    ['index', (project) => project.index()],
    ['freshen', (project) => project.freshen()],
    ['watch', (project) => project.watch()],
    ['add', (project) => project.add({ name: 'note.md', text: 'Black tea.' })],
    ['remove', (project) => project.remove('tea.md')],
    ['status', (project) => project.status()],
    ['verify', (project) => project.verify()],
    ['repair', (project) => project.repair()],
    ['clean', (project) => project.clean()],
    ['manifest', (project) => project.manifest()],
    ['store', (project) => project.store()],
    ['embedder', (project) => project.embedder()],
    ['reranker', (project) => project.reranker()],
    ['vectorCache', (project) => project.vectorCache()],
  ])('refuses %s', async (_, call) => {
    const project = await open();
    await project.close();
    await expect(settled(call(project))).rejects.toMatchObject({
      code: 'usage-invalid',
      remedy: 'Open it again with openProject.',
    });
    expect(await readdir(project.folder)).toEqual(['tea.md']);
  });

  test('may be closed again', async () => {
    const project = await open();
    await project.close();
    await project.close();
  });
});

describe('the first search from a program', () => {
  test('brings the index up to date, as on the command line, and says so', async () => {
    const project = await open();
    const { hits, indexed, warnings } = await project.search('green tea');
    expect(hits.map(({ document }) => document.uri)).toEqual(['tea.md']);
    expect(indexed?.documents.indexed).toBe(1);
    expect(warnings).toEqual([]);
  });

  test.each([
    ['the settings', { 'index.on_search': false }, {}],
    ['the call', {}, { update: false }],
  ])('warns that there is no index where %s say not to make one', async (_, more, options) => {
    const project = await open(more);
    const { hits, indexed, warnings } = await project.search('green tea', options);
    expect(hits).toEqual([]);
    expect(indexed).toBeUndefined();
    expect(warnings).toMatchObject([{ code: 'index-stale', remedy: 'Run: quarry index' }]);
    expect(await readdir(project.folder)).toEqual(['tea.md']);
  });

  test('shares one run with searches that come meanwhile', async () => {
    const project = await open();
    const answers = await Promise.all(['green', 'tea', 'steeped'].map((query) => project.search(query)));
    for (const { hits, warnings } of answers) {
      expect(hits).toHaveLength(1);
      expect(warnings).toEqual([]);
    }
  });

  test('stops when it is cancelled, while another one continues', async () => {
    const project = await open();
    const cancel = new AbortController();
    const cancelled = project.search('green', { signal: cancel.signal });
    const other = project.search('tea');
    cancel.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'interrupted' });
    expect((await other).hits).toHaveLength(1);
  });
});

test('a run of some paths takes them as they are written, inside the project', async () => {
  const project = await open();
  for await (const _ of project.index({ only: ['./tea.md', join('.', 'x')] }));
  expect((await project.search('green tea', { update: false })).hits).toHaveLength(1);
});
