// A server under load over loopback: clients search at once while files stream in, for minutes. Percentiles, errors and the
// memory of the server; before that, with nothing else under way, HTTP against the same search in process.
// Usage: npx node bench/service/load.ts [--seconds N] [--clients N] [--kilobytes N] [--questions N]
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { draws } from '../../src/core/draws.ts';
import { openProject } from '../../src/index.ts';
import { processEnvironment } from '../../src/platform/environment.ts';
import { createLaptop } from '../../src/surfaces/http/file-agent/file-agent.fixture.ts';
import { startServer } from '../../src/surfaces/http/server.ts';
import { sourceTexts } from '../source-files.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    clients: { type: 'string', default: '8' },
    /** How much text is pushed before the load, in kilobytes. */
    kilobytes: { type: 'string', default: '400' },
    questions: { type: 'string', default: '60' },
    role: { type: 'string' },
  },
});
if (values.role === 'server') await beServer();
else await beLoad();

async function beServer(): Promise<void> {
  const server = await startServer({
    environment: processEnvironment,
    version: 'bench',
    build: 'bench',
    environmentName: 'bench',
    places: [{ host: '127.0.0.1', port: 0 }],
    isOpen: true,
    // One caller is all callers here.
    rate: { perSecond: 1e6, burst: 1e6 },
  });
  process.on('message', () => void server.end().then(() => process.disconnect()));
  process.send?.(server.addresses[0]);
}

async function beLoad(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'load-'));
  const server = fork(fileURLToPath(import.meta.url), ['--role', 'server'], {
    env: { ...process.env, HOME: home },
  });
  const [url] = (await once(server, 'message')) as [string];
  const texts = sourceTexts(
    fileURLToPath(new URL('../../src', import.meta.url)),
    Number(values.kilobytes) * 1000,
  );
  const files = Object.fromEntries(texts.map(({ text }, index) => [`file-${index}.ts`, text]));
  const laptop = await createLaptop(home, files);
  await laptop.push(url);
  const words = [
    ...new Set(
      Object.values(files)
        .join(' ')
        .match(/[a-z]{5,12}/g) ?? [],
    ),
  ];
  const draw = draws(3);
  const word = () => words[Math.floor(draw() * words.length)] ?? '';
  // All different, so that no memory of answers helps.
  const question = () => `where does ${word()} ${word()} get its ${word()}?`;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const search = (query: string) => ask(agent, url, '/v1/projects/notes/search', { query });
  await settled(agent, url);
  await compare(laptop.folder, search, question);
  await load(server, { agent, url, search, question, laptop });
  agent.destroy();
  server.send('end');
  await once(server, 'exit');
}

/** One question at a time, over HTTP and in process in turns. */
async function compare(
  folder: string,
  search: (query: string) => Promise<unknown>,
  question: () => string,
): Promise<void> {
  // Both are watched, so that neither looks for changed files before it answers.
  const project = await openProject(folder);
  for await (const _ of project.index());
  const stop = new AbortController();
  const watching = (async () => {
    for await (const _ of project.watch({ signal: stop.signal }));
  })();
  const times = { http: [] as number[], own: [] as number[] };
  for (let turn = 0; turn < Number(values.questions) + 5; turn += 1) {
    const query = question();
    const http = await timed(() => search(query));
    const own = await timed(() => project.search(query));
    // The first ones load the model and its caches.
    if (turn < 5) continue;
    times.http.push(http);
    times.own.push(own);
  }
  stop.abort();
  await watching;
  await project.close();
  const [http, own] = [percentile(times.http, 0.5), percentile(times.own, 0.5)];
  console.log(
    `one at a time, ${values.questions} questions: HTTP p50 ${http.toFixed(1)} ms, in process ${own.toFixed(1)} ms, ratio ${(http / own).toFixed(2)}`,
  );
}

interface LoadParts {
  readonly agent: Agent;
  readonly url: string;
  readonly search: (query: string) => Promise<unknown>;
  readonly question: () => string;
  readonly laptop: Awaited<ReturnType<typeof createLaptop>>;
}

/** Searches at once while a client pushes changed and new files again and again. */
async function load(
  server: ChildProcess,
  { agent, url, search, question, laptop }: LoadParts,
): Promise<void> {
  const until = performance.now() + Number(values.seconds) * 1000;
  const times: number[] = [];
  const errors = new Map<string, number>();
  const memory: number[] = [];
  const pushes: number[] = [];
  let pushed = 0;
  const fails = (thrown: unknown): void => {
    const message = String((thrown as Error).message).slice(0, 120);
    errors.set(message, (errors.get(message) ?? 0) + 1);
  };
  const searcher = async (): Promise<void> => {
    while (performance.now() < until) {
      await timed(() => search(question())).then((time) => times.push(time), fails);
    }
  };
  const streamer = async (): Promise<void> => {
    for (let turn = 0; performance.now() < until; turn += 1) {
      for (const name of [`new-${turn % 50}.md`, `new-${(turn * 7) % 50}.md`])
        await laptop.write(name, `# ${question()}\n\nTurn ${turn}: ${question()}\n`);
      pushed += 2;
      await timed(() => laptop.push(url)).then((time) => pushes.push(time), fails);
      await pause(500);
    }
  };
  const sampler = async (): Promise<void> => {
    while (performance.now() < until) {
      memory.push(residentBytes(server.pid ?? 0));
      await pause(1000);
    }
  };
  await Promise.all([...Array.from({ length: Number(values.clients) }, searcher), streamer(), sampler()]);
  const failed = [...errors.values()].reduce((sum, count) => sum + count, 0);
  const shown = (share: number, of: readonly number[]): string => percentile(of, share).toFixed(0);
  console.log(
    `${values.clients} clients for ${values.seconds} s: ${times.length} searches, ${failed} errors, p50 ${shown(0.5, times)} ms, p95 ${shown(0.95, times)} ms, p99 ${shown(0.99, times)} ms`,
  );
  for (const [message, count] of errors) console.log(`  ${count} x ${message}`);
  console.log(
    `meanwhile ${pushes.length} pushes of ${pushed} files, p50 ${shown(0.5, pushes)} ms, p99 ${shown(0.99, pushes)} ms`,
  );
  const part = Math.max(1, Math.floor(memory.length / 5));
  const mega = (bytes: readonly number[]): number => percentile(bytes, 0.5) / 2 ** 20;
  const fifths = [0, 1, 2, 3, 4].map((index) =>
    mega(memory.slice(index * part, (index + 1) * part)).toFixed(0),
  );
  console.log(
    `resident memory of the server by fifths of the time, MiB: ${fifths.join(', ')}; most ${(Math.max(...memory) / 2 ** 20).toFixed(0)}`,
  );
  await settled(agent, url);
}

/** Waits until all that was pushed has its vectors. */
async function settled(agent: Agent, url: string): Promise<void> {
  for (;;) {
    const { pending } = (await ask(agent, url, '/v1/projects/notes/status', {})) as { pending: number };
    if (pending === 0) return;
    await pause(500);
  }
}

function ask(agent: Agent, url: string, path: string, body: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const outgoing = request(new URL(path, url), { method: 'POST', agent, headers }, (incoming) => {
      let answer = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (part) => (answer += part));
      incoming.on('end', () =>
        incoming.statusCode === 200
          ? resolve(JSON.parse(answer))
          : reject(new Error(`${incoming.statusCode} ${answer}`)),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}
