import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { entryOf, pageOf, rawClient } from '../fuzz/raw-client.fixture.ts';
import { startTestServer } from '../server.fixture.ts';

let running: Awaited<ReturnType<typeof startTestServer>>;
let id: string;
beforeAll(async () => {
  running = await startTestServer();
  const folder = await running.folder({
    'birds/heron.md': '# Heron\n\nWaits in the reeds.\n',
    'birds/stork.md': '# Stork\n\nNests on roofs.\n',
    'tool.ts': 'export const answer = 42;\n',
  });
  ({ id } = await running.client.openFolder(folder));
  await running.client.call(id, 'index', {});
});
afterAll(() => running.server.end());

const post = async (path: string, body: object) => {
  const answer = await fetch(running.url + path, { method: 'POST', body: JSON.stringify(body) });
  return { status: answer.status, data: (await answer.json()) as Record<string, never> };
};

test('jobs of a project that was forgotten do not show where it was', async () => {
  // Not below the home, which is shown to nobody else in any case.
  const folder = await temporaryFolder({ 'a.md': 'text' });
  const { id: forgotten } = await running.client.openFolder(folder);
  const { data } = await post(`/v1/projects/${forgotten}/status?background=yes`, {});
  const job = async () => (await fetch(`${running.url}/v1/jobs/${data.id}`)).text();
  await expect.poll(job).toContain('"state":"done"');
  await running.client.request('DELETE', `/v1/projects/${forgotten}`);
  expect(await job()).toContain(`"folder":"${forgotten}"`);
  expect(await job()).not.toContain(folder);
  expect(await (await fetch(`${running.url}/v1/jobs`)).text()).not.toContain(folder);
  expect(await (await fetch(`${running.url}/v1/jobs/${data.id}/events`)).text()).not.toContain(folder);
});

test('a list of jobs has short results alone, and each job by itself its own', async () => {
  const files = Array.from(
    { length: 200 },
    (_, turn) => [`a-long-name-of-a-note-${turn}.md`, 'text'] as const,
  );
  const { id: large } = await running.client.openFolder(await running.folder(Object.fromEntries(files)));
  await running.client.call(large, 'index', {});
  const resultOf = async (project: string): Promise<{ alone: unknown; listed: unknown }> => {
    const { data } = await post(`/v1/projects/${project}/manifest?background=yes`, {});
    const alone = async () => (await fetch(`${running.url}/v1/jobs/${data.id}`)).json();
    await expect.poll(alone).toMatchObject({ state: 'done' });
    const { jobs } = (await (await fetch(`${running.url}/v1/jobs`)).json()) as { jobs: { id: string }[] };
    return { alone: await alone(), listed: jobs.find((each) => each.id === data.id) };
  };
  const short = await resultOf(id);
  expect(short.listed).toEqual(short.alone);
  const long = await resultOf(large);
  expect(long.alone).toMatchObject({ state: 'done', result: expect.anything() });
  expect(long.listed).toMatchObject({ state: 'done' });
  expect(long.listed).not.toHaveProperty('result');
});

describe('chunks that a client has embedded', () => {
  const chunk = (path: string, text: string, embedding: number[]) => ({ path, text, embedding });

  test('are kept and found by an embedding; storing a path again replaces its chunks', async () => {
    const stored = await post('/frag/store', {
      project_id: 'vectors',
      model: 'mine/1',
      chunks: [
        { ...chunk('a.ts', 'function heron() {}', [1, 0, 0]), start_line: 7, metadata: { symbol: 'heron' } },
        chunk('a.ts', 'function stork() {}', [0, 1, 0]),
        chunk('b.md', 'reeds', [0, 0, 1]),
      ],
    });
    expect(stored).toMatchObject({ status: 200, data: { project: 'vectors', documents: 2, chunks: 3 } });
    const found = await post('/frag/search/embedding', {
      project_id: 'vectors',
      embedding: [0.9, 0.1, 0],
      top_k: 2,
    });
    expect(found.data.results).toMatchObject([
      { path: 'a.ts', text: 'function heron() {}', start_line: 7, metadata: { symbol: 'heron' } },
      { path: 'a.ts', text: 'function stork() {}' },
    ]);
    await post('/frag/store', {
      project: 'vectors',
      model: 'mine/1',
      chunks: [chunk('a.ts', 'empty', [0, 1, 0])],
    });
    const { data } = await post('/frag/search/embedding', {
      project: 'vectors',
      embedding: [1, 0, 0],
      filter: { paths: ['*.ts'] },
    });
    expect(data.results).toMatchObject([{ text: 'empty' }]);
    expect((await post('/search', { project: 'vectors', query: 'reeds' })).data.hits).toMatchObject([
      { path: 'b.md' },
    ]);
  });

  test.each([
    [
      'vectors of another length',
      { project: 'vectors', model: 'mine/1', chunks: [chunk('c', 'c', [1])] },
      422,
    ],
    ['numbers too large for a vector', { project: 'other', chunks: [chunk('c', 'c', [1e300])] }, 422],
    ['no project', { chunks: [chunk('c', 'c', [1])] }, 400],
    ['a name that leads elsewhere', { project: '../up', chunks: [chunk('c', 'c', [1])] }, 400],
    ['no chunks', { project: 'vectors', chunks: [] }, 400],
  ])('are refused with %s', async (_, body, status) => {
    expect((await post('/frag/store', body)).status).toBe(status);
  });

  test('of several models are searched only by name', async () => {
    for (const model of ['one', 'two'])
      await post('/frag/store', { project: 'models', model, chunks: [chunk(model, model, [1, 0])] });
    const { status, data } = await post('/frag/search/embedding', { project: 'models', embedding: [1, 0] });
    expect(status).toBe(400);
    expect(JSON.stringify(data)).toContain('one, two');
  });

  test('are not searched for more words, or a longer text, than a query has', async () => {
    await post('/frag/store', { project: 'words', chunks: [chunk('a', 'a', [1])] });
    const call = (name: string, ...given: unknown[]) =>
      post(`/v1/projects/words/indexes/index-1/${name}`, { arguments: given });
    const words = Array.from({ length: 50_000 }, (_, turn) => `a${turn}`);
    expect(await call('searchText', words, { limit: 5 })).toMatchObject({ status: 400 });
    const text = { text: 'a'.repeat(1_000_000), isRegex: false, ignoreCase: true };
    expect(await call('searchPattern', text, { limit: 5 })).toMatchObject({ status: 400 });
  });

  test('are kept in a project that was given a name alone, however often it is', async () => {
    const projects = { status: 201, data: { id: 'named' } };
    const stored = { status: 200, data: { project: 'named', chunks: 1 } };
    const store = (text: string) =>
      post('/frag/store', { project: 'named', chunks: [chunk(text, text, [1])] });
    expect(await post('/projects', { id: 'named' })).toMatchObject(projects);
    // Asked before anything has come, it is open as one that waits for files.
    expect(await post('/search', { project: 'named', query: 'reeds' })).toMatchObject({ status: 200 });
    expect(await store('reeds')).toMatchObject(stored);
    expect(await post('/projects', { id: 'named' })).toMatchObject(projects);
    expect(await store('roofs')).toMatchObject(stored);
    for (const query of ['reeds', 'roofs'])
      expect((await post('/search', { project: 'named', query })).data.hits).toMatchObject([{ path: query }]);
    // The same by the driver `remote`, which registers what it needs.
    await post('/projects', { id: 'by-driver' });
    expect(await post('/v1/projects', { id: 'by-driver', files: 'remote' })).toMatchObject({ status: 201 });
    expect(await post('/v1/projects/by-driver/indexes', {})).toMatchObject({ status: 200 });
  });

  test('are refused by a project that has received files', async () => {
    await running.receiver('files');
    const client = await rawClient(running.url);
    await client.start('files');
    const { entry, bytes } = entryOf('a.md', 'text');
    await client.ask(pageOf(entry));
    await client.batch(0, [{ file: 0, from: 0, bytes }]);
    await client.ask({ type: 'complete', files: 1, bytes: bytes.length });
    client.socket.terminate();
    expect(await post('/frag/store', { project: 'files', chunks: [chunk('c', 'c', [1])] })).toMatchObject({
      status: 400,
      data: { error: { message: expect.stringContaining('indexed by the server itself') } },
    });
  });

  test('are not mixed into a project that the server indexes itself', async () => {
    const { status } = await post('/frag/store', { project: id, chunks: [chunk('c', 'c', [1])] });
    expect(status).toBe(400);
  });
});

test('the dashboard gets counts by type, freshness, what changed last and the largest topics', async () => {
  const answer = await fetch(`${running.url}/api/dashboard/summary?use_rag=true&project=${id}`);
  expect(await answer.json()).toMatchObject({
    documents: 4,
    types: { doc: 2, code: 1 },
    synced_at: expect.any(String),
    changes: { added: 0, changed: 0, deleted: 0 },
    recent: expect.arrayContaining([expect.objectContaining({ path: 'birds/heron.md', type: 'doc' })]),
    topics: expect.arrayContaining([
      { folder: 'birds', documents: 2, chunks: 2, words: expect.arrayContaining(['heron', 'stork']) },
    ]),
  });
});

test('where things are on the server is shown to its user alone, also of a job that the user began', async () => {
  for (const operation of ['doctor', 'index']) {
    const path = `/v1/projects/${id}/${operation}`;
    const own = JSON.stringify(await running.client.request('POST', path, {}));
    if (operation === 'doctor') expect(own).toContain(running.home);
    const job = (await running.client.request('POST', `${path}?background=yes`, {})) as { id: string };
    const followed = await (await fetch(`${running.url}/v1/jobs/${job.id}/events`)).text();
    const ended = await (await fetch(`${running.url}/v1/jobs/${job.id}`)).text();
    const streamed = await fetch(running.url + path, {
      method: 'POST',
      headers: { accept: 'application/x-ndjson' },
      body: '{}',
    });
    for (const told of [followed, ended, await streamed.text(), (await post(path, {})).data]) {
      expect(JSON.stringify(told)).toMatch(/healthy|documents/);
      expect(JSON.stringify(told)).not.toContain(running.home);
    }
  }
});

test('folders of the user that are not below the home are not shown either', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'elsewhere-'));
  const variables: Record<string, string> = { HOME: running.home, QUARRY_CACHE_FOLDER: cache };
  const other = await startTestServer({ environment: (name) => variables[name] });
  try {
    const { id: own } = await other.client.openFolder(await other.folder({ 'a.md': 'text' }));
    const path = `/v1/projects/${own}/doctor`;
    expect(JSON.stringify(await other.client.request('POST', path, {}))).toContain(cache);
    const told = await (await fetch(other.url + path, { method: 'POST', body: '{}' })).text();
    expect(told).toContain('the cache folder');
    expect(told).not.toContain(cache);
  } finally {
    await other.server.end();
  }
});

test('an error says what the caller did, without the places of the server', async () => {
  const path = `/v1/projects/${id}/init`;
  await post(path, {});
  const own = await running.client.request('POST', path, {}).catch(String);
  expect(own).toContain(running.home);
  const streamed = await fetch(running.url + path, {
    method: 'POST',
    headers: { accept: 'application/x-ndjson' },
    body: '{}',
  });
  const { id: job } = (await post(`${path}?background=yes`, {})).data as unknown as { id: string };
  const followed = await (await fetch(`${running.url}/v1/jobs/${job}/events`)).text();
  const ended = await (await fetch(`${running.url}/v1/jobs/${job}`)).text();
  const listed = await (await fetch(`${running.url}/v1/jobs`)).text();
  for (const told of [(await post(path, {})).data, await streamed.text(), followed, ended, listed]) {
    expect(JSON.stringify(told)).toContain(`There is a ${id}/quarry.toml already.`);
    expect(JSON.stringify(told)).not.toContain(running.home);
  }
});

describe('a job over a WebSocket', () => {
  const start = async (operation: string, body: object) =>
    (await post(`/v1/projects/${id}/${operation}?background=yes`, body)).data as unknown as { id: string };
  const connect = (job: string, headers = {}) =>
    new WebSocket(`${running.url.replace('http', 'ws')}/v1/jobs/${job}/events`, { headers });

  test('tells its events and then its result, a frame a message', async () => {
    const job = await start('index', { full: true });
    const socket = connect(job.id);
    const frames: Record<string, { type?: string }>[] = [];
    socket.on('message', (data) => frames.push(JSON.parse(String(data))));
    const [code] = await once(socket, 'close');
    expect(code).toBe(1000);
    expect(frames.map(({ event }) => event?.type)).toContain('index-end');
    expect(frames.at(-1)).toMatchObject({ result: { failed: [] } });
  });

  test('is cancelled by a word, and by nothing else', async () => {
    const job = await start('watch', {});
    const rude = connect(job.id);
    await once(rude, 'open');
    rude.send('{"cancel":');
    expect((await once(rude, 'close'))[0]).toBe(1008);
    const socket = connect(job.id);
    await once(socket, 'open');
    socket.send('cancel');
    await once(socket, 'close');
    const ended = await (await fetch(`${running.url}/v1/jobs/${job.id}`)).json();
    expect(ended).toMatchObject({ state: 'cancelled' });
  });

  test('that is unknown opens no connection', async () => {
    const [, response] = await once(connect('none'), 'unexpected-response');
    expect(response.statusCode).toBe(404);
  });
});
