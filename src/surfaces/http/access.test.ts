import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect as connectTo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { connect } from '../../client/index.ts';
import { userConfigFolder } from '../../platform/environment.ts';
import { streamPath } from '../../streaming/protocol.ts';
import { makeToken, openTokens } from '../../user/tokens.ts';
import { createLaptop } from './file-agent/file-agent.fixture.ts';
import { startTestServer } from './server.fixture.ts';

type TestServer = Awaited<ReturnType<typeof startTestServer>>;

const tokensOf = ({ home }: TestServer) =>
  openTokens(userConfigFolder((name) => (name === 'HOME' ? home : undefined)));

/** A project with one file, indexed. */
async function projectOf(running: TestServer): Promise<string> {
  const { id } = await running.client.openFolder(await running.folder({ 'a.md': 'The heron waits.\n' }));
  await running.client.call(id, 'index', {});
  return id;
}

/** The token of a page that the owner has opened. */
async function sessionOf({ client, url }: TestServer): Promise<string> {
  const { key } = (await client.request('POST', '/v1/engine/page', {})) as { key: string };
  return ((await connect(url).request('POST', '/v1/session', { key })) as { token: string }).token;
}

const asBearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('a server that was not opened to all', () => {
  const { token: ownToken, ...ownRecord } = makeToken({ name: 'serve', project: '*', access: 'write' });
  let running: TestServer;
  let id: string;
  beforeAll(async () => {
    running = await startTestServer({ isOpen: false, token: ownRecord, maxUnread: 2 ** 20 });
    id = await projectOf(running);
  });
  afterAll(() => running.server.end());

  const post = (path: string, headers: Record<string, string>, body: object = {}) =>
    fetch(running.url + path, { method: 'POST', headers, body: JSON.stringify(body) });

  // A second user needs the rights of root to be one.
  test.skipIf(process.getuid?.() !== 0)('shows another user of the machine an empty page alone', async () => {
    // As `quarry ui` leaves it: a page is open, and its port is there for every user.
    await sessionOf(running);
    const asked = [
      ['GET', '/'],
      ['GET', '/health'],
      ['GET', '/v1/projects'],
      ['GET', '/openapi.json'],
      ['GET', '/metrics'],
      ['GET', '/v1/jobs'],
      ['POST', `/v1/projects/${id}/read`, '{"path":"a.md"}'],
      ['POST', `/v1/projects/${id}/clean`, '{}'],
      ['POST', `/v1/projects/${id}/init`, '{}'],
      ['POST', '/search', JSON.stringify({ project: id, query: 'heron' })],
      ['POST', '/mcp', '{}'],
      ['POST', '/v1/engine/page', '{}'],
    ];
    // What every user may run, whatever may be read of this program.
    const curl = async ([method = '', path = '', body]: readonly string[]) => {
      const words = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '-X', method, running.url + path];
      const run = promisify(execFile);
      const { stdout } = await run('curl', [...words, ...(body ? ['-d', body] : [])], {
        uid: 65_534,
        gid: 65_534,
        cwd: '/',
      });
      return `${method} ${path} ${stdout}`;
    };
    const seen = await Promise.all(asked.map(curl));
    const isRefused = (line: string) => line.endsWith(' 401');
    expect(seen.filter((line) => !isRefused(line))).toEqual([
      expect.stringMatching(/^GET \/ (200|404)$/),
      'GET /health 200',
    ]);
  });

  test('takes the token that was made for its run, which allows projects and nothing beyond', async () => {
    expect((await post(`/v1/projects/${id}/status`, asBearer(ownToken))).status).toBe(200);
    expect((await post(`/v1/projects/${id}/index`, asBearer(ownToken))).status).toBe(200);
    expect((await post(`/v1/projects/${id}/cache/stats`, asBearer(ownToken))).status).toBe(403);
    expect(await tokensOf(running).list()).toEqual([]);
    expect(JSON.stringify(running.log)).not.toContain(ownToken);
  });

  test('does what reaches beyond a project for no token but one that was made for administration', async () => {
    const tokens = tokensOf(running);
    const writer = await tokens.create({ name: 'writer', project: '*', access: 'write' });
    const admin = await tokens.create({ name: 'admin', project: '*', access: 'admin' });
    const beyond = [
      ['consent/give', { address: 'https://evil.example' }],
      ['consent/give', { address: 'https://evil.example', everywhere: true }],
      ['consent/withdraw', {}],
      ['consent/list', {}],
      ['cache/clear?confirm=yes', {}],
      ['cache/stats', {}],
      ['model/remove?confirm=yes', { name: 'none' }],
      ['model/list', {}],
      ['token/list', {}],
    ] as const;
    for (const [path, body] of beyond) {
      const answer = await post(`/v1/projects/${id}/${path}`, asBearer(writer.token), body);
      const { error } = (await answer.json()) as { error: object };
      expect([path, answer.status, error]).toMatchObject([
        path,
        403,
        { code: 'access-denied', remedy: expect.stringContaining('--admin') },
      ]);
    }
    const { result } = await running.client.call(id, 'consent list', {});
    expect(result).toMatchObject({ consents: [] });
    const administer = (path: string) => post(`/v1/projects/${id}/${path}`, asBearer(admin.token));
    for (const path of ['cache/stats', 'consent/list', 'model/list', 'status', 'index'])
      expect([path, (await administer(path)).status]).toEqual([path, 200]);
    // No token makes another.
    expect((await post(`/v1/projects/${id}/token/create`, asBearer(admin.token), { name: 'x' })).status).toBe(
      403,
    );
    // The owner has registered a folder, a client its own project.
    const forget = async (name: string) =>
      (
        await fetch(`${running.url}/v1/projects/${name}`, {
          method: 'DELETE',
          headers: asBearer(writer.token),
        })
      ).status;
    await running.receiver('sent');
    expect([await forget(id), await forget('sent')]).toEqual([403, 204]);
    const models = await post('/mcp', asBearer(writer.token), {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
    });
    expect(await models.text()).not.toMatch(/consent|cache|model_/);
  });

  test('shows and ends a job of what reaches beyond a project for those alone who may do that', async () => {
    const tokens = tokensOf(running);
    const reader = await tokens.create({ name: 'reader', project: id, access: 'read' });
    const writer = await tokens.create({ name: 'writer', project: id, access: 'write' });
    const admin = await tokens.create({ name: 'admin', project: '*', access: 'admin' });
    const begun = await running.client.request('POST', `/v1/projects/${id}/token/list?background=yes`, {});
    const { id: job } = begun as { id: string };
    const ask = async ({ token }: { readonly token: string }, path: string, method = 'GET') => {
      const answer = await fetch(running.url + path, { method, headers: asBearer(token) });
      return { status: answer.status, text: await answer.text() };
    };
    await expect.poll(async () => (await ask(admin, `/v1/jobs/${job}`)).text).toContain('"state":"done"');
    expect((await ask(admin, '/v1/jobs')).text).toContain(job);
    for (const caller of [reader, writer]) {
      expect((await ask(caller, '/v1/jobs')).text).not.toContain(job);
      for (const path of [`/v1/jobs/${job}`, `/v1/jobs/${job}/events`])
        expect([path, (await ask(caller, path)).status]).toEqual([path, 404]);
      expect((await ask(caller, `/v1/jobs/${job}`, 'DELETE')).status).toBe(404);
    }
    // What the owner decides is shown to no token.
    const settings = `/v1/projects/${id}/config/set?background=yes`;
    const owned = await running.client.request('POST', settings, {
      changes: ['search.top_k=7'],
      preview: true,
    });
    expect((await ask(admin, `/v1/jobs/${(owned as { id: string }).id}`)).status).toBe(404);
  });

  test('does not tell where a project is by the way to a path that is none of it', async () => {
    for (const path of ['/nowhere/x', join(running.home, 'x')]) {
      const answer = await post(`/v1/projects/${id}/read`, asBearer(ownToken), { path });
      expect(answer.status).toBe(403);
      const text = await answer.text();
      expect(text).not.toContain('..');
      expect(text).not.toContain(running.home);
    }
  });

  test('makes no further answers for a caller that does not read those it has', async () => {
    const { hostname, port } = new URL(running.url);
    const ask = async () =>
      (await fetch(`${running.url}/v1/projects`, { headers: asBearer(ownToken) })).status;
    const connections = Array.from({ length: 8 }, () =>
      connectTo(Number(port), hostname)
        .pause()
        .on('error', () => undefined),
    );
    const request = `GET /openapi.json HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${ownToken}\r\n\r\n`;
    for (const connection of connections) connection.write(request.repeat(100));
    await expect.poll(ask, { timeout: 60_000 }).toBe(429);
    for (const connection of connections) connection.destroy();
    await expect.poll(ask, { timeout: 60_000 }).toBe(200);
  }, 130_000);

  test('closes the WebSocket of a token that is revoked, whose further messages change nothing', async () => {
    await running.receiver('notes');
    const laptop = await createLaptop(running.home, {
      'lake.md': 'The heron waits.\n',
      'hill.md': 'Grass.\n',
    });
    await laptop.push(running.url, { server: { url: running.url, token: ownToken } });
    const documents = async () => (await running.client.call('notes', 'status', {})).result;
    expect(await documents()).toMatchObject({ documents: 2 });
    const { token, id: tokenId } = await tokensOf(running).create({
      name: 'laptop',
      project: 'notes',
      access: 'write',
    });
    const socket = new WebSocket(running.url.replace('http', 'ws') + streamPath, {
      headers: asBearer(token),
    });
    socket.on('error', () => undefined);
    await once(socket, 'open');
    const closed = once(socket, 'close');
    const say = (message: object) => socket.send(JSON.stringify(message));
    say({ type: 'start', protocol: 1, project: 'notes', client: 'test', base: '' });
    const said: { type: string }[] = [JSON.parse(String((await once(socket, 'message'))[0]))];
    socket.on('message', (data) => said.push(JSON.parse(String(data))));
    expect(said).toEqual([expect.objectContaining({ type: 'started' })]);
    await running.client.call('notes', 'token revoke', { id: tokenId }, { confirmed: true });
    // In the moment before it is cut: these are all files, and there is none.
    say({ type: 'complete', files: 0, bytes: 0 });
    await closed;
    expect(said.slice(1).filter(({ type }) => type !== 'error')).toEqual([]);
    expect(await documents()).toMatchObject({ documents: 2 });
    const again = await laptop.push(running.url, { server: { url: running.url, token: ownToken } });
    expect(again.stats).toMatchObject({ files: 2, added: 0 });
  });

  test.each(['a stream of events', 'an answer that is no stream'])(
    'ends %s of a token that is revoked',
    async (kind) => {
      const { token, id: tokenId } = await tokensOf(running).create({
        name: kind,
        project: '*',
        access: 'write',
      });
      const isStream = kind === 'a stream of events';
      const answer = fetch(`${running.url}/v1/projects/${id}/watch`, {
        method: 'POST',
        headers: { ...asBearer(token), accept: isStream ? 'application/x-ndjson' : 'application/json' },
        body: '{}',
      }).then((response) => response.text());
      // Whether it is cut before or after this is heard of.
      answer.catch(() => undefined);
      await expect.poll(() => running.client.request('GET', '/v1/engine')).toMatchObject({ is_busy: true });
      await tokensOf(running).revoke(tokenId);
      await expect(answer).rejects.toThrow();
      await expect.poll(() => running.client.request('GET', '/v1/engine')).toMatchObject({ is_busy: false });
    },
  );

  test('ends a session by its own request, with what it has under way', async () => {
    const [token, other] = [await sessionOf(running), await sessionOf(running)];
    const engine = async (bearer: string) =>
      (await fetch(`${running.url}/v1/engine`, { headers: asBearer(bearer) })).status;
    const watching = fetch(`${running.url}/v1/projects/${id}/watch`, {
      method: 'POST',
      headers: { ...asBearer(token), accept: 'application/x-ndjson' },
      body: '{}',
    }).then((response) => response.text());
    watching.catch(() => undefined);
    await expect.poll(() => engine(token)).toBe(200);
    const left = await fetch(`${running.url}/v1/session`, { method: 'DELETE', headers: asBearer(token) });
    expect(left.status).toBe(204);
    await expect(watching).rejects.toThrow();
    expect([await engine(token), await engine(other)]).toEqual([401, 200]);
  });
});

describe('a request that a page of another site causes', () => {
  let running: TestServer;
  beforeAll(async () => {
    running = await startTestServer();
    await projectOf(running);
  });
  afterAll(() => running.server.end());
  const status = async (path: string, site: string, mode: string, dest: string) => {
    const { hostname, port } = new URL(running.url);
    const { request } = await import('node:http');
    const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest };
    const outgoing = request({ hostname, port, path, headers, agent: false }).end();
    const [incoming] = await once(outgoing, 'response');
    incoming.resume();
    return incoming.statusCode as number;
  };

  test.each(['cross-site', 'same-site', ''])('is refused, though it names no origin (%s)', async (site) => {
    for (const path of ['/api/dashboard/summary?use_rag=true', '/v1/projects', '/health'])
      expect([path, await status(path, site, 'no-cors', 'image')]).toEqual([path, 403]);
    // A page that is opened by a link there would be read by nobody, but its work would be done.
    expect(await status('/v1/projects', site, 'navigate', 'document')).toBe(403);
    expect(await status('/', site, 'navigate', 'iframe')).toBe(403);
  });

  test('may be a link to the page, which tells nothing', async () => {
    expect(await status('/health', 'cross-site', 'navigate', 'document')).toBe(200);
    expect([200, 404]).toContain(await status('/', 'cross-site', 'navigate', 'document'));
  });

  test.each(['same-origin', 'none'])('is not what a browser calls %s', async (site) => {
    expect(await status('/v1/projects', site, 'cors', 'empty')).toBe(200);
  });
});
