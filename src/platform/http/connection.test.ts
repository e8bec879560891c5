import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startOpenAiServer } from '../../../test/servers/embedding/openai-server.ts';
import { connect } from './connection.ts';

let server: Server;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

async function listening(listener: RequestListener): Promise<URL> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/base/?version=1`);
}

const call = { method: 'GET', path: '/info', headers: {}, maxBytes: 1000 } as const;

test('keeps what stands before and behind the path in the settings', async () => {
  const address = await listening((request, response) => response.end(request.url));
  const { body } = await connect(address, 5, 'embedder').send(call);
  expect(body.toString()).toBe('/base/info?version=1');
});

test('uses one connection for calls that follow each other', async () => {
  const address = await listening((_, response) => response.end('ok'));
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const connection = connect(address, 5, 'embedder');
  for (let turn = 0; turn < 4; turn += 1) await connection.send(call);
  expect(connections).toBe(1);
});

test('reads no answer that announces more than it may have', async () => {
  const address = await listening((_, response) => {
    response.writeHead(200, { 'content-length': '1001' });
    response.write('x');
  });
  await expect(connect(address, 5, 'embedder').send(call)).rejects.toMatchObject({
    code: 'provider-refused',
    message: expect.stringContaining('more than 1000 bytes'),
  });
});

test('reads an answer of exactly the longest size, announced or not', async () => {
  const address = await listening((request, response) => {
    if (request.method === 'POST') response.setHeader('content-length', '1000');
    response.write('x'.repeat(600));
    response.end('y'.repeat(400));
  });
  const connection = connect(address, 5, 'embedder');
  expect((await connection.send(call)).body).toHaveLength(1000);
  expect((await connection.send({ ...call, method: 'POST', body: 'z' })).body).toHaveLength(1000);
});

test('sends text as UTF-8 with its length in bytes', async () => {
  const address = await listening((request, response) => {
    request.pipe(response.setHeader('x-length', request.headers['content-length'] ?? ''));
  });
  const { headers, body } = await connect(address, 5, 'embedder').send({
    ...call,
    method: 'POST',
    body: 'naïve 🙂',
  });
  expect(headers['x-length']).toBe('11');
  expect(body.toString()).toBe('naïve 🙂');
});

test('lets the process end although its connections stay open', async () => {
  const embeddings = await startOpenAiServer();
  const driverUrl = new URL('../../drivers/embedders/openai.ts', import.meta.url).href;
  const program = `
    const { default: driver } = await import(${JSON.stringify(driverUrl)});
    const options = driver.options.parse({ url: ${JSON.stringify(embeddings.url)}, model: 'test-embedding' });
    const context = { environment: () => undefined, requireConsent: async () => {} };
    const embedder = await driver.open(options, context);
    const [vector] = await embedder.embed(['text'], { as: 'query' });
    process.stdout.write(String(vector.length));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  let output = '';
  child.stdout.on('data', (part) => {
    output += part;
  });
  const [code] = await once(child, 'close');
  expect({ code, output }).toEqual({ code: 0, output: '96' });
  await embeddings.close();
});
