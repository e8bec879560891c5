// What ten editors on one project cost: processes, models and watches, counted from outside, and the memory of each. Then
// they are killed one after the other, and those that are left must still answer. Linux: it reads /proc.
// Usage: npm run build, then: npx node bench/mcp/editors.ts FOLDER QUERY [--editors N]
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Client } from '@modelcontextprotocol/client';
import { createClient } from '../../src/client/client.ts';
import { residentAddress } from '../../src/client/resident-address.ts';
import { socketTransport } from '../../src/client/socket-transport.ts';
import { stopResident } from '../../src/client/stop-resident.ts';
import { copyProject, searchWith, startBuilt } from './start-client.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { editors: { type: 'string', default: '10' } },
});
const [source = '', query = ''] = positionals;
const place = await mkdtemp(join(tmpdir(), 'bench-editors-'));
const home = join(place, 'home');
const folder = join(place, 'project');
const environment = (name: string) => (name === 'HOME' ? home : undefined);

const search = async (client: Client): Promise<number> => (await searchWith(client, query)).passages.length;

/** What the operating system says of a process. */
function lookAt(pid: number): { mebibytes: number; hasModel: boolean; watches: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return {
    mebibytes: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024),
    hasModel: readFileSync(`/proc/${pid}/maps`, 'utf8').includes('libonnxruntime'),
    watches: links.filter((link) => link.includes('inotify')).length,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

try {
  await copyProject(source, folder);
  const editors = await Promise.all(
    Array.from({ length: Number(values.editors) }, () => startBuilt(folder, home)),
  );
  await editors[0]?.client.callTool({ name: 'index_workspace', arguments: {} }, { timeout: 600_000 });
  const found = await Promise.all(editors.map(({ client }) => search(client)));
  const owner = createClient(socketTransport(residentAddress(environment).socket));
  const engine = (await owner.request('GET', '/v1/engine')) as { pid: number; projects: unknown[] };
  const all = editors.map(({ pid }) => lookAt(pid));
  const own = lookAt(engine.pid);
  const rows = {
    'editors that were answered': found.filter((count) => count > 0).length,
    'projects open in the engine': engine.projects.length,
    'processes with a model': [own, ...all].filter(({ hasModel }) => hasModel).length,
    'processes with a watch of files': [own, ...all].filter(({ watches }) => watches > 0).length,
    'memory of the engine, MiB': own.mebibytes,
    'memory of an editor\u2019s process, MiB, mean': Math.round(
      sum(all.map(({ mebibytes }) => mebibytes)) / all.length,
    ),
    'memory of all, MiB': own.mebibytes + sum(all.map(({ mebibytes }) => mebibytes)),
  };
  for (const [what, value] of Object.entries(rows)) process.stdout.write(`| ${what} | ${value} |\n`);
  let survived = 0;
  for (const [at, { pid }] of editors.entries()) {
    process.kill(pid, 'SIGKILL');
    const left = await Promise.all(editors.slice(at + 1).map(({ client }) => search(client)));
    if (left.every((count) => count > 0)) survived += 1;
  }
  const after = (await owner.request('GET', '/v1/engine')) as { pid: number };
  process.stdout.write(
    `| kills after which every other editor was answered | ${survived} of ${editors.length} |\n`,
  );
  process.stdout.write(`| the engine is still the same process | ${after.pid === engine.pid} |\n`);
} finally {
  await stopResident(environment);
  await rm(place, { recursive: true, force: true, maxRetries: 5 });
}
