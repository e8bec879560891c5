import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../src/client/client.ts';
import { residentAddress } from '../src/client/resident-address.ts';
import { socketTransport } from '../src/client/socket-transport.ts';
import { stopResident } from '../src/client/stop-resident.ts';
import { startQuarry, testedProgram } from './quarry-process.ts';
import { startChatServer } from './servers/chat/chat-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const settings = '[embedder]\ndriver = "hashing"\n';

let home: string;
let folder: string;
const environment = (name: string): string | undefined => (name === 'HOME' ? home : undefined);
const clients: Client[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'mcp-'));
  folder = await temporaryFolder({
    'quarry.toml': settings,
    'docs/heron.md': '# Heron\n\nThe heron waits in the reeds until the fish forgets it.\n',
    'src/fish.js': 'export function forget(fish) {\n  fish.memory.clear();\n}\n',
  });
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await stopResident(environment);
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

async function start(
  options: {
    words?: string[];
    cwd?: string;
    roots?: string[];
    mode?: 'legacy' | 'auto';
    env?: Record<string, string>;
  } = {},
): Promise<{ client: Client; pid: number }> {
  const { words = [], cwd = folder, roots, mode = 'legacy' } = options;
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: roots ? { roots: {} } : {}, versionNegotiation: { mode } },
  );
  if (roots) client.setRequestHandler('roots/list', async () => ({ roots: roots.map((uri) => ({ uri })) }));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [testedProgram, 'mcp', ...words],
    cwd,
    env: {
      HOME: home,
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      ...options.env,
    },
    stderr: 'ignore',
  });
  await client.connect(transport);
  clients.push(client);
  return { client, pid: transport.pid ?? 0 };
}

async function call(client: Client, name: string, input: Record<string, unknown> = {}): Promise<string> {
  const { content } = await client.callTool({ name, arguments: input });
  return (content as { text: string }[])[0]?.text ?? '';
}

/** The engine in the background, asked beside the protocol. */
const owner = () => createClient(socketTransport(residentAddress(environment).socket));

async function engine(): Promise<{ pid: number; projects: { folder: string; users: number }[] }> {
  return (await owner().request('GET', '/v1/engine')) as never;
}

describe('quarry mcp', () => {
  test('starts the engine, and answers a first search from what is read already', async () => {
    const { client } = await start();
    expect(client.getServerVersion()?.name).toBe('quarry');
    expect(await call(client, 'search', { query: 'heron in the reeds' })).toContain('docs/heron.md:1-3');
    // What is not read yet is being read.
    await expect.poll(() => call(client, 'read', { symbol: 'forget' })).toContain('fish.memory.clear()');
  });

  test('shares one engine among ten processes, any of which may be killed', async () => {
    const before = await engine();
    const others = await Promise.all(Array.from({ length: 9 }, () => start()));
    const ask = (query: string, some: typeof others) =>
      Promise.all(some.map(({ client }) => call(client, 'search', { query })));
    for (const answer of await ask('fish', others)) expect(answer).toContain('src/fish.js');
    for (const { pid } of others.slice(0, 4)) process.kill(pid, 'SIGKILL');
    for (const answer of await ask('heron', others.slice(4))) expect(answer).toContain('docs/heron.md');
    const after = await engine();
    expect([after.pid, after.projects.length]).toEqual([before.pid, 1]);
  });

  test('stops the work of the engine when a call is cancelled, and answers the next one', async () => {
    const model = await startChatServer({
      protocol: 'openai',
      write: () => ['The heron ', 'waits ', 'in the reeds [1].'],
    });
    const lake = await temporaryFolder({
      'quarry.toml': `${settings}[generator]\ndriver = "openai"\nurl = "${model.url}"\nmodel = "m"\n`,
      'lake.md': '# Lake\n\nThe heron waits in the reeds for fish.\n',
    });
    const { client } = await start({ cwd: lake });
    await call(client, 'index_workspace');
    const { id } = await owner().openFolder(lake);
    await owner().call(id, 'consent give', { address: model.url });
    model.inject({ kind: 'stuck' });
    const stop = new AbortController();
    const asked = client.callTool(
      { name: 'ask', arguments: { question: 'Where does the heron wait for fish?' } },
      { signal: stop.signal },
    );
    await expect.poll(() => model.calls.length).toBe(1);
    stop.abort();
    await expect(asked).rejects.toThrow();
    await expect.poll(() => model.left()).toBe(1);
    const users = async () => (await engine()).projects.find(({ folder: each }) => each === lake)?.users;
    await expect.poll(users).toBe(0);
    expect(await call(client, 'search', { query: 'heron' })).toContain('lake.md');
    await model.close();
  });

  test('continues after the engine was killed', async () => {
    const { client } = await start();
    expect(await call(client, 'status')).toContain('3 files');
    process.kill((await engine()).pid, 'SIGKILL');
    expect(await call(client, 'search', { query: 'heron' })).toContain('docs/heron.md');
  });

  test('offers the folders that the user names', async () => {
    const other = await temporaryFolder({ 'quarry.toml': settings, 'b.md': 'A badger digs.\n' });
    const { client } = await start({
      words: [folder, other],
      roots: [pathToFileURL(home).href],
      mode: 'auto',
    });
    expect(await call(client, 'search', { query: 'badger' })).toContain('There are several projects');
    expect(await call(client, 'search', { query: 'badger', project: other })).toContain('b.md:1');
  });

  test.each([
    ['legacy', '2025-11-25'],
    ['auto', '2026-07-28'],
  ] as const)('offers the folders that the client has open and no other (%s, %s)', async (mode, revision) => {
    const cwd = await temporaryFolder({ 'quarry.toml': settings, 'd.md': 'A dormouse sleeps.\n' });
    const open = await temporaryFolder({ 'quarry.toml': settings, 'c.md': 'A cormorant dives.\n' });
    const { client } = await start({ cwd, roots: [pathToFileURL(open).href], mode });
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const { resources: before } = await client.listResources();
    expect(JSON.stringify(before)).not.toContain('d.md');
    expect(await call(client, 'search', { query: 'cormorant' })).toContain('c.md:1');
    expect(await call(client, 'search', { query: 'dormouse' })).not.toContain('d.md');
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name)).toContain('c.md');
    expect(await call(client, 'search', { query: 'x', project: cwd })).toContain('There is no project');
  });

  test('offers the current folder to a client that does not say what it has open', async () => {
    const cwd = await temporaryFolder({ 'quarry.toml': settings, 'e.md': 'An ermine turns white.\n' });
    const { client } = await start({ cwd, mode: 'auto' });
    expect(await call(client, 'search', { query: 'ermine' })).toContain('e.md:1');
  });

  test('offers no home folder', async () => {
    const { client } = await start({ cwd: home });
    expect(await call(client, 'search', { query: 'anything' })).toContain('No project is offered here');
  });

  test('keeps compiled modules while it runs, for editors that kill their servers', async () => {
    const own = await temporaryFolder();
    await start({ env: { NODE_COMPILE_CACHE: '', QUARRY_CACHE_FOLDER: own } });
    const kept = async () => (await readdir(join(own, 'compiled'), { recursive: true })).length;
    await expect.poll(kept).toBeGreaterThan(3);
  });

  test('ends with a message where its words are wrong', async () => {
    const { child, finished } = startQuarry(folder, ['mcp', '--colour']);
    child.stdin?.end();
    const { code, stderr, stdout } = await finished;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--colour');
  });
});
