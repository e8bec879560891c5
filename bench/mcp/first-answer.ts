// How long an editor waits for `quarry mcp`: for `initialize`, for a first search in a folder that was never indexed, for
// one while the model loads, and for one when everything is loaded. All as a ratio to `node -e 0` in the same round.
// Usage: npm run build, then: npx node bench/mcp/first-answer.ts FOLDER QUERY [--rounds N]
//   FOLDER is copied for each round, so that its index is rebuilt; the cache of vectors is empty at first.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import type { Client } from '@modelcontextprotocol/client';
import { stopResident } from '../../src/client/stop-resident.ts';
import { copyProject, searchWith, startBuilt } from './start-client.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '7' } },
});
const [source = '', query = ''] = positionals;
const taken = new Map<string, number[]>();
const answers = new Map<string, Set<string>>();

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await work();
  taken.set(what, [...(taken.get(what) ?? []), performance.now() - start]);
  return result;
}

/** Runs a program to its end. */
function ended(args: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    spawn(process.execPath, [...args], { stdio: 'ignore' }).on('exit', () => resolve());
  });
}

async function search(client: Client, what: string): Promise<void> {
  const { passages, notes } = await timed(what, () => searchWith(client, query));
  const said = notes.filter((note) => !note.startsWith('Text')).join(' ') || 'nothing to note';
  answers.set(
    what,
    (answers.get(what) ?? new Set()).add(`${passages.length} passages; ${said.slice(0, 160)}`),
  );
}

async function round(): Promise<void> {
  const place = await mkdtemp(join(tmpdir(), 'bench-first-'));
  const home = join(place, 'home');
  const folder = join(place, 'project');
  const environment = (name: string) => (name === 'HOME' ? home : undefined);
  await copyProject(source, folder);
  try {
    await timed('node -e 0', () => ended(['-e', '0']));
    const { client } = await timed('initialize, the first start ever', () => startBuilt(folder, home));
    await search(client, 'first search, nothing indexed, no engine');
    await search(client, 'second search, while the index is made');
    for (let pending = 1; pending > 0; ) {
      await client.callTool({ name: 'index_workspace', arguments: {} }, { timeout: 600_000 });
      const status = await client.callTool({ name: 'status', arguments: {} });
      ({ pending } = status.structuredContent as { pending: number });
    }
    await search(client, 'search, everything loaded');
    await client.close();
    await stopResident(environment);
    const { client: again } = await timed('initialize', () => startBuilt(folder, home));
    await search(again, 'first search, indexed, no engine: the model loads');
    await again.close();
  } finally {
    await stopResident(environment);
    await rm(place, { recursive: true, force: true, maxRetries: 5 });
  }
}

for (let at = 0; at < Number(values.rounds); at += 1) await round();
const quartile = (numbers: readonly number[], part: number): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) * part)] ?? 0;
const empty = quartile(taken.get('node -e 0') ?? [], 0.5);
process.stdout.write(
  '| | milliseconds: quartile | median | quartile | times `node -e 0` |\n|---|---|---|---|---|\n',
);
for (const [what, all] of taken) {
  const [low = 0, middle = 0, high = 0] = [0.25, 0.5, 0.75].map((part) => quartile(all, part));
  process.stdout.write(
    `| ${what} | ${low.toFixed(0)} | ${middle.toFixed(0)} | ${high.toFixed(0)} | ${(middle / empty).toFixed(1)} |\n`,
  );
}
for (const [what, said] of answers) process.stdout.write(`${what}: ${[...said].join(' / ')}\n`);
