import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Store } from '../../contracts/store.ts';
import driver from '../../drivers/stores/sqlite/driver.ts';
import { openProject } from '../../index.ts';
import { startTestServer } from '../http/server.fixture.ts';

/** What every store of this process is asked, by name. */
const asked: string[] = [];
let running: Awaited<ReturnType<typeof startTestServer>>;
let folder: string;
let project: string;

beforeAll(async () => {
  const open = driver.open;
  vi.spyOn(driver, 'open').mockImplementation(async (...given) => counting(await open(...given)));
  running = await startTestServer();
  const files = Array.from({ length: 20 }, (_, at) => [`${at}.md`, `# Bird ${at}\n\nThe heron waits.\n`]);
  folder = await running.folder(Object.fromEntries(files));
  ({ id: project } = await running.client.openFolder(folder));
  await running.client.call(project, 'index', {});
});
afterAll(async () => {
  await running.server.end();
  vi.restoreAllMocks();
});

/** The same store, with what it is asked in the list. */
function counting(store: Store): Store {
  const methods = store as unknown as Record<string, unknown>;
  for (const [name, method] of Object.entries(methods)) {
    // Whether its file is still in its place is asked of the file system alone.
    if (typeof method !== 'function' || ['close', 'isInPlace'].includes(name)) continue;
    methods[name] = (...given: unknown[]): unknown => {
      asked.push(name);
      return method.apply(store, given);
    };
  }
  return store;
}

let queries = 0;

/** What a store is asked by one search, with words that nobody has asked for yet. */
async function askedBy(search: (query: string) => Promise<unknown>): Promise<string[]> {
  queries += 1;
  asked.length = 0;
  await search(`heron ${queries}`);
  return asked.slice();
}

/**
 * At first a file may have been changed in the tick of the clock in which it was read, so that it is read again: only later does a
 * search find that nothing has changed.
 */
async function expectFew(search: (query: string) => Promise<unknown>): Promise<void> {
  const few = ['state', 'state', 'searchText', 'searchVector'];
  await expect.poll(() => askedBy(search), { timeout: 30_000 }).toEqual(few);
}

test('a search that finds nothing changed asks the store four times, and for no manifest', async () => {
  const opened = await openProject(folder);
  await expectFew((query) => opened.search(query));
  const filter = { paths: ['1*.md'] };
  expect(await askedBy((query) => opened.search(query, { filter }))).toHaveLength(6);
  await opened.close();
});

test('so does one over HTTP', async () => {
  await expectFew((query) => running.client.call(project, 'search', { query, full: true }));
});

test('one over MCP asks no more, where its first hit is a whole chunk', async () => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', running.url)));
  await expectFew((query) => client.callTool({ name: 'search', arguments: { project, query } }));
  await client.close();
});
