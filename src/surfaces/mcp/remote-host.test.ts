import { join } from 'node:path';
import { expect, test } from 'vitest';
import { idOfFolder } from '../../client/folder-id.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { startTestServer } from '../http/server.fixture.ts';
import { callTool } from './call-tool.ts';
import { distinctNames, offeredProjects } from './offered-folders.ts';
import { createRemoteHost } from './remote-host.ts';
import { indexWorkspaceTool } from './tools/index-workspace.ts';
import { searchTool } from './tools/search.ts';

test('a workspace is pushed to a server and searched there', async () => {
  const running = await startTestServer();
  const folder = await temporaryFolder({
    'quarry.toml': '[embedder]\ndriver = "hashing"\n',
    'lake.md': '# Lake\n\nThe heron waits in the reeds.\n',
  });
  const host = createRemoteHost(running.url, undefined, async () => [
    { id: idOfFolder(folder), name: 'lake', folder },
  ]);
  // A call without a project means the folder that is open here, whatever else the server has.
  await running.receiver('other');
  const signal = AbortSignal.timeout(100_000);
  const pushed = await callTool(indexWorkspaceTool, {}, host, { signal, onProgress: () => undefined });
  expect(pushed.structuredContent).toMatchObject({ state: 'done' });
  const found = await callTool(searchTool, { query: 'heron in the reeds' }, host, { signal });
  expect(found.structuredContent).toMatchObject({ passages: [{ path: 'lake.md' }] });
  await running.server.end();
  const failed = await callTool(indexWorkspaceTool, {}, host, { signal });
  expect(failed).toMatchObject({ isError: true });
});

test('two folders of one name are two projects, here and on a server, however alike the folders around them are', async () => {
  const running = await startTestServer();
  const root = await temporaryFolder({
    'a/x/api/one.md': 'One.',
    'b/x/api/two.md': 'Two.',
    'web/three.md': 'Three.',
  });
  const named = ['a/x/api', 'b/x/api', 'web'].map((folder) => join(root, folder));
  const offered = await offeredProjects({ named, roots: async () => undefined });
  expect(offered.map(({ name }) => name)).toEqual(['a/x/api', 'b/x/api', 'web']);
  const there = await createRemoteHost(running.url, undefined, async () => offered).projects();
  expect(there.map(({ id }) => id)).toEqual(['a-x-api', 'b-x-api', 'web']);
  expect(there.map(({ folder }) => folder)).toEqual(offered.map(({ folder }) => folder));
  await running.server.end();
});

test.each([
  [
    ['/x/api', '/a/x/api'],
    ['/x/api', 'a/x/api'],
  ],
  [
    ['/a/api', '/b/web'],
    ['api', 'web'],
  ],
  [
    ['C:\\a\\x\\api', 'C:\\b\\x\\api'],
    ['a/x/api', 'b/x/api'],
  ],
])('the folders %j are named %j', (folders, names) => {
  expect(distinctNames(folders)).toEqual(names);
});
