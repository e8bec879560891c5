import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { distinctNames } from '../../client/distinct-names.ts';
import { openServerNames } from '../../client/server-names.ts';
import { idOfFolder } from '../../core/identity.ts';
import { processEnvironment } from '../../platform/environment.ts';
import { startTestServer } from '../http/server.fixture.ts';
import { callTool } from './call-tool.ts';
import { findProject } from './find-project.ts';
import { offeredProjects } from './offered-folders.ts';
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

test('a name that was given stays, here and on a server, when a folder of the same name is opened beside it', async () => {
  const running = await startTestServer();
  const root = await temporaryFolder({ 'a/x/api/one.md': 'One.', 'b/x/api/two.md': 'Two.' });
  const [one = '', two = ''] = ['a/x/api', 'b/x/api'].map((folder) => realpathSync(join(root, folder)));
  const named = [one];
  const names = new Map<string, string>();
  const offered = () => offeredProjects({ named, roots: async () => undefined, names });
  const there = createRemoteHost(running.url, undefined, offered);
  const offers = async () =>
    [await offered(), await there.projects()].map((all) => all.map(({ name }) => name));
  expect(await offers()).toEqual([['api'], ['api']]);
  named.push(two);
  expect(await offers()).toEqual([
    ['api', 'b/x/api'],
    ['api', 'b-x-api'],
  ]);
  // The first is closed, and comes back.
  named.shift();
  expect(await offers()).toEqual([['b/x/api'], ['b-x-api']]);
  named.push(one);
  expect(await offers()).toEqual([
    ['b/x/api', 'api'],
    ['b-x-api', 'api'],
  ]);
  // One that starts with both open has given no name yet: that which both have is none.
  const fresh = createRemoteHost(running.url, undefined, () =>
    offeredProjects({ named, roots: async () => undefined }),
  );
  await expect(findProject(fresh, 'api')).rejects.toMatchObject({
    code: 'usage-invalid',
    remedy: 'Name one of: b-x-api, a-x-api.',
  });
  // What was pushed is known to those who start later.
  await openServerNames(processEnvironment).remember(running.url, one, 'api');
  const later = createRemoteHost(running.url, undefined, () =>
    offeredProjects({ named, roots: async () => undefined }),
  );
  expect((await later.projects()).map(({ name }) => name)).toEqual(['b-x-api', 'api']);
  expect(await findProject(later, 'api')).toMatchObject({ folder: one });
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
  expect([...distinctNames(folders).values()]).toEqual(names);
});
