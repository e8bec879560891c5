import { once } from 'node:events';
import { request } from 'node:http';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { asQuarryError } from '../../core/errors.ts';
import { createPageSessions } from '../../engine/page-sessions.ts';
import { openTokens } from '../../user/tokens.ts';
import { type Listening, listen } from './listen.ts';
import { answerWithError } from './requests/answer.ts';
import { guard, loopbackHosts } from './requests/guard.ts';
import { createLiveRequests } from './requests/live-requests.ts';
import type { RequestContext, RequestOf } from './requests/request-context.ts';
import { answerWithSocket, maxMessageSize, talks } from './web-sockets.ts';

let now = 0;
const sessions = createPageSessions(() => now);
let listening: Listening;
let url: string;

beforeAll(async () => {
  const app = new Hono<RequestContext>();
  app.use(
    guard({
      tokens: openTokens(await temporaryFolder()),
      isOpen: true,
      live: createLiveRequests(),
      sessions,
      hosts: loopbackHosts,
      rate: { perSecond: 1000, burst: 1000 },
      refusals: { perSecond: 1000, burst: 1000 },
      fits: { build: '', environment: '' },
    }),
  );
  const echo = talks((c: RequestOf) =>
    answerWithSocket(c, (socket) =>
      socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })),
    ),
  );
  app.get('/echo', echo);
  app.get('/plain', (c) => c.text('plain'));
  app.onError((thrown, c) => answerWithError(c, asQuarryError(thrown)));
  listening = await listen(app, { host: '127.0.0.1', port: 0 });
  url = listening.address.replace('http', 'ws');
});
afterAll(() => listening.close());

/** How the server answers a request for a WebSocket that it does not open. */
async function refusal(path: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(url + path, { headers });
  const [, response] = await once(socket, 'unexpected-response');
  let text = '';
  for await (const part of response) text += part;
  return { status: response.statusCode as number, text };
}

test('a route talks over the connection that it opened', async () => {
  const socket = new WebSocket(`${url}/echo`);
  await once(socket, 'open');
  socket.send('heron');
  expect(String((await once(socket, 'message'))[0])).toBe('heron');
  socket.close();
  await once(socket, 'close');
});

test.each([
  ['of a page of another origin', { origin: 'https://evil.example' }, 403],
  ['with a Host that another name was bound to', { host: 'evil.example' }, 403],
  ['with a token that is not valid', { authorization: 'Bearer quarry_1_abc' }, 401],
])('a request %s is refused as any other, with the reason', async (_, headers, status) => {
  const answer = await refusal('/echo', headers as Record<string, string>);
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.text).error.remedy).not.toBe('');
});

test('a route that opens no connection gives its usual answer', async () => {
  expect(await refusal('/plain')).toEqual({ status: 200, text: 'plain' });
  expect((await refusal('/nowhere')).status).toBe(404);
});

test('a request without an upgrade is told how to ask, and one for another protocol is answered in this one', async () => {
  const plain = await fetch(`${listening.address}/echo`);
  expect(plain.status).toBe(400);
  expect(await plain.text()).toContain('WebSocket');
  const outgoing = request(`${listening.address}/plain`, {
    headers: { connection: 'upgrade', upgrade: 'h2c' },
    agent: false,
  });
  outgoing.end();
  const [incoming] = await once(outgoing, 'response');
  expect(incoming.statusCode).toBe(200);
  incoming.resume();
});

test('a message that is too large, or no text in UTF-8, ends that connection alone', async () => {
  const good = new WebSocket(`${url}/echo`);
  await once(good, 'open');
  const flood = new WebSocket(`${url}/echo`);
  await once(flood, 'open');
  flood.on('error', () => undefined);
  flood.send(new Uint8Array(maxMessageSize + 1));
  expect((await once(flood, 'close'))[0]).toBe(1009);
  const bad = new WebSocket(`${url}/echo`);
  await once(bad, 'open');
  bad.send(Buffer.from([0xff, 0xfe, 0x80]), { binary: false });
  expect((await once(bad, 'close'))[0]).toBe(1007);
  good.send('still here');
  expect(String((await once(good, 'message'))[0])).toBe('still here');
  good.terminate();
});

test('the connection of a session that has run out is cut', async () => {
  const token = sessions.admit(sessions.invite()) ?? '';
  const socket = new WebSocket(`${url}/echo`, { headers: { authorization: `Bearer ${token}` } });
  await once(socket, 'open');
  const closed = once(socket, 'close');
  now += 13 * 60 * 60_000;
  expect((await closed)[0]).toBe(1006);
});

test('a server that ends says goodbye', async () => {
  const app = new Hono<RequestContext>();
  const silent = talks((c: RequestOf) => answerWithSocket(c, () => undefined));
  app.get('/', silent);
  const other = await listen(app, { host: '127.0.0.1', port: 0 });
  const socket = new WebSocket(other.address);
  await once(socket, 'open');
  const closed = once(socket, 'close');
  await other.close();
  expect((await closed)[0]).toBe(1001);
});
