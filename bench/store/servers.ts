// Servers that a store of the comparison needs: each is started for one step, over the files of the step before.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noServer as noPostgres, startPostgres } from '../../src/drivers/stores/postgres/server.fixture.ts';
import { noServer as noChroma, startChroma } from '../../src/drivers/vector-engines/chroma/server.fixture.ts';
import { startTestServer } from '../../src/surfaces/http/server.fixture.ts';
import { megabytesIn } from './measures.ts';

/** A server that is started for a store, where it needs one and no settings name it. */
export interface BenchServer {
  readonly engine: string;
  readonly password: string;
  readonly pid: number;
  /** CPU seconds of all its processes since it was started. */
  processorSeconds(): number;
  /** Where the store itself cannot tell what it takes there. */
  megabytesOnDisk?(): number;
  end(): Promise<unknown>;
}

/** As on a machine that is the database's own: what the test server has would not hold a graph of 100,000. */
const postgresMemory = { shared_buffers: '1GB', maintenance_work_mem: '2GB', max_wal_size: '2GB' };

/** Starts the server of a store, whose files are in this folder; undefined where it needs none, or it is not installed. */
export async function serverFor(name: string, files: string): Promise<BenchServer | undefined> {
  if (name === 'remote') return remoteServer(files);
  if (name === 'postgres' && noPostgres === undefined) return postgresServer(files);
  if (name === 'chroma' && noChroma === undefined) return chromaServer(files);
  return undefined;
}

async function remoteServer(files: string): Promise<BenchServer> {
  mkdirSync(files, { recursive: true });
  // Over a copy of the files, the list of projects names the place that they were copied from.
  const list = join(files, '.config', 'quarry', 'projects.yaml');
  const text = readOrNothing(list);
  if (text !== '') writeFileSync(list, text.replace(/folder: .*(?=\/\.local\/)/, `folder: ${files}`));
  const before = process.cpuUsage();
  const { url, server } = await startTestServer({ rate: { perSecond: 1e6, burst: 1e6 } }, files);
  return {
    engine: `remote:url=${url},collection=bench`,
    password: '',
    pid: process.pid,
    processorSeconds() {
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1e6;
    },
    end: () => server.end(),
  };
}

async function postgresServer(files: string): Promise<BenchServer> {
  mkdirSync(files, { recursive: true });
  const server = await startPostgres(postgresMemory, files);
  const pid = Number(readFileSync(join(files, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  return {
    engine: `postgres:url=${server.url},collection=bench`,
    password: server.password,
    pid,
    processorSeconds: () => processorSecondsOf(pid),
    end: () => server.end(),
  };
}

async function chromaServer(files: string): Promise<BenchServer> {
  mkdirSync(files, { recursive: true });
  const server = await startChroma(files);
  return {
    engine: `chroma:url=${server.url},collection=bench`,
    password: '',
    pid: server.pid,
    processorSeconds: () => processorSecondsOf(server.pid),
    megabytesOnDisk: () => megabytesIn(files),
    end: () => server.kill(),
  };
}

/** Memory of a process and those it has started, but for this one; pages that they share are counted once. */
export function megabytesOf(pid: number): number {
  const pss = (name: string) =>
    Number(/^Pss:\s+(\d+)/m.exec(readOrNothing(`/proc/${name}/smaps_rollup`))?.[1] ?? 0);
  return familyOf(pid).reduce((sum, name) => sum + pss(name), 0) / 1000;
}

/** CPU seconds of a process and those it has started, but for this one: where it asks a server, it has a clock of its own. */
export function processorSecondsOf(pid: number): number {
  /** User and system time, and those of children that have ended, in hundredths of a second. */
  const ticks = (name: string) =>
    (readOrNothing(`/proc/${name}/stat`).split(') ')[1] ?? '')
      .split(' ')
      .slice(11, 15)
      .reduce((sum, value) => sum + Number(value), 0);
  return familyOf(pid).reduce((sum, name) => sum + ticks(name), 0) / 100;
}

function familyOf(pid: number): string[] {
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && readOrNothing(`/proc/${name}/status`).includes(`\nPPid:\t${pid}\n`),
  );
  return [String(pid), ...children].filter((name) => name !== String(process.pid));
}

/** A process may have ended meanwhile. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
