import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createClient } from '../../client/client.ts';
import { socketTransport } from '../../client/socket-transport.ts';
import { startTestServer } from './server.fixture.ts';

test('every answer has an id that the log has too, and the log holds nothing of what was asked', async () => {
  const running = await startTestServer();
  const { id } = await running.client.openFolder(await running.folder({ 'a.md': 'heron in the reeds' }));
  const ask = (path: string, body: string) => fetch(running.url + path, { method: 'POST', body });
  const answers = [
    await fetch(`${running.url}/health`),
    await ask(`/v1/projects/${id}/search`, '{"query":"secret heron"}'),
    await ask(`/v1/projects/${id}/search`, '{"query":'),
    await ask('/nowhere/secret-path', '{}'),
    await ask('/v1/projects/secret-project/status', '{}'),
    await ask('/search', '{"project":"secret-project","query":"x"}'),
    await ask(`/v1/projects/${id}/search`, '{"query":"x","secret-key":1}'),
    await ask(`/v1/projects/${id}/read`, '{"path":"secret/file.md"}'),
    await ask(`/v1/projects/${id}/secret-operation`, '{}'),
    await fetch(`${running.url}/v1/jobs/secret-job`),
  ];
  const ids = answers.map(({ headers }) => headers.get('quarry-request'));
  expect(new Set(ids).size).toBe(10);
  const entries = ids.map((name) => running.log.find(({ request }) => request === name));
  expect(entries.map((entry) => entry?.status).slice(4)).toEqual([404, 404, 400, 404, 404, 404]);
  expect(entries.slice(0, 4).map((entry) => [entry?.route, entry?.status])).toEqual([
    ['/health', 200],
    ['/v1/projects/:project/search', 200],
    ['/v1/projects/:project/search', 400],
    ['unknown', 404],
  ]);
  for (const entry of entries)
    expect(entry).toMatchObject({ time: expect.stringMatching(/^20.*Z$/), seconds: expect.any(Number) });
  expect(JSON.stringify(running.log)).not.toMatch(/secret|reeds/);
  await running.server.end();
});

test('the metrics are the text format of Prometheus, and count what happened', async () => {
  const running = await startTestServer();
  for (let turn = 0; turn < 3; turn += 1) await fetch(`${running.url}/health`);
  await fetch(`${running.url}/nowhere`);
  const answer = await fetch(`${running.url}/metrics`);
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  const text = await answer.text();
  const line = /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z_]+="[^"\n]*",?)+\})? -?[\d.e+-]+)$/;
  for (const written of text.trimEnd().split('\n')) expect(written).toMatch(line);
  expect(text).toContain('quarry_requests_total{route="/health",status="200"} 3');
  expect(text).toContain('quarry_requests_total{route="unknown",status="404"} 1');
  expect(text).toContain('quarry_request_seconds_bucket{route="/health",le="+Inf"} 3');
  expect(text).toMatch(/process_resident_memory_bytes \d{7,}/);
  await running.server.end();
});

test('a server that ends keeps what it has acknowledged, tells others to come back, and is not ready', async () => {
  const running = await startTestServer();
  const chunk = { text: 'heron', embedding: [1, 0] };
  const acknowledged: string[] = [];
  const refused: unknown[] = [];
  const storing = Array.from({ length: 200 }, async (_, turn) => {
    const path = `${turn}.md`;
    try {
      const body = { project: 'kept', chunks: [{ ...chunk, path }] };
      await running.client.request('POST', '/frag/store', body);
      acknowledged.push(path);
    } catch (thrown) {
      refused.push(thrown);
    }
  });
  await expect.poll(() => acknowledged.length, { interval: 1 }).toBeGreaterThan(0);
  const ended = running.server.end();
  const ready = await fetch(`${running.url}/ready`).then(
    ({ status }) => status,
    () => 'gone',
  );
  expect([503, 'gone']).toContain(ready);
  await Promise.all(storing);
  await ended;
  // Silent where the machine had no time to take the connection.
  for (const error of refused)
    expect(error).toMatchObject({ code: expect.stringMatching(/^server-(unreachable|silent)$/) });
  const again = await startTestServer({
    environment: (name) => (name === 'HOME' ? running.home : undefined),
  });
  const { results } = (await again.client.request('POST', '/frag/search/embedding', {
    project: 'kept',
    embedding: [1, 0],
    top_k: 1000,
  })) as { results: { path: string }[] };
  expect(results.map(({ path }) => path)).toEqual(expect.arrayContaining(acknowledged));
  await again.server.end();
});

test.skipIf(process.platform === 'win32')(
  'a server that is asked to end before all its places listen, listens at none afterwards',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'server-'));
    const sockets = Array.from({ length: 100 }, (_, at) => join(home, 'run', `socket-${at}`));
    const starting = startTestServer({ places: sockets.map((socket) => ({ socket })) }, home);
    const callers = sockets.map((socket) => createClient(socketTransport(socket)));
    let isStarted = false;
    const started = starting.then(() => {
      isStarted = true;
    });
    await vi.waitFor(async () => callers[0]?.request('POST', '/v1/engine/stop', {}), {
      timeout: 60_000,
      interval: 1,
    });
    expect(isStarted).toBe(false);
    await started;
    await (await starting).server.ended;
    for (const caller of callers)
      await expect(caller.request('GET', '/health')).rejects.toMatchObject({ code: 'server-unreachable' });
  },
);
