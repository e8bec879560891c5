// Servers that a store of the comparison needs: each is started for one run and ends with it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noServer, startPostgres } from '../../src/drivers/stores/postgres/server.fixture.ts';
import { startTestServer } from '../../src/surfaces/http/server.fixture.ts';

/** A server that is started for a store, where it needs one and no settings name it. */
export interface BenchServer {
  readonly engine: string;
  readonly password: string;
  /** Memory of all its processes, pages that they share counted once. */
  readonly megabytes?: () => number;
  end(): Promise<unknown>;
}

/** As on a machine that is the database's own: what the test server has would not hold a graph of 100,000. */
const postgresMemory = { shared_buffers: '1GB', maintenance_work_mem: '2GB', max_wal_size: '8GB' };

export async function serverFor(name: string): Promise<BenchServer | undefined> {
  if (name === 'remote') {
    const { url, server } = await startTestServer({ rate: { perSecond: 1e6, burst: 1e6 } });
    return { engine: `remote:url=${url},collection=bench`, password: '', end: () => server.end() };
  }
  if (name !== 'postgres' || noServer !== undefined) return undefined;
  const server = await startPostgres(postgresMemory);
  const folder = server.query('SHOW data_directory').trim();
  const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return {
    engine: `postgres:url=${server.url},collection=bench`,
    password: server.password,
    megabytes: () => megabytesOf(pid),
    end: () => server.end(),
  };
}

/** Memory of a process and those it has started. */
function megabytesOf(pid: number): number {
  const processes = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    const status = readOrNothing(`/proc/${name}/status`);
    return name === String(pid) || status.includes(`\nPPid:\t${pid}\n`);
  });
  const sizes = processes.map(
    (name) => /^Pss:\s+(\d+)/m.exec(readOrNothing(`/proc/${name}/smaps_rollup`))?.[1],
  );
  return sizes.reduce((sum, size) => sum + Number(size ?? 0), 0) / 1000;
}

/** A process may have ended meanwhile. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
