// What a command costs as a whole process: time on the clock and of the processor, as a ratio to `node -e 0` in the
// same rounds. It measures what is installed: the build in `dist` (npm run build), with a warm compile cache; once as the
// client of an engine, and once with all the work in its own process. The peers search the same folder, each in its own
// way: ripgrep reads every file, and qmd has an index of words.
// Usage: npx node bench/cli.ts [--rounds N] [--other MAIN.js] [--ripgrep PROGRAM] [--qmd PROGRAM]
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../test/temporary-folder.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    /** A second build to compare with, in the same rounds. */
    other: { type: 'string' },
    ripgrep: { type: 'string' },
    qmd: { type: 'string' },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const main = join(root, 'dist', 'surfaces', 'cli', 'main.js');
if (!existsSync(main)) throw new Error('There is no build: run npm run build');

/** Milliseconds of one process. */
interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

const folder = await temporaryFolder();
for (const part of ['docs', 'src/surfaces', 'src/operations'])
  cpSync(join(root, part), join(folder, part), { recursive: true });

/** A command line with the variables it runs with. */
interface Command {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const home = await temporaryFolder();
const own = { HOME: home, XDG_CACHE_HOME: join(home, 'cache'), XDG_CONFIG_HOME: join(home, 'config') };
const alone = { ...own, CI: 'true', QUARRY_RESIDENT_MODE: 'never' };
const commands: Record<string, Command> = { 'node -e 0': { words: [process.execPath, '-e', '0'], env: own } };
const measured = { quarry: main, ...(values.other && { other: values.other }) };
for (const [name, program] of Object.entries(measured)) {
  const add = (label: string, words: readonly string[], env: Command['env']) => {
    commands[`${name} ${label}`] = { words: [process.execPath, program, ...words], env };
  };
  add('--version', ['--version'], alone);
  add('--help', ['--help'], alone);
  add('status, alone', ['status'], alone);
  add('search, alone', ['search', 'how is a lock taken?'], alone);
  add('search --route text, alone', ['search', 'lock', '--route', 'text'], alone);
  if (program !== main) continue;
  add('status, by the engine', ['status'], own);
  add('search, by the engine', ['search', 'how is a lock taken?'], own);
  add('search --route text, by the engine', ['search', 'lock', '--route', 'text'], own);
}
if (values.ripgrep) commands.ripgrep = { words: [values.ripgrep, '--count', 'lock', '.'], env: own };
if (values.qmd) {
  runQuietly([values.qmd, 'collection', 'add', '.', '--name', 'bench', '--mask', '**/*.{md,ts}']);
  commands['qmd search'] = { words: [values.qmd, 'search', 'lock'], env: own };
}

runQuietly([process.execPath, main, 'index']);
const engine = spawn(process.execPath, [main, 'serve', '--quiet'], {
  cwd: folder,
  env: { ...process.env, ...own, CI: '' },
  stdio: 'ignore',
});
try {
  const names = Object.keys(commands);
  await waitForEngine();
  for (const name of names) costOf(commands[name]);
  const costs = Object.fromEntries(names.map((name) => [name, [] as Cost[]]));
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const name of round % 2 === 0 ? names : names.toReversed())
      costs[name]?.push(costOf(commands[name]));
  report(costs);
} finally {
  engine.kill();
}

/** Returns when the engine answers and has the model in memory. */
async function waitForEngine(): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { engine: by } = JSON.parse(
      execFileSync(process.execPath, [main, 'status', '--json'], {
        cwd: folder,
        env: { ...process.env, ...own },
        encoding: 'utf8',
      }),
    ) as { engine?: object };
    if (by) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('The engine does not answer.');
}

function runQuietly([program = '', ...words]: readonly string[]): void {
  execFileSync(program, words, { cwd: folder, env: { ...process.env, ...alone }, stdio: 'ignore' });
}

/** Runs a command to its end. The shell's own `time` counts all threads of the process. */
function costOf({ words, env }: Command = { words: [], env: {} }): Cost {
  const script = 'TIMEFORMAT="%R %U %S"; { time "$@" >/dev/null 2>/dev/null; } 2>&1';
  const printed = execFileSync('bash', ['-c', script, 'bash', ...words], {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  const [wall = 0, user = 0, system = 0] = printed
    .trim()
    .split(' ')
    .map((part) => Number(part.replace(',', '.')));
  return { wall: wall * 1000, cpu: (user + system) * 1000 };
}

function report(costs: Readonly<Record<string, readonly Cost[]>>): void {
  const base = middle(costs['node -e 0'] ?? []);
  console.log('| command | wall | to node | CPU | to node |\n|---|---|---|---|---|');
  for (const [name, all] of Object.entries(costs)) {
    const { wall, cpu } = middle(all);
    const cells = [
      `${wall.toFixed(0)} ms`,
      ratio(wall, base.wall),
      `${cpu.toFixed(0)} ms`,
      ratio(cpu, base.cpu),
    ];
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}

/** The medians of several runs. */
function middle(all: readonly Cost[]): Cost {
  const of = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
  return { wall: of(all.map(({ wall }) => wall)), cpu: of(all.map(({ cpu }) => cpu)) };
}

function ratio(value: number, base: number): string {
  return `${(value / base).toFixed(1)} x`;
}
