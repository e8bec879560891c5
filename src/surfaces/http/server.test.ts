import { once } from 'node:events';
import { realpath, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { connect as openSocket } from 'node:net';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../client/index.ts';
import type { EventData } from '../../core/events.ts';
import { openProject } from '../../project/open-project.ts';
import { startTestServer } from './server.fixture.ts';

type TestServer = Awaited<ReturnType<typeof startTestServer>>;

/** A request whose Host and Origin can be chosen. */
function ask(
  url: string,
  path: string,
  { method = 'GET', body, ...headers }: Record<string, string> = {},
): Promise<{ status: number; text: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, url), { method, headers, agent: false }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (part) => (text += part));
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, text, headers: incoming.headers }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

describe('a server', () => {
  let running: TestServer;
  let folder: string;
  let id: string;
  beforeAll(async () => {
    running = await startTestServer();
    folder = await running.folder({
      'lake.md': '# Lake\n\nThe heron waits in the reeds.\n',
      'hill.md': '# Hill\n\nGrass.\n',
    });
    ({ id } = await running.client.openFolder(folder));
  });
  afterAll(() => running.server.end());

  test('answers an operation as it is answered in process', async () => {
    const { result } = await running.client.call(id, 'search', { query: 'heron in the reeds' });
    const project = await openProject(folder);
    const own = await project.search('heron in the reeds');
    await project.close();
    const hits = (result as { hits: { chunk: string; relevance: number }[] }).hits;
    expect(hits.length).toBeGreaterThan(0);
    expect(hits.map(({ chunk, relevance }) => [chunk, relevance])).toEqual(
      own.hits.map(({ chunk, relevance }) => [chunk.id, relevance]),
    );
  });

  test('sends the events of an operation before its result', async () => {
    const events: EventData[] = [];
    const { exitCode } = await running.client.call(
      id,
      'index',
      { full: true },
      { onEvent: (event) => events.push(event) },
    );
    expect(exitCode).toBe(0);
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['scan-start', 'document-indexed', 'index-end']),
    );
  });

  test('gives errors with code and remedy, and the same status as the catalogue', async () => {
    await expect(running.client.call('nowhere', 'status', {})).rejects.toMatchObject({
      code: 'project-not-found',
    });
    await expect(running.client.call(id, 'search', { query: 'x', top_k: -1 })).rejects.toMatchObject({
      code: 'usage-invalid',
      message: expect.stringContaining('top_k'),
    });
    await expect(running.client.call(id, 'search', { query: ' ' })).rejects.toMatchObject({
      code: 'usage-invalid',
    });
    const { status } = await ask(running.url, '/v1/projects/nowhere/status', { method: 'POST', body: '{}' });
    expect(status).toBe(404);
  });

  test('wants a confirmation before it destroys', async () => {
    await expect(running.client.call(id, 'clean all', {})).rejects.toMatchObject({ code: 'usage-invalid' });
    const other = await running.folder({ 'a.md': 'text' });
    const opened = await running.client.openFolder(other);
    await running.client.call(opened.id, 'index', {});
    await expect(running.client.call(opened.id, 'clean all', {}, { confirmed: true })).resolves.toBeDefined();
  });

  test('offers no operation that takes paths of its machine', async () => {
    await expect(running.client.call(id, 'cache export', { file: '/tmp/x' })).rejects.toMatchObject({
      code: 'route-unknown',
    });
  });

  test('stops the work of a caller that leaves', async () => {
    const stop = new AbortController();
    const call = running.client.call(id, 'watch', {}, { signal: stop.signal, onEvent: () => stop.abort() });
    await expect(call).rejects.toMatchObject({ code: 'interrupted' });
    await expect.poll(() => running.client.request('GET', '/v1/engine')).toMatchObject({ is_busy: false });
  });

  test('works in the background: a job has progress, events, a result', async () => {
    const answer = await ask(running.url, `/projects/${id}/index`, {
      method: 'POST',
      body: '{"full": true}',
    });
    expect(answer.status).toBe(202);
    const job = JSON.parse(answer.text) as { id: string };
    const events = await ask(running.url, `/v1/jobs/${job.id}/events`);
    expect(events.text).toMatch(/event: event\ndata: .*index-end/);
    expect(events.text).toMatch(/event: result\ndata: /);
    const ended = JSON.parse((await ask(running.url, `/v1/jobs/${job.id}`)).text);
    expect(ended).toMatchObject({ state: 'done', operation: 'index', result: { failed: [] } });
  });

  test('cancels a job', async () => {
    const path = `/v1/projects/${id}/watch?background=yes`;
    const job = JSON.parse((await ask(running.url, path, { method: 'POST', body: '{}' })).text) as {
      id: string;
    };
    expect((await ask(running.url, `/v1/jobs/${job.id}`, { method: 'DELETE' })).status).toBe(202);
    await expect
      .poll(async () => JSON.parse((await ask(running.url, `/v1/jobs/${job.id}`)).text).state, {
        timeout: 20_000,
      })
      .toBe('cancelled');
  });

  test('keeps the names that other services use', async () => {
    const found = await ask(running.url, '/search', {
      method: 'POST',
      body: JSON.stringify({ project_id: id, query: 'heron', top_k: 1 }),
    });
    expect(JSON.parse(found.text).hits).toHaveLength(1);
    expect(JSON.parse((await ask(running.url, '/projects')).text).projects).toContainEqual(
      expect.objectContaining({ id }),
    );
    expect(JSON.parse((await ask(running.url, `/projects/${id}/status`)).text).documents).toBe(3);
  });

  test('describes itself: health, metrics, openapi', async () => {
    expect(JSON.parse((await ask(running.url, '/health')).text)).toMatchObject({ status: 'ok' });
    expect((await ask(running.url, '/metrics')).text).toMatch(
      /quarry_requests_total\{route="\/health",status="200"\} \d/,
    );
    const description = JSON.parse((await ask(running.url, '/openapi.json')).text);
    expect(Object.keys(description.paths)).toContain('/v1/projects/{project}/search');
    expect(Object.keys(description.paths)).not.toContain('/v1/projects/{project}/cache/export');
  });

  test('is asked with nothing but fetch', async () => {
    const { result } = await connect(running.url).call(id, 'status', {});
    expect(result).toMatchObject({ documents: 3 });
  });

  test('tells a caller that asks first to continue when its turn on the connection has come', async () => {
    const caller = openSocket(running.socket);
    let text = '';
    caller.setEncoding('utf8').on('data', (part) => (text += part));
    const body = '{"query":"heron"}';
    const head = `POST /v1/projects/${id}/search HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n`;
    caller.write(`${head}\r\n${body}${head}expect: 100-continue\r\nconnection: close\r\n\r\n`);
    await expect.poll(() => text).toMatch(/HTTP\/1\.1 100 Continue\r\n\r\n$/);
    caller.write(body);
    await once(caller, 'close');
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 100', 'HTTP/1.1 200']);
  });

  test('says nothing of that inside of an answer that was there before its turn', async () => {
    const caller = openSocket(running.socket);
    let text = '';
    caller.setEncoding('utf8').on('data', (part) => (text += part));
    const head = 'HTTP/1.1\r\nhost: localhost\r\n';
    const first = `POST /v1/projects/${id}/search ${head}content-length: 17\r\n\r\n{"query":"heron"}`;
    caller.write(`${first}GET /nowhere ${head}expect: 100-continue\r\nconnection: close\r\n\r\n`);
    await once(caller, 'close');
    expect(text.match(/HTTP\/1\.1 [2-5]\d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404']);
    expect(text.split('HTTP/1.1 404')[1]).not.toContain('HTTP/1.1');
  });

  test('reads no more requests of a connection than it has answers waiting, also where each asks whether to continue', async () => {
    const caller = openSocket(running.socket);
    caller.on('error', () => undefined).resume();
    const head = 'HTTP/1.1\r\nhost: localhost\r\n';
    const before = running.log.length;
    const answered = () => running.log.slice(before).filter(({ status }) => status === 404).length;
    // An answer that does not end, and what comes behind it.
    caller.write(
      `POST /v1/projects/${id}/watch ${head}accept: application/x-ndjson\r\ncontent-length: 2\r\n\r\n{}`,
    );
    caller.write(`GET /nowhere ${head}expect: 100-continue\r\n\r\n`.repeat(100_000));
    let previous = 0;
    const isAtRest = () => {
      const earlier = previous;
      previous = answered();
      return previous > 0 && previous === earlier;
    };
    await expect.poll(isAtRest, { interval: 500 }).toBe(true);
    expect(answered()).toBeLessThan(10_000);
    caller.destroy();
  });

  test('has a socket that only its user can open', async () => {
    expect((await stat(running.socket)).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['a Host that another name was bound to', { host: 'evil.example' }, 403],
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
    ['an opaque origin', { origin: 'null' }, 403],
    ['a token that is not valid', { authorization: 'Bearer quarry_1_abc' }, 401],
    ['a header that is no token', { authorization: 'Basic eDp5' }, 401],
    ['a compressed body', { method: 'POST', 'content-encoding': 'gzip', body: 'x' }, 400],
  ])('refuses %s', async (_, headers, status) => {
    const answer = await ask(running.url, `/v1/projects/${id}/status`, {
      method: 'POST',
      ...headers,
    } as never);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text).error.remedy).not.toBe('');
  });

  test('lets no caller from the network name a folder, stop it, or change what all projects share', async () => {
    const post = (path: string, body: object) =>
      ask(running.url, path, { method: 'POST', body: JSON.stringify(body) });
    expect((await post('/v1/projects', { folder: '/etc' })).status).toBe(403);
    expect((await post('/v1/engine/stop', {})).status).toBe(403);
    expect((await post(`/v1/projects/${id}/consent/give`, { address: 'https://evil.example' })).status).toBe(
      403,
    );
    expect((await ask(running.url, `/v1/projects/${id}`)).text).not.toContain(folder);
  });

  test('takes a folder by its whole path or below the home, never relative to its own', async () => {
    const register = (body: object) => running.client.request('POST', '/v1/projects', body);
    const refusal = { code: 'usage-invalid', remedy: expect.stringMatching(/^Type the whole path/) };
    for (const named of ['docs', './docs', '../docs', '~other/docs'])
      for (const body of [{ id: 'relative', folder: named }, { folder: named }])
        await expect(register(body)).rejects.toMatchObject(refusal);
    const below = `~/${basename(await running.folder({}))}`;
    expect(await register({ id: 'at-home', folder: below })).toMatchObject({
      folder: join(await realpath(running.home), basename(below)),
    });
    await running.client.request('DELETE', '/v1/projects/at-home');
  });

  test('hides paths and stacks of its own faults from the network, and logs them', async () => {
    const broken = await running.folder({ 'quarry.toml': 'nonsense = [' });
    const opened = await running.client.openFolder(broken);
    const answer = await ask(running.url, `/v1/projects/${opened.id}/status`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(409);
    expect(answer.text).not.toContain(broken);
    expect(running.log.at(-1)).toMatchObject({ status: 409, error: expect.stringContaining('quarry.toml') });
    expect(answer.text).not.toContain('quarry.toml');
  });

  test('refuses bodies that are too large, too deep or no JSON', async () => {
    const post = (body: string) => ask(running.url, `/v1/projects/${id}/search`, { method: 'POST', body });
    // The answer may be lost where the connection is cut while the caller still sends.
    const refusal = (answer: Promise<{ status: number }>) =>
      answer.then(
        ({ status }) => status,
        () => 'cut',
      );
    expect([413, 'cut']).toContain(await refusal(post('x'.repeat(17 * 1024 * 1024))));
    expect((await post(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`)).status).toBe(413);
    const chunked = { method: 'POST', 'transfer-encoding': 'chunked' };
    const flood = ask(running.url, `/v1/projects/${id}/search`, {
      ...chunked,
      body: 'x'.repeat(17 * 1024 * 1024),
    });
    expect([413, 'cut']).toContain(await refusal(flood));
    expect(running.log.filter(({ status }) => status === 413)).toHaveLength(3);
    const small = await ask(running.url, `/v1/projects/${id}/search`, {
      ...chunked,
      body: '{"query":"heron"}',
    });
    expect(small.status).toBe(200);
    expect((await post('[1]')).status).toBe(400);
    expect((await post('{')).status).toBe(400);
  });
});

describe('a server with tokens', () => {
  let running: TestServer;
  beforeAll(async () => {
    running = await startTestServer({ isOpen: false, rate: { perSecond: 0.001, burst: 40 } });
  });
  afterAll(() => running.server.end());

  test('gives each token its own project and access, and nothing without one', async () => {
    const { openTokens } = await import('../../user/tokens.ts');
    const { userConfigFolder } = await import('../../platform/environment.ts');
    const tokens = openTokens(userConfigFolder((name) => (name === 'HOME' ? running.home : undefined)));
    const mine = (await running.client.openFolder(await running.folder({ 'a.md': 'mine' }))).id;
    const other = (await running.client.openFolder(await running.folder({ 'b.md': 'other' }))).id;
    const reader = await tokens.create({ name: 'reader', project: mine, access: 'read' });
    const writer = await tokens.create({ name: 'writer', project: mine, access: 'write' });
    const status = async (token: string | undefined, project: string, operation: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return (
        await ask(running.url, `/v1/projects/${project}/${operation}`, {
          method: 'POST',
          body: '{}',
          ...headers,
        })
      ).status;
    };
    expect(await status(undefined, mine, 'status')).toBe(401);
    expect(await status(reader.token, mine, 'status')).toBe(200);
    expect(await status(reader.token, mine, 'index')).toBe(403);
    expect(await status(reader.token, other, 'status')).toBe(403);
    expect(await status(writer.token, mine, 'index')).toBe(200);
    expect(await status(writer.token, mine, 'cache/stats')).toBe(403);
    expect((await ask(running.url, '/health')).status).toBe(200);
    await tokens.revoke(reader.id);
    expect(await status(reader.token, mine, 'status')).toBe(401);
    expect(JSON.stringify(await tokens.list())).not.toContain(writer.token);
  });

  test('asks a caller that asks too often to wait', async () => {
    const statuses: number[] = [];
    for (let turn = 0; turn < 60; turn += 1) statuses.push((await ask(running.url, '/health')).status);
    expect(statuses).toContain(429);
  });
});
