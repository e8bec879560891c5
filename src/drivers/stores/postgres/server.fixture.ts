import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { askSharedServer } from '../../../../test/servers/stores/shared-server.fixture.ts';

const password = 'a password & more';

/** The programs of the newest PostgreSQL on this machine that has pgvector. */
function findPrograms(): string | undefined {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const usable = versions.filter(
    (version) =>
      existsSync(`/usr/share/postgresql/${version}/extension/vector.control`) &&
      existsSync(`/usr/lib/postgresql/${version}/bin/postgres`),
  );
  const newest = usable.sort((one, other) => Number(one) - Number(other)).at(-1);
  return newest && `/usr/lib/postgresql/${newest}/bin`;
}

const programs = findPrograms();

/** Why there is no server for tests on this machine; undefined where there is one. */
export const noServer = programs
  ? undefined
  : 'PostgreSQL with pgvector is not installed: as root on Debian run scripts/install-postgres.sh';

/** A PostgreSQL server of its own, on a free port of this machine. */
export interface TestServer {
  readonly port: number;
  /** The address as a user would write it, without the password. */
  readonly url: string;
  readonly password: string;
  /** Ends it as a power cut would; what was not committed is lost. */
  kill(): Promise<void>;
  /** Starts it again over its files. */
  start(): Promise<void>;
  /** Stops the processes of the server without ending them, or lets them continue. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Runs a statement as superuser and gives back its text. */
  query(statement: string, database?: string): string;
  end(): Promise<void>;
}

/**
 * Makes a server with an empty database `quarry` in which pgvector is ready; `more` are settings of PostgreSQL. Where a folder
 * for its files is given they stay there, and a server that finds them has what the previous one had.
 */
export async function startPostgres(
  more: Readonly<Record<string, string>> = {},
  files?: string,
): Promise<TestServer> {
  const bin = programs ?? '';
  const user = serverUser();
  const parent = files === undefined ? tmpdir() : dirname(files);
  // The server runs as a user of its own, who has to get to its folder.
  if (user && (statSync(parent).mode & 0o001) === 0) chmodSync(parent, statSync(parent).mode | 0o011);
  const folder = files ?? mkdtempSync(join(parent, 'quarry-postgres-'));
  const secret = join(folder, 'password');
  writeFileSync(secret, `${password}\n`);
  if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
  const data = join(folder, 'data');
  const isNew = !existsSync(data);
  if (isNew) {
    const words = '-U postgres -E UTF8 --locale=C -A scram-sha-256 --no-sync'.split(' ');
    const as = { ...user, cwd: folder, stdio: 'pipe' } as const;
    execFileSync(join(bin, 'initdb'), ['-D', data, `--pwfile=${secret}`, ...words], as);
  }
  // A copy of the files may have other permissions, with which no server starts.
  chmodSync(data, 0o700);
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    fsync: 'off',
    shared_buffers: '64MB',
    max_connections: '80',
    ...more,
  };
  let child: ChildProcess | undefined;
  const query = (statement: string, database = 'quarry') => askDatabase(port, database, statement);
  const start = async () => {
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    child = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...options], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await new Promise<void>((resolve, reject) => {
      let log = '';
      child?.once('exit', () => reject(new Error(`The server did not start:\n${log}`)));
      child?.stderr?.on('data', (text) => {
        log += text;
        if (log.includes('ready to accept connections')) resolve();
      });
    });
  };
  const stop = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    child.kill(signal);
    await ended;
  };
  await start();
  if (isNew) {
    query('CREATE DATABASE quarry', 'postgres');
    query('CREATE EXTENSION vector');
  }
  return {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/quarry`,
    password,
    // SIGQUIT: every process of the server ends at once and nothing is finished, which it recovers from like from a crash.
    kill: () => stop('SIGQUIT'),
    start,
    signal: (name) => {
      const own = String(child?.pid);
      const pids = execFileSync('ps', ['-o', 'pid=', '--ppid', own, '-p', own], { encoding: 'utf8' });
      for (const pid of pids.trim().split(/\s+/)) process.kill(Number(pid), name);
    },
    query,
    async end() {
      await stop(files === undefined ? 'SIGQUIT' : 'SIGINT');
      if (files === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What a test needs of a server that it neither kills nor pauses: a database that nobody else has. */
export type TestDatabase = Pick<TestServer, 'url' | 'password'> & { query(statement: string): string };

/** A new database of the one server that serves the whole test run. */
export async function sharedPostgres(): Promise<TestDatabase> {
  const { port, database } = await askSharedServer<{ port: number; database: string }>('postgres');
  return {
    url: `postgres://postgres@127.0.0.1:${port}/${database}`,
    password,
    query: (statement) => askDatabase(port, database, statement),
  };
}

function askDatabase(port: number, database: string, statement: string): string {
  const place = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-d', database];
  const words = [...place, '-qAtX', '-v', 'ON_ERROR_STOP=1', '-c', statement];
  const env = { PGPASSWORD: password, PGOPTIONS: '-c client_min_messages=warning' };
  return execFileSync(join(programs ?? '', 'psql'), words, { env, encoding: 'utf8' }).trim();
}

/** PostgreSQL refuses to run as root. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (userInfo().uid !== 0) return undefined;
  const of = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: of('-u'), gid: of('-g') };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
