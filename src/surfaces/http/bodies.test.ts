import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sample } from '../../../test/samples.ts';
import { startTestServer } from './server.fixture.ts';

type TestServer = Awaited<ReturnType<typeof startTestServer>>;
const mebibyte = 1024 * 1024;

/** A request of which only the beginning of its body is sent. */
async function hold(url: string, path: string, announced: number, sent: number): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: ${announced}\r\n\r\n`,
  );
  socket.write(Buffer.alloc(sent, ' '));
  return socket;
}

/** What came over a connection until its end. */
async function answerOn(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (part) => (text += part));
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

// Outside of CI fifty of them.
test('two hundred callers that hold 15 MB each before they are known take little memory, and others are answered', async () => {
  const child = fork(fileURLToPath(new URL('./flooded-server.fixture.ts', import.meta.url)));
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  const memory = async (): Promise<number> => {
    child.send('memory');
    const [answer] = (await once(child, 'message')) as [{ memory: number }];
    return answer.memory;
  };
  const before = await memory();
  for (const _ of sample(4, ['first', 'second', 'third', 'fourth'])) {
    const held = await Promise.all(
      Array.from({ length: 50 }, () => hold(url, '/v1/session', 16_000_000, 15_000_000)),
    );
    // On a connection of its own: one that has idled may be closed by the server in the moment of its next use.
    expect((await fetch(`${url}/health`, { headers: { connection: 'close' } })).status).toBe(200);
    expect((await memory()) - before).toBeLessThan(150 * mebibyte);
    await Promise.all(held.map(answerOn));
  }
  child.disconnect();
  await once(child, 'exit');
});

describe('a server', () => {
  let running: TestServer;
  const bodies = { total: mebibyte, caller: mebibyte / 2, looksEvery: 300 };
  beforeAll(async () => {
    running = await startTestServer({ bodies });
  });
  afterAll(() => running.server.end());
  const post = (path: string, body: string) => fetch(running.url + path, { method: 'POST', body });

  test('has a bound on all bodies of a caller, and takes more when those are answered', async () => {
    const quick = await startTestServer({ bodies: { ...bodies, looksEvery: 60_000 } });
    const held = await hold(quick.url, '/frag/store', mebibyte, 400 * 1024);
    const large = JSON.stringify({
      project: 'none',
      embedding: [1],
      filter: { paths: ['x'.repeat(200_000)] },
    });
    const ask = () => fetch(`${quick.url}/frag/search/embedding`, { method: 'POST', body: large });
    const metrics = async () => (await fetch(`${quick.url}/metrics`)).text();
    await expect.poll(metrics).toContain('quarry_request_body_bytes 409600');
    expect((await ask()).status).toBe(429);
    expect((await ask()).headers.get('retry-after')).toBe('1');
    held.destroy();
    await expect.poll(metrics).toContain('quarry_request_body_bytes 0');
    expect((await ask()).status).toBe(404);
    await quick.server.end();
  });

  test('cuts a body that comes too slowly', async () => {
    const socket = await hold(running.url, '/frag/store', mebibyte, 1000);
    const drip = setInterval(() => socket.write(' '), 20);
    const answer = await answerOn(socket);
    clearInterval(drip);
    expect(answer).not.toContain('200 OK');
    await expect
      .poll(() => running.log.at(-1))
      .toMatchObject({
        route: '/frag/store',
        status: 408,
        error: expect.stringContaining('request-too-long'),
      });
  });

  test('logs a body that is cut as what it is, without a stack', async () => {
    const socket = await hold(running.url, '/frag/store', mebibyte, 20_000);
    socket.destroy();
    await expect.poll(() => running.log.at(-1)).toMatchObject({ status: 499 });
    expect(running.log.at(-1)).not.toHaveProperty('stack');
  });

  test.each([
    // Of these nothing is parsed.
    ['empty lists', () => `{"query":[${'[],'.repeat(50_000)}[]]}`, [413]],
    ['unknown keys', () => `{${Array.from({ length: 50_000 }, (_, at) => `"${at}":0`).join(',')}}`, [413]],
    ['levels', () => `{"query":${'['.repeat(50_000)}`, [413]],
    ['a key', () => JSON.stringify({ ['x'.repeat(200_000)]: 1 }), [400, 415]],
    ['a name', () => JSON.stringify({ project: 'x'.repeat(200_000), query: 'x' }), [400, 404, 415]],
    ['many bad values', () => `{"query":"x","type":[${'0,'.repeat(9_000)}0]}`, [400, 415]],
  ])('gives a small answer to a large request of %s', async (_, body, statuses) => {
    for (const path of ['/search', '/frag/store', '/api/chat', '/mcp']) {
      const answer = await post(path, body());
      expect([path, statuses]).toEqual([path, expect.arrayContaining([answer.status])]);
      expect((await answer.text()).length).toBeLessThan(4000);
    }
  });

  test('answers a very long list of bad values by the first of them', async () => {
    const { server, url, client } = await startTestServer();
    await client.request('POST', '/v1/projects', { id: 'remote', files: 'remote' });
    const answer = await fetch(`${url}/v1/projects/remote/indexes/index-1/commit`, {
      method: 'POST',
      body: `{"arguments":[{"manifest":[${'{},'.repeat(300_000)}{}]}]}`,
    });
    expect([answer.status, (await answer.text()).length < 1000]).toEqual([400, true]);
    await server.end();
  });

  test.each(['{}', '[]', '7', 'true', '{"toString":1}'])('refuses a project that is %s', async (text) => {
    const value: unknown = JSON.parse(text);
    const bodies = [
      ['/search', { project_id: value, query: 'x' }],
      ['/search', { project: value, query: 'x' }],
      ['/api/chat', { project: value, message: 'x' }],
      ['/frag/store', { project: value, chunks: [{ path: 'a', text: 'a', embedding: [1] }] }],
      ['/frag/search/embedding', { project_id: value, embedding: [1] }],
      ['/v1/projects', { id: value }],
    ] as const;
    for (const [path, body] of bodies)
      expect([path, (await post(path, JSON.stringify(body))).status]).toEqual([path, 400]);
  });
});
