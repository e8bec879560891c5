import { expect, test } from 'vitest';
import { idOfFolder } from '../../client/folder-id.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { startTestServer } from '../http/server.fixture.ts';
import { callTool } from './call-tool.ts';
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
  const signal = AbortSignal.timeout(100_000);
  const pushed = await callTool(indexWorkspaceTool, {}, host, { signal, onProgress: () => undefined });
  expect(pushed.structuredContent).toMatchObject({ state: 'done' });
  const found = await callTool(searchTool, { query: 'heron in the reeds' }, host, { signal });
  expect(found.structuredContent).toMatchObject({ passages: [{ path: 'lake.md' }] });
  await running.server.end();
  const failed = await callTool(indexWorkspaceTool, {}, host, { signal });
  expect(failed).toMatchObject({ isError: true });
});
