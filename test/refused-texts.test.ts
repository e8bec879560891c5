import { once } from 'node:events';
import { rename, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Project } from '../src/calls/project.ts';
import { searchOperation } from '../src/operations/find/search.ts';
import { followWatch } from '../src/project/follow-watch.fixture.ts';
import { openProject } from '../src/project/open-project.ts';
import { failure, indexEvents } from './index-events.ts';
import { callQuarry } from './quarry-call.ts';
import type { EmbeddingServer } from './servers/embedding/embedding-server.ts';
import { startOpenAiServer } from './servers/embedding/openai-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Enough words for a chunk of its own. */
const prose = 'Calm words stand here and nobody minds them at all. '.repeat(60);

const files = {
  'apples.md': '# Apples\n\nApples are stored in the cellar through the winter.\n',
  'notes/curse.md': `# Quiet\n\n${prose}\n\n# Curse\n\nThis is unspeakable. ${prose}\n`,
  'pears.md': '# Pears\n\nPears are dried in the oven.\n',
};

/** A server of embeddings behind a guard that refuses calls with certain words. */
interface GuardedServer {
  readonly url: string;
  /** Words that are refused at the moment. */
  refuses: RegExp;
  /** Bodies of all calls so far. */
  readonly calls: string[];
  close(): Promise<void>;
}

async function startGuardedServer(behind: EmbeddingServer): Promise<GuardedServer> {
  const guard: GuardedServer = { url: '', refuses: /unspeakable/, calls: [], close: async () => undefined };
  const server = http.createServer(async (request, response) => {
    const body = await text(request);
    guard.calls.push(body);
    if (guard.refuses.test(body)) {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'Content policy: input is not allowed.' } }));
      return;
    }
    const answer = await fetch(new URL(request.url ?? '', behind.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(guard, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  });
}

let behind: EmbeddingServer;
let server: GuardedServer;
let folder: string;
let home: string;
const opened: Project[] = [];

beforeEach(async () => {
  behind = await startOpenAiServer({ model: 'test-embedding' });
  server = await startGuardedServer(behind);
  folder = await temporaryFolder(files);
  home = await temporaryFolder();
});

afterEach(async () => {
  for (const project of opened.splice(0)) await project.close();
  await server.close();
  await behind.close();
});

async function open(settings: Record<string, unknown> = {}): Promise<Project> {
  const project = await openProject(folder, {
    settings: {
      'embedder.driver': 'openai',
      'embedder.url': server.url,
      'embedder.model': 'test-embedding',
      ...settings,
    },
    environment: (name) =>
      ({ HOME: home, QUARRY_CACHE_FOLDER: join(home, 'cache'), QUARRY_RESOURCES_THREADS: '1' })[name],
  });
  opened.push(project);
  return project;
}

const refused = async (project: Project) => (await project.status()).refused;

const curse = {
  uri: 'notes/curse.md',
  place: { kind: 'lines', first: 5, last: 7 },
  reason: expect.stringContaining('Content policy: input is not allowed.'),
  space: expect.stringContaining('test-embedding'),
};

/** Settings by which documents are cut otherwise, into more chunks. */
const inCharacters = {
  'chunking.sizes': 'characters',
  'chunking.by_characters.size': 300,
  'chunking.by_characters.overlap': 0,
};

describe('a text that the model refuses', () => {
  test('is reported with its path, its lines and the reason, and stops no other', async () => {
    const event = failure(await indexEvents(await open()));
    expect(event).toMatchObject({
      error: { code: 'embedding-failed', message: expect.stringContaining('notes/curse.md:5-7: ') },
      pending: 1,
      refused: { total: 1, chunks: [curse] },
    });
  });

  test('is remembered by the index when the process has ended', async () => {
    const first = await open();
    await indexEvents(first);
    await first.close();
    expect(await refused(await open())).toEqual({ total: 1, chunks: [curse] });
  });

  test('is asked for once in a run, and again in the next', async () => {
    const project = await open();
    const askedAlone = () => server.calls.map((body) => JSON.parse(body).input).filter(isTheCurse).length;
    const isTheCurse = (input: string[]) => input.length === 1 && input[0]?.includes('unspeakable');
    await indexEvents(project);
    expect(askedAlone()).toBe(1);
    const calls = server.calls.length;
    await indexEvents(project);
    expect([askedAlone(), server.calls.length]).toEqual([2, calls + 1]);
    expect(await refused(project)).toMatchObject({ total: 1 });
  });

  test('keeps documents in their old cut, with their vectors, where most texts of the new one are refused', async () => {
    server.refuses = /nothing at all is refused/;
    const settings = { 'cache.max_bytes': 0 };
    const sentences = Array.from({ length: 90 }, (_, number) => `Calm words stand in sentence ${number}.`);
    await writeFile(join(folder, 'calm.md'), `# Calm\n\n${sentences.join(' ')}\n`);
    await indexEvents(await open(settings));
    server.refuses = /Calm/;
    const changed = await open({ ...settings, ...inCharacters });
    const emitted = (await indexEvents(changed)).find(({ type }) => type === 'documents-stale');
    expect(emitted).toMatchObject({ stale: 2, error: { code: 'embedding-failed' } });
    const { counts, stale } = await changed.status({ compare: false });
    expect({ stale, left: counts.chunks - counts.embedded }).toEqual({ stale: 2, left: 0 });
    server.refuses = /nothing at all is refused/;
    await indexEvents(changed);
    const after = await changed.status({ compare: false });
    expect(after.stale).toBe(0);
    expect(after.counts.embedded).toBe(after.counts.chunks);
    expect(after.counts.chunks).toBeGreaterThan(counts.chunks);
  });

  test('does not keep its document in the old cut for ever', async () => {
    server.refuses = /nothing at all is refused/;
    const settings = { 'cache.max_bytes': 0 };
    await indexEvents(await open(settings));
    server.refuses = /unspeakable/;
    const changed = await open({ ...settings, ...inCharacters });
    expect(failure(await indexEvents(changed))).toMatchObject({ pending: 1, refused: { total: 1 } });
    const { counts, stale } = await changed.status({ compare: false });
    expect({ stale, left: counts.chunks - counts.embedded }).toEqual({ stale: 0, left: 1 });
    expect(await refused(changed)).toMatchObject({ total: 1, chunks: [{ uri: 'notes/curse.md' }] });
  });

  test('is forgotten as soon as it has its vector', async () => {
    const project = await open();
    await indexEvents(project);
    server.refuses = /nothing at all is refused/;
    expect(failure(await indexEvents(project))).toBeUndefined();
    expect(await refused(project)).toEqual({ total: 0, chunks: [] });
    expect((await (await project.store()).state()).facts.get('refused-texts')).toBeUndefined();
  });

  test('is forgotten when it is changed in its file', async () => {
    const project = await open();
    await indexEvents(project);
    await writeFile(join(folder, 'notes/curse.md'), '# Curse\n\nThis can be said.\n');
    expect(failure(await indexEvents(project))).toBeUndefined();
    expect(await refused(project)).toEqual({ total: 0, chunks: [] });
  });

  test('is forgotten when its file is deleted', async () => {
    const project = await open();
    await indexEvents(project);
    await rm(join(folder, 'notes/curse.md'));
    await indexEvents(project);
    expect(await refused(project)).toEqual({ total: 0, chunks: [] });
  });

  test('is reported under the new path when its file is renamed', async () => {
    const project = await open();
    await indexEvents(project);
    await rename(join(folder, 'notes/curse.md'), join(folder, 'oath.md'));
    expect(failure(await indexEvents(project))).toMatchObject({ refused: { chunks: [{ uri: 'oath.md' }] } });
    expect(await refused(project)).toEqual({ total: 1, chunks: [{ ...curse, uri: 'oath.md' }] });
  });

  test('is found again when another ending of the file leaves its text as it was', async () => {
    const project = await open();
    await indexEvents(project);
    await rename(join(folder, 'notes/curse.md'), join(folder, 'notes/curse.markdown'));
    await indexEvents(project);
    expect(await refused(project)).toMatchObject({ total: 1, chunks: [{ uri: 'notes/curse.markdown' }] });
  });

  test('is reported with the lines where it stands now, though no run could ask for it again', async () => {
    const project = await open();
    await indexEvents(project);
    await writeFile(join(folder, 'notes/curse.md'), `\n\n\n\n${files['notes/curse.md']}`);
    behind.inject(...Array.from({ length: 4 }, () => ({ kind: 'key-refused' }) as const));
    server.refuses = /nothing at all is refused/;
    expect(failure(await indexEvents(project))).toMatchObject({ error: { code: 'provider-key' } });
    expect(await refused(project)).toMatchObject({ total: 1, chunks: [{ place: { first: 9, last: 11 } }] });
  });

  test('is no matter any more once another embedder is in use', async () => {
    await indexEvents(await open());
    const unset = { 'embedder.url': undefined, 'embedder.model': undefined };
    const other = await open({ 'embedder.driver': 'hashing', ...unset });
    expect(await refused(other)).toEqual({ total: 0, chunks: [] });
    await indexEvents(other);
    expect(await refused(other)).toEqual({ total: 0, chunks: [] });
  });

  test('does not keep the vectors of the embedder before for ever', async () => {
    const environment = (name: string) =>
      ({ HOME: home, QUARRY_CACHE_MAX_BYTES: '0', QUARRY_RESOURCES_THREADS: '1' })[name];
    const openWith = async (toml: string): Promise<Project> => {
      await writeFile(join(folder, 'quarry.toml'), toml);
      const project = await openProject(folder, { environment, consent: [server.url] });
      opened.push(project);
      return project;
    };
    await indexEvents(await openWith('[embedder]\ndriver = "hashing"\n'));
    const url = `url = "${server.url}"\nmodel = "test-embedding"\n`;
    const project = await openWith(`[embedder]\ndriver = "openai"\n${url}`);
    expect(failure(await indexEvents(project))).toMatchObject({ pending: 1, refused: { total: 1 } });
    const spaces = [...(await (await project.store()).state()).spaces.keys()];
    expect(spaces).toEqual([expect.stringContaining('test-embedding')]);
  });

  test('is reported for an embedder that is kept beside the one in use', async () => {
    const beside = { driver: 'openai', url: server.url, model: 'test-embedding' };
    const settings = { 'embedder.driver': 'hashing', embedders: { other: beside } };
    const project = await openProject(folder, {
      settings,
      environment: (name) =>
        ({ HOME: home, QUARRY_CACHE_FOLDER: join(home, 'cache'), QUARRY_RESOURCES_THREADS: '1' })[name],
    });
    opened.push(project);
    await indexEvents(project);
    expect(await refused(project)).toMatchObject({ total: 1, chunks: [curse] });
  });

  test('is reported when it was added without a file', async () => {
    const project = await open();
    const { warnings } = await project.add({ name: 'spell', text: 'An unspeakable spell.' });
    expect(warnings).toMatchObject([
      { code: 'embedding-failed', message: expect.stringContaining('virtual:spell:1: ') },
    ]);
    expect(await refused(project)).toMatchObject({ total: 1, chunks: [{ uri: 'virtual:spell' }] });
  });
});

test('many refused texts are all remembered, and an event names the first of them', async () => {
  const many = Array.from({ length: 30 }, (_, number) => number);
  for (const number of many)
    await writeFile(join(folder, `curse-${number}.md`), `# Curse ${number}\n\nAn unspeakable ${number}.\n`);
  const project = await open();
  const event = failure(await indexEvents(project));
  expect(event).toMatchObject({ pending: 31, refused: { total: 31 } });
  expect(event && 'refused' in event && event.refused?.chunks).toHaveLength(20);
  const { chunks, total } = await refused(project);
  expect(total).toBe(31);
  expect(new Set(chunks.map(({ uri }) => uri)).size).toBe(31);
});

test('a watch asks for a refused text when it starts, and not with each change of another file', async () => {
  const project = await open({ 'watch.interval_seconds': 0 });
  const watch = followWatch(project);
  await watch.next('pass-end');
  const asked = () => server.calls.filter((body) => body.includes('unspeakable')).length;
  const before = asked();
  expect(before).toBeGreaterThan(0);
  for (const number of [1, 2]) {
    await writeFile(join(folder, 'pears.md'), `# Pears\n\nPears are dried in the oven ${number} times.\n`);
    await watch.next('document-indexed', ({ uri }) => uri === 'pears.md');
    expect((await watch.next('pass-end')).summary.chunks).toMatchObject({ embedded: 1, pending: 1 });
  }
  await watch.stop();
  expect(asked()).toBe(before);
  expect(await refused(project)).toEqual({ total: 1, chunks: [curse] });
});

test('a search asks for no text once more that was refused, and finds it by its words', async () => {
  const project = await open();
  await indexEvents(project);
  const calls = server.calls.length;
  const run = searchOperation.run(project, searchOperation.input.parse({ query: 'unspeakable' }), {});
  let step = await run.next();
  while (!step.done) step = await run.next();
  expect(step.value.hits[0]).toMatchObject({ path: 'notes/curse.md' });
  // Nothing but the question.
  expect(server.calls.slice(calls).map((body) => JSON.parse(body).input)).toEqual([['unspeakable']]);
});

test('the command line tells refused texts while it indexes and in its status', async () => {
  const words = ['embedder.driver=openai', `embedder.url=${server.url}`, 'embedder.model=test-embedding'];
  const settings = words.flatMap((setting) => ['--set', setting]);
  const run = (...command: string[]) => callQuarry(folder, [...command, ...settings]);
  const place = 'notes/curse.md:5-7: ';
  const indexed = await run('index', '--json');
  const event = indexed.stdout.split('\n').find((line) => line.includes('"vectors-failed"')) ?? '{}';
  expect(JSON.parse(event)).toMatchObject({
    error: { code: 'embedding-failed' },
    refused: { total: 1, chunks: [{ uri: 'notes/curse.md', place: { first: 5, last: 7 } }] },
  });
  const again = await run('index');
  expect(again.code).toBe(5);
  expect(again.stderr).toContain(`refused ${place}`);
  const status = await run('status');
  expect(status.stdout).toContain('1 chunk could not be embedded; quarry index tries again:');
  expect(status.stdout).toContain(`refused ${place}`);
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({
    refused_count: 1,
    refused: [{ path: 'notes/curse.md', citation: 'notes/curse.md:5-7' }],
  });
});
