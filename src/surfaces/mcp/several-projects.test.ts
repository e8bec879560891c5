import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createEngine } from '../../engine/engine.ts';
import { grantOf } from '../../engine/grants.ts';
import { loadOperations } from '../../operations/catalogue.ts';
import { makeToken } from '../../user/tokens.ts';
import { startTestServer } from '../http/server.fixture.ts';
import { callTool } from './call-tool.ts';
import { askThrough } from './client-host.ts';
import { createEngineHost } from './engine-host.ts';
import type { Host } from './host.ts';
import { readTool } from './tools/read.ts';
import { searchTool } from './tools/search.ts';
import { statusTool } from './tools/status.ts';

let running: Awaited<ReturnType<typeof startTestServer>>;
let host: Host;
beforeAll(async () => {
  running = await startTestServer();
  const projects = await Promise.all(
    ['api', 'web'].map(async (name) => {
      const folder = await running.folder({ 'notes.md': `# Heron\n\nThe heron of ${name} waits.\n` });
      const { id } = await running.client.openFolder(folder);
      await running.client.call(id, 'index', {});
      return { id, name, folder };
    }),
  );
  const ask = askThrough({ client: running.client, prepare: async ({ id }) => id });
  host = {
    ...ask,
    // As a client names its folders; one of them has a name with a separator.
    projects: async () =>
      projects.map((each) => ({ ...each, name: each.name === 'web' ? 'work/web' : 'api' })),
    notes: () => [],
  };
});
afterAll(() => running.server.end());

const { signal } = new AbortController();

async function call(tool: typeof searchTool, input: object) {
  const { content, structuredContent, isError } = await callTool(tool, input, host, { signal });
  const [first] = content as { text: string }[];
  return { text: first?.text ?? '', data: structuredContent as Record<string, unknown>, isError };
}

test('several projects, or all, are searched as one, and read as they are shown', async () => {
  const all = await call(searchTool, { query: 'where does the heron wait', project: 'all' });
  const places = [...new Set(all.text.match(/\S+:notes\.md:1-3/g))].sort();
  expect(places).toHaveLength(2);
  const named = await call(searchTool, { query: 'heron', project: 'api,work/web' });
  expect([...new Set(named.text.match(/\S+:notes\.md:1-3/g))].sort()).toEqual(places);
  const read = await call(readTool, { places });
  for (const name of ['api', 'web']) expect(read.text).toContain(`heron of ${name} waits`);
  const mixed = await call(readTool, { places: [places[1], 'notes.md'], project: 'api' });
  expect(mixed.text).toContain('heron of api waits');
});

test('what is of one project says so, and a name that is not offered is refused', async () => {
  const status = await call(statusTool, { project: 'all' });
  expect([status.isError, status.text]).toEqual([true, expect.stringContaining('Name one as project.')]);
  expect((await call(searchTool, { query: 'x', project: 'api,/etc' })).isError).toBe(true);
});

test('a caller over the network gets the projects of its token', async () => {
  const environment = (name: string) => (name === 'HOME' ? running.home : undefined);
  const engine = createEngine({ environment, watch: false });
  onTestFinished(() => engine.close());
  for (const { folder = '' } of await host.projects()) await engine.adopt(folder);
  const { token: _, ...record } = makeToken({
    name: 'ci',
    project: (await host.projects())[0]?.id ?? '',
    access: 'read',
  });
  const operations = await loadOperations();
  const limited = createEngineHost({ engine, operations, grant: grantOf(record), log: () => {} });
  const { content } = await callTool(searchTool, { query: 'heron', project: 'all' }, limited, { signal });
  const [first] = content as { text: string }[];
  expect(first?.text).toContain('heron of api');
  expect(first?.text).not.toContain('heron of web');
});
