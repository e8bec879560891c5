// How fast do files stream to a server, against rsync and tar over the same loopback? Our time is that until every file is
// durable on the server; that of rsync and tar until every file is written (`rsync --fsync` syncs each). Indexing comes
// after it and is not counted. Then the same with nothing changed, and with one file in a hundred changed. At the end the
// size of the standalone agent, and the memory that it takes for the same push (after `npm run build`).
// Usage: npx node bench/streaming.ts [--copies N] [--rounds N]     (rsync and tar must be installed)
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from '../src/core/median.ts';
import { createOutgoing } from '../src/push/outgoing-files.ts';
import { openPushMemory } from '../src/push/push-memory.ts';
import { resolveSettings } from '../src/settings/config.ts';
import { openSource } from '../src/sources/project-source.ts';
import { connectTo } from '../src/streaming/connect.ts';
import type { PushStats } from '../src/streaming/protocol.ts';
import { sendFiles } from '../src/streaming/send-files.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { sourceTexts } from './source-files.ts';

const { values } = parseArgs({
  options: { copies: { type: 'string', default: '4' }, rounds: { type: 'string', default: '3' } },
});
const rounds = Number(values.rounds);
const root = fileURLToPath(new URL('..', import.meta.url));
const agent = join(root, 'dist', 'agent', 'quarry-agent.mjs');
const longAgo = 1_700_000_000;

const scratch = await temporaryFolder();
const corpus = join(scratch, 'corpus');
const paths = makeCorpus(Number(values.copies));
const bytes = paths.reduce((sum, path) => sum + statSync(join(corpus, path)).size, 0);
console.log(`${paths.length} files, ${(bytes / 2 ** 20).toFixed(1)} MiB, median of ${rounds} rounds`);

const port = await freePort();
const home = join(scratch, 'server');
mkdirSync(home);
const server = spawn(
  process.execPath,
  [join(root, 'src/surfaces/cli/main.ts'), 'serve', '--port', String(port), '--open'],
  {
    env: { PATH: process.env.PATH ?? '', HOME: home, CI: 'true' },
  },
);
await once(createInterface(server.stderr), 'line');
const url = `http://127.0.0.1:${port}`;
const rsyncPort = await freePort();
const rsyncd = startRsync();
try {
  await compare();
  await measureAgent();
} finally {
  server.kill('SIGKILL');
  rsyncd.kill('SIGKILL');
}

async function compare(): Promise<void> {
  const ways: Record<string, Way> = {
    'tar over TCP': { cold: () => tarOver(), warm: undefined },
    rsync: rsync([]),
    'rsync --fsync': rsync(['--fsync']),
    'quarry, contents as they are': quarry(false),
    'quarry, secrets blacked out': quarry(true),
  };
  const times: Record<string, Record<string, number[]>> = {};
  const note = (way: string, what: string, milliseconds: number): void => {
    const previous = times[way] ?? {};
    times[way] = { ...previous, [what]: [...(previous[what] ?? []), milliseconds] };
  };
  for (let round = 0; round < rounds; round += 1)
    for (const [name, { cold, warm }] of Object.entries(ways)) {
      note(name, 'cold', await cold(round));
      if (!warm) continue;
      note(name, 'unchanged', await warm());
      for (const path of paths.filter((_, at) => at % 100 === 0)) touch(path, `${name} ${round}`);
      note(name, '1 % changed', await warm());
    }
  const base = times.rsync ?? {};
  console.table(
    Object.fromEntries(
      Object.entries(times).map(([name, of]) => [
        name,
        Object.fromEntries(
          Object.entries(of).map(([what, all]) => [
            what,
            `${median(all).toFixed(0)} ms (${(median(all) / median(base[what] ?? [])).toFixed(2)} x rsync)`,
          ]),
        ),
      ]),
    ),
  );
}

interface Way {
  /** Milliseconds to a place where nothing is yet. */
  readonly cold: (round: number) => Promise<number>;
  /** Milliseconds to the same place once more. */
  readonly warm: (() => Promise<number>) | undefined;
}

function quarry(redactSecrets: boolean): Way {
  let project = '';
  const push = async (): Promise<number> => {
    const began = performance.now();
    const { settings } = await resolveSettings({
      folder: corpus,
      environment: () => undefined,
      variableNames: [],
      flags: {},
    });
    const memory = await openPushMemory(join(scratch, 'cache'), [corpus, url, project], 'bench');
    const outgoing = createOutgoing({
      source: openSource(corpus, settings, () => undefined),
      memory,
      preparing: { redactSecrets, maxBytes: settings.index.max_file_bytes },
      signal: undefined,
      emit: () => undefined,
    });
    let taken = 0;
    const completed = (stats: PushStats): void => {
      taken = performance.now() - began;
      outgoing.completed(stats);
      if (stats.files < paths.length * 0.95) throw new TypeError(`only ${stats.files} files were sent`);
    };
    const link = await connectTo({ url });
    await sendFiles(
      link,
      { ...outgoing, completed },
      { project, client: 'bench', gzip: false, onProgress: () => undefined },
    );
    await memory.save();
    return taken;
  };
  return {
    async cold(round) {
      project = `bench-${redactSecrets}-${round}`;
      prepareProject(project);
      return push();
    },
    warm: push,
  };
}

/** A project in which nothing is indexed, so that the server has nothing else to do. */
function prepareProject(project: string): void {
  const folder = join(home, '.local', 'share', 'quarry', 'projects', project);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'quarry.toml'), '[embedder]\ndriver = "hashing"\n[index]\nmax_file_bytes = 1\n');
}

function rsync(flags: readonly string[]): Way {
  const to = () => `rsync://127.0.0.1:${rsyncPort}/target/`;
  const run = () => timed('rsync', ['-a', '--delete', ...flags, `${corpus}/`, to()]);
  return {
    async cold() {
      rmSync(join(scratch, 'target'), { recursive: true, force: true });
      mkdirSync(join(scratch, 'target'));
      return run();
    },
    warm: run,
  };
}

function startRsync() {
  const config = join(scratch, 'rsyncd.conf');
  mkdirSync(join(scratch, 'target'));
  writeFileSync(
    config,
    `use chroot = no\n[target]\npath = ${join(scratch, 'target')}\nread only = no\nuid = 0\ngid = 0\n`,
  );
  return spawn(
    'rsync',
    ['--daemon', '--no-detach', `--config=${config}`, `--port=${rsyncPort}`, '--address=127.0.0.1'],
    // With a socket as its input it would take that for its one caller.
    { stdio: 'ignore' },
  );
}

/** tar on both sides of a connection. */
async function tarOver(): Promise<number> {
  const target = join(scratch, 'tar');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  const listener = createServer();
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port: tarPort } = listener.address() as { port: number };
  const began = performance.now();
  const unpack = spawn('tar', ['-xf', '-', '-C', target]);
  listener.on('connection', (socket) => socket.pipe(unpack.stdin));
  spawn('bash', ['-c', `tar -C ${corpus} -cf - . > /dev/tcp/127.0.0.1/${tarPort}`]);
  await once(unpack, 'close');
  listener.close();
  return performance.now() - began;
}

async function timed(command: string, words: readonly string[]): Promise<number> {
  const began = performance.now();
  const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new TypeError(`${command} ended with ${code}`);
  return performance.now() - began;
}

/** The agent in a process of its own: the most memory it had, as Linux counts it. */
async function measureAgent(): Promise<void> {
  if (!existsSync(agent)) return console.log('The agent is not built: npm run build');
  prepareProject('agent');
  const words = [agent, corpus, '--server', url, '--name', 'agent'];
  const child = spawn(process.execPath, words, { env: { HOME: join(scratch, 'agent'), PATH: '' } });
  let max = 0;
  const look = setInterval(() => {
    const status = existsSync(`/proc/${child.pid}/status`)
      ? readFileSync(`/proc/${child.pid}/status`, 'utf8')
      : '';
    max = Math.max(max, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
  }, 20);
  await once(child, 'close');
  clearInterval(look);
  const plain = await timed(process.execPath, ['-e', '0']);
  console.log(
    `agent: one file of ${(statSync(agent).size / 2 ** 20).toFixed(2)} MiB, at most ${(max / 1024).toFixed(0)} MiB of memory (node -e 0 takes ${plain.toFixed(0)} ms)`,
  );
}

/** Real sources and documents; each copy differs, so that no content is known by its hash already. */
function makeCorpus(copies: number): string[] {
  const texts = ['src', 'docs'].flatMap((folder) =>
    sourceTexts(join(root, folder), 1e9).map(({ uri, bytes: content }) => ({
      uri: `${folder}/${uri}`,
      content,
    })),
  );
  return Array.from({ length: copies }, (_, copy) => copy).flatMap((copy) =>
    texts.map(({ uri, content }) => {
      const path = `copy-${copy}/${uri}`;
      mkdirSync(dirname(join(corpus, path)), { recursive: true });
      writeFileSync(join(corpus, path), `copy ${copy}\n${Buffer.from(content)}`);
      utimesSync(join(corpus, path), longAgo, longAgo);
      return path;
    }),
  );
}

function touch(path: string, what: string): void {
  writeFileSync(join(corpus, path), `${what}\n${readFileSync(join(corpus, path))}`);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return free;
}
