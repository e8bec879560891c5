import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { userConfigFolder } from '../../platform/environment.ts';
import { openTokens } from '../../user/tokens.ts';
import { createRefusalLog, type LogEntry } from './refusal-log.ts';
import { startTestServer } from './server.fixture.ts';

type TestServer = Awaited<ReturnType<typeof startTestServer>>;

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket.resume();
}

describe('callers without a token', () => {
  let running: TestServer;
  let token: string;
  beforeAll(async () => {
    running = await startTestServer({ isOpen: false, bounds: { maxStrangers: 10, headersTimeout: 60_000 } });
    const tokens = openTokens(userConfigFolder((name) => (name === 'HOME' ? running.home : undefined)));
    ({ token } = await tokens.create({ name: 'good', project: '*', access: 'write' }));
  });
  afterAll(() => running.server.end());

  test('of one address have only some of the connections, and those with a token do not count', async () => {
    const known = await Promise.all(Array.from({ length: 8 }, () => open(running.url)));
    for (const socket of known) {
      socket.write(`GET /v1/projects HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`);
      await once(socket, 'data');
    }
    const strangers = await Promise.all(Array.from({ length: 30 }, () => open(running.url)));
    await expect.poll(() => strangers.filter(({ closed }) => closed).length).toBe(20);
    expect(known.filter(({ destroyed }) => destroyed)).toEqual([]);
    for (const socket of strangers) socket.destroy();
    await expect.poll(async () => (await fetch(`${running.url}/health`)).status).toBe(200);
    for (const socket of known) socket.destroy();
  });

  test('keep nobody else out, who is let in by a token in place of the one that waits longest', async () => {
    const strangers = await Promise.all(Array.from({ length: 10 }, () => open(running.url)));
    const owner = await open(running.url);
    owner.write(`GET /v1/projects HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`);
    const [answer] = await once(owner, 'data');
    expect(String(answer)).toContain('200 OK');
    await expect.poll(() => strangers.map(({ closed }) => closed).indexOf(true)).toBe(0);
    for (const socket of [...strangers, owner]) socket.destroy();
    await expect.poll(async () => (await fetch(`${running.url}/health`)).status).toBe(200);
  });

  // Elsewhere loopback has but one address.
  test.runIf(process.platform === 'linux')(
    'of one machine are one caller, whichever address of loopback they call from',
    async () => {
      const { port } = new URL(running.url);
      const strangers = Array.from({ length: 30 }, (_, turn) =>
        connect({ port: Number(port), host: '127.0.0.1', localAddress: `127.0.0.${turn + 1}` })
          .on('error', () => undefined)
          .resume(),
      );
      // A connection of another test may still be there.
      await expect.poll(() => strangers.filter(({ closed }) => closed).length).toBeGreaterThanOrEqual(20);
      for (const socket of strangers) socket.destroy();
      await expect.poll(async () => (await fetch(`${running.url}/health`)).status).toBe(200);
    },
  );

  test('learn nothing of the build, and are refused by their host, whatever build they name', async () => {
    const headers = { 'quarry-build': 'other', host: 'elsewhere.example' };
    const answer = await new Promise<IncomingMessage>((resolve) => get(running.url, { headers }, resolve));
    expect(answer.resume().statusCode).toBe(403);
  });

  test('are asked to wait after some refusals, while a right token of the same address is let in', async () => {
    const status = async (given: string, path = '/v1/projects', body?: string) => {
      const headers = { authorization: `Bearer ${given}` };
      const answer = await fetch(running.url + path, {
        ...(body === undefined ? { headers } : { method: 'POST', body }),
      });
      await answer.arrayBuffer();
      return answer.status;
    };
    const seen: number[] = [];
    for (let turn = 0; turn < 120; turn += 1) seen.push(await status(`quarry_${turn}_wrong`));
    expect(new Set(seen)).toEqual(new Set([401, 429]));
    expect(seen.at(-1)).toBe(429);
    expect(await status('', '/v1/session', '{"key":"wrong"}')).toBe(429);
    expect(await status(token)).toBe(200);
    // Some lines, and a number for all others.
    expect(running.log.filter(({ status: written }) => written !== 200).length).toBeLessThanOrEqual(20);
    await running.server.end();
    expect(running.summedUp).toMatchObject([{ type: 'requests-refused', address: '127.0.0.1' }]);
  });
});

test('however many addresses are refused, the log has some lines and some sums', () => {
  const entries: LogEntry[] = [];
  const log = createRefusalLog((entry) => entries.push(entry));
  const refused = {
    type: 'request-answered',
    time: '',
    request: '',
    caller: 'refused',
    method: 'GET',
    route: '/',
    status: 401,
    seconds: 0,
  } as const;
  for (let turn = 0; turn < 5000; turn += 1) log.write(refused, `address ${turn}`);
  log.close();
  expect(entries.length).toBeLessThan(50);
  const sums = entries.map((entry) => ('requests' in entry ? entry.requests : 1));
  expect(sums.reduce((sum, requests) => sum + requests)).toBe(5000);
  log.close();
  expect(entries.at(-1)).toMatchObject({ address: 'other addresses' });
});
