import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSocketServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { createClient } from './client.ts';
import { frameMediaType } from './frames.ts';
import { socketTransport } from './socket-transport.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function clientOf(server: Server, patience: Parameters<typeof socketTransport>[1]) {
  servers.push(server);
  const socket = join(await temporaryFolder(), 'socket');
  await once(server.listen(socket), 'listening');
  return createClient(socketTransport(socket, patience));
}

test('sends nothing of a request but its headers to an engine that is silent', async () => {
  let received = '';
  const server = createSocketServer((socket) =>
    socket
      .on('error', () => undefined)
      .on('data', (part) => {
        received += String(part);
      }),
  );
  const client = await clientOf(server, { acknowledges: 500, speaks: 60_000 });
  const asked = client.call('project', 'token create', { name: 'secret name' });
  await expect(asked).rejects.toMatchObject({ code: 'server-silent', remedy: 'End it with: quarry stop' });
  expect(received).toContain('POST /v1/projects/project/token/create');
  expect(received).not.toContain('secret name');
});

test.each([
  ['before its answer begins', false],
  ['in the midst of its answer', true],
])('does not wait for ever for an engine that falls silent %s', async (_, begins) => {
  const server = createServer((_request, response) => {
    if (begins) response.writeHead(200, { 'content-type': frameMediaType }).write('\n');
  });
  const client = await clientOf(server, { acknowledges: 60_000, speaks: 500 });
  await expect(client.call('project', 'search', {})).rejects.toMatchObject({ code: 'answer-lost' });
});

test('takes a connection that breaks before the engine was there for one to nowhere', async () => {
  const client = await clientOf(
    createSocketServer((socket) => socket.destroy()),
    undefined,
  );
  await expect(client.call('project', 'search', {})).rejects.toMatchObject({ code: 'server-unreachable' });
});

test('skips what comes before the answer, wherever the bytes of it are cut', async () => {
  const body = '{"found":true}';
  const go = 'HTTP/1.1 100 Continue\r\n\r\n';
  const answer = Buffer.from(
    `${go}HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${go}` +
      `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
  let cut = 0;
  const server = createSocketServer((socket) => {
    socket.once('data', () => {
      const rest = () => socket.end(answer.subarray(cut));
      // The body shows that the first part was read, where that is enough to send it.
      if (cut >= go.length) socket.once('data', rest).write(answer.subarray(0, cut));
      else socket.write(answer.subarray(0, cut), rest);
    });
  });
  const client = await clientOf(server, undefined);
  for (; cut < answer.length; cut += 1)
    await expect(client.request('POST', '/x', { some: 'body' })).resolves.toEqual({ found: true });
});
