import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '../../client/index.ts';
import { startTestServer } from './server.fixture.ts';

test('a server that ends lets go of everything: its socket, its port, its projects', async () => {
  const running = await startTestServer();
  const { id } = await running.client.openFolder(await running.folder({ 'a.md': 'text' }));
  await running.client.call(id, 'index', {});
  await running.client.request('POST', '/v1/engine/stop', {});
  await running.server.ended;
  await expect(running.client.request('GET', '/health')).rejects.toMatchObject({
    code: 'server-unreachable',
  });
  await expect(connect(running.url).request('GET', '/health')).rejects.toMatchObject({
    code: 'server-unreachable',
  });
});

test('a server ends by itself when nobody finds it any more: its folder is gone, or another one has its place', async () => {
  const running = await startTestServer();
  const homes = [join(running.home, 'one'), join(running.home, 'other')] as const;
  const start = (home: string) =>
    startTestServer({ places: [{ socket: join(home, 'run', 'socket') }] }, home);
  const [removed, replaced] = [await start(homes[0]), await start(homes[1])];
  const { id } = await removed.client.openFolder(await removed.folder({ 'a.md': 'text' }));
  await removed.client.call(id, 'index', {});
  await rm(homes[0], { recursive: true });
  const next = await start(homes[1]);
  await rm(dirname(running.socket), { recursive: true });
  await Promise.all([removed.server.ended, replaced.server.ended]);
  expect([removed, replaced, next].map(({ server }) => server.isLost)).toEqual([true, true, false]);
  // One that listens on a port too is found there.
  expect((await fetch(`${running.url}/health`)).status).toBe(200);
  await Promise.all([next.server.end(), running.server.end()]);
});

test('a request for a WebSocket where there is none is answered as any other, and its work ends with its caller', async () => {
  const running = await startTestServer();
  const { id } = await running.client.openFolder(await running.folder({ 'a.md': 'text' }));
  const { hostname, port } = new URL(running.url);
  const busy = () => running.client.request('GET', '/v1/engine');
  const callers = Array.from({ length: 10 }, () => {
    const outgoing = request({
      hostname,
      port,
      method: 'POST',
      path: `/v1/projects/${id}/watch`,
      headers: { connection: 'upgrade', upgrade: 'websocket', accept: 'application/x-ndjson' },
      agent: false,
    });
    outgoing.on('error', () => undefined);
    outgoing.end('{}');
    return outgoing;
  });
  await Promise.all(callers.map((outgoing) => once(outgoing, 'response')));
  expect(await busy()).toMatchObject({ is_busy: true });
  for (const outgoing of callers) outgoing.destroy();
  await expect.poll(busy).toMatchObject({ is_busy: false });
  await running.server.end();
});
