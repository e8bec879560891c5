import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { request as secureRequest } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { maxQueryLength } from '../../core/query.ts';
import { loadOperations } from '../../operations/catalogue.ts';
import { scopeOf } from '../../operations/permission.ts';
import { userConfigFolder } from '../../platform/environment.ts';
import { openTokens } from '../../user/tokens.ts';
import { accessTo, serveCommand } from './serve.ts';
import { startTestServer } from './server.fixture.ts';

type TestServer = Awaited<ReturnType<typeof startTestServer>>;
const tokensOf = ({ home }: TestServer) =>
  openTokens(userConfigFolder((name) => (name === 'HOME' ? home : undefined)));

describe('a caller that', () => {
  let running: TestServer;
  let id: string;
  beforeAll(async () => {
    running = await startTestServer({
      bounds: {
        headersTimeout: 300,
        requestTimeout: 600,
        connectionsCheckingInterval: 50,
        maxConnections: 5,
      },
      answersWithin: 300,
    });
    ({ id } = await running.client.openFolder(await running.folder({ 'a.md': 'heron' })));
    await running.client.call(id, 'index', {});
  });
  afterAll(() => running.server.end());

  const open = async (): Promise<Socket> => {
    const { hostname, port } = new URL(running.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  const answerOn = async (socket: Socket): Promise<string> => {
    let text = '';
    socket.on('data', (part) => (text += part));
    // A connection may be cut off by a reset, which is an error before it is closed.
    await new Promise((resolve) => socket.once('close', resolve));
    return text;
  };

  test('sends its headers byte by byte is cut off', async () => {
    const socket = await open();
    socket.write('GET /health HTTP/1.1\r\nhost: ');
    const drip = setInterval(() => socket.write('x'), 20);
    const answer = await answerOn(socket);
    clearInterval(drip);
    expect(answer === '' || answer.startsWith('HTTP/1.1 408')).toBe(true);
  });

  test('sends its body byte by byte is cut off', async () => {
    const socket = await open();
    socket.write(
      `POST /v1/projects/${id}/search HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100000\r\n\r\n`,
    );
    const drip = setInterval(() => socket.write('{'), 20);
    const answer = await answerOn(socket);
    clearInterval(drip);
    expect(answer).not.toContain('200 OK');
  });

  test('opens more connections than allowed gets no further one, and others are served again when it leaves', async () => {
    const held = await Promise.all(Array.from({ length: 12 }, open));
    const isClosed = (socket: Socket) => socket.destroyed || socket.readableEnded;
    for (const socket of held) socket.resume();
    await expect.poll(() => held.filter(isClosed).length).toBeGreaterThanOrEqual(7);
    for (const socket of held) socket.destroy();
    const status = async () => (await fetch(`${running.url}/health`)).status;
    await expect.poll(status).toBe(200);
  });

  test('asks with a query that is too long, or an address that is, is told so', async () => {
    const query = 'heron '.repeat(maxQueryLength / 6 + 1);
    const answer = await fetch(`${running.url}/v1/projects/${id}/search`, {
      method: 'POST',
      body: JSON.stringify({ query }),
    });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('query')]);
    expect((await fetch(`${running.url}/health?${'x'.repeat(100_000)}`)).status).toBe(431);
  });

  test('asks for work without end gets an answer all the same', async () => {
    const answer = await fetch(`${running.url}/v1/projects/${id}/watch`, { method: 'POST', body: '{}' });
    expect(await answer.json()).toMatchObject({ passes: expect.any(Number) });
    const quick = await startTestServer({ answersWithin: 0 });
    const { id: other } = await quick.client.openFolder(await quick.folder({ 'a.md': 'heron' }));
    const late = await fetch(`${quick.url}/v1/projects/${other}/search`, {
      method: 'POST',
      body: '{"query":"heron"}',
    });
    expect([late.status, await late.text()]).toEqual([408, expect.stringContaining('request-too-long')]);
    await quick.server.end();
    await expect.poll(() => running.client.request('GET', '/v1/engine')).toMatchObject({ is_busy: false });
  });

  test('is a page of another origin gets no permission, before or with its request', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const before = await fetch(`${running.url}/search`, { method: 'OPTIONS', headers });
    expect(before.status).toBe(403);
    const allowed = await fetch(`${running.url}/health`, { headers: { origin: running.url } });
    for (const answer of [before, allowed])
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(allowed.status).toBe(200);
  });
});

describe('a token', () => {
  let running: TestServer;
  beforeAll(async () => {
    running = await startTestServer({ isOpen: false, refusals: { perSecond: 1e6, burst: 1e6 } });
  });
  afterAll(() => running.server.end());

  test('is kept as a hash in a file of its owner alone, and compared in constant time with every other', async () => {
    const tokens = tokensOf(running);
    const made = await Promise.all(
      ['a', 'b', 'c'].map((name) => tokens.create({ name, project: 'docs', access: 'read' })),
    );
    const path = join(
      userConfigFolder((name) => (name === 'HOME' ? running.home : undefined)),
      'tokens.json',
    );
    const text = await readFile(path, 'utf8');
    for (const { token } of made) {
      expect(text).not.toContain(token);
      // The secret follows the id, and may hold any letter of its alphabet.
      expect(text).not.toContain(token.split('_').slice(2).join('_'));
    }
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const compared = vi.spyOn(crypto, 'timingSafeEqual');
    syncBuiltinESMExports();
    onTestFinished(() => {
      compared.mockRestore();
      syncBuiltinESMExports();
    });
    expect((await tokens.find(made[0]?.token ?? ''))?.name).toBe('a');
    expect(await tokens.find('quarry_none_none')).toBeUndefined();
    expect(compared).toHaveBeenCalledTimes(6);
  });

  test('allows what the effect of each operation says, on its own project alone', async () => {
    const tokens = tokensOf(running);
    const mine = (await running.client.openFolder(await running.folder({ 'a.md': 'mine' }))).id;
    const reader = await tokens.create({ name: 'reader', project: mine, access: 'read' });
    const writer = await tokens.create({ name: 'writer', project: mine, access: 'write' });
    for (const operation of await loadOperations()) {
      const status = async (token: string, project: string): Promise<number> => {
        const path = `/v1/projects/${project}/${operation.name.replaceAll(' ', '/')}`;
        const answer = await fetch(running.url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          // No operation takes this, so that none is performed.
          body: '{"no-such-field": true}',
        });
        return answer.status;
      };
      const scope = scopeOf(operation);
      const refused = scope === undefined ? 404 : 403;
      const seen = [await status(reader.token, mine), await status(writer.token, mine)];
      const expected = [
        scope === 'project:read' ? 400 : refused,
        scope === 'project:read' || scope === 'project:write' ? 400 : refused,
      ];
      expect([operation.name, ...seen]).toEqual([operation.name, ...expected]);
      expect([operation.name, await status(writer.token, 'other')]).toEqual([operation.name, refused]);
    }
  });

  test('to read makes no index of clients by asking for one', async () => {
    await running.client.request('POST', '/v1/projects', { id: 'kept', files: 'remote' });
    const { token } = await tokensOf(running).create({ name: 'reader', project: 'kept', access: 'read' });
    const ask = async (index: string): Promise<number> => {
      const answer = await fetch(`${running.url}/v1/projects/kept/indexes/${index}/paths`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: '{"arguments":[]}',
      });
      return answer.status;
    };
    expect([await ask('index-1'), await ask('index-7')]).toEqual([200, 400]);
    const listed = await running.client.request('POST', '/v1/projects/kept/indexes', {});
    expect(listed).toEqual({ current: 'index-1', names: ['index-1'] });
  });

  test('is needed for every route but those that tell nothing', async () => {
    const openRoutes = [
      'GET /health',
      'GET /ready',
      'GET /',
      'GET /icon.svg',
      'GET /assets/:name',
      'POST /v1/session',
      'DELETE /v1/session',
    ];
    for (const route of new Set(running.server.routes)) {
      const [method = '', path = ''] = route.split(' ');
      const answer = await fetch(running.url + path.replaceAll(/:\w+/g, 'x'), {
        method,
        ...(method === 'POST' && { body: '{}' }),
      });
      const isOpen = openRoutes.includes(route);
      expect([route, answer.status === 401]).toEqual([route, !isOpen || route === 'POST /v1/session']);
    }
  });
});

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.5', false],
  ['search.example.com', false],
  ['127.0.0.1.evil.example', false],
])(
  'a server at %s wants a token of everybody, and may be opened to all without one: %s',
  (host, mayBeOpen) => {
    const input = { host, port: 8001, allow_host: [], open: false };
    expect(accessTo(input).isOpen).toBe(false);
    const opened = () => accessTo({ ...input, open: true }).isOpen;
    if (mayBeOpen) expect(opened()).toBe(true);
    else expect(opened).toThrow(expect.objectContaining({ code: 'usage-invalid' }));
    const { host: defaultHost, port, open } = serveCommand.input.parse({});
    expect([defaultHost, port, open]).toEqual(['127.0.0.1', undefined, false]);
  },
);

test('a server with a certificate talks https, and refuses one that is none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=IP:127.0.0.1,DNS:localhost',
      '-keyout',
      key,
      '-out',
      cert,
    ],
    { stdio: 'ignore' },
  );
  const tls = { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') };
  const running = await startTestServer({ places: [{ host: '127.0.0.1', port: 0, tls }] });
  const [address = ''] = running.server.addresses;
  expect(address).toMatch(/^https:/);
  const outgoing = secureRequest(`${address}/health`, { ca: tls.cert });
  outgoing.end();
  const [incoming] = await once(outgoing, 'response');
  expect(incoming.statusCode).toBe(200);
  incoming.resume();
  await running.server.end();
  await expect(
    startTestServer({ places: [{ host: '127.0.0.1', port: 0, tls: { cert: 'none', key: 'none' } }] }),
  ).rejects.toMatchObject({ code: 'usage-invalid', remedy: expect.stringContaining('--tls-cert') });
});
