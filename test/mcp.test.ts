import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../src/client/client.ts';
import { stopResident } from '../src/client/resident.ts';
import { residentAddress } from '../src/client/resident-address.ts';
import { socketTransport } from '../src/client/socket-transport.ts';
import { temporaryFolder } from '../src/testing/temporary-folder.ts';
import { startQuarry } from './quarry-process.ts';

const program = fileURLToPath(new URL('../src/surfaces/cli/main.ts', import.meta.url));
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
  options: { words?: string[]; cwd?: string; roots?: string[] } = {},
): Promise<{ client: Client; pid: number }> {
  const { words = [], cwd = folder, roots } = options;
  const client = new Client({ name: 'test', version: '1' }, { capabilities: roots ? { roots: {} } : {} });
  if (roots) client.setRequestHandler('roots/list', async () => ({ roots: roots.map((uri) => ({ uri })) }));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...words],
    cwd,
    env: {
      HOME: home,
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
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

async function engine(): Promise<{ pid: number; projects: { folder: string }[] }> {
  const client = createClient(socketTransport(residentAddress(environment).socket));
  return (await client.request('GET', '/v1/engine')) as never;
}

describe('quarry mcp', () => {
  test('starts the engine, and answers a first search from what is read already', async () => {
    const { client } = await start();
    expect(client.getServerVersion()?.name).toBe('quarry');
    expect(await call(client, 'search', { query: 'heron in the reeds' })).toContain('docs/heron.md:1-3');
    expect(await call(client, 'read', { symbol: 'forget' })).toContain('fish.memory.clear()');
  });

  test('shares one engine with other processes, any of which may be killed', async () => {
    const before = await engine();
    const others = await Promise.all([start(), start(), start()]);
    const answers = await Promise.all(others.map(({ client }) => call(client, 'search', { query: 'fish' })));
    for (const answer of answers) expect(answer).toContain('src/fish.js');
    process.kill(others[0]?.pid ?? 0, 'SIGKILL');
    expect(await call(others[1]?.client as Client, 'search', { query: 'heron' })).toContain('docs/heron.md');
    const after = await engine();
    expect([after.pid, after.projects.length]).toEqual([before.pid, 1]);
  });

  test('goes on after the engine was killed', async () => {
    const { client } = await start();
    expect(await call(client, 'status')).toContain('3 files');
    process.kill((await engine()).pid, 'SIGKILL');
    expect(await call(client, 'search', { query: 'heron' })).toContain('docs/heron.md');
  });

  test('offers the folders that the user names', async () => {
    const other = await temporaryFolder({ 'quarry.toml': settings, 'b.md': 'A badger digs.\n' });
    const { client } = await start({ words: [folder, other], roots: [`file://${tmpdir()}`] });
    expect(await call(client, 'search', { query: 'badger' })).toContain('There are several projects');
    expect(await call(client, 'search', { query: 'badger', project: other })).toContain('b.md:1');
  });

  test('offers no home folder', async () => {
    const { client } = await start({ cwd: home });
    expect(await call(client, 'search', { query: 'anything' })).toContain('No project is offered here');
  });

  test('ends with a message where its words are wrong', async () => {
    const { child, finished } = startQuarry(folder, ['mcp', '--colour']);
    child.stdin?.end();
    const { code, stderr, stdout } = await finished;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--colour');
  });
});
