// What a command costs as a whole process: time on the clock and of the processor, as a ratio to `node -e 0` in the
// same rounds. It measures what is installed: the build in `dist` (npm run build), with a warm compile cache.
// Usage: npx node bench/cli.ts [--rounds N] [--other MAIN.js]
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../src/testing/temporary-folder.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    /** A second build to compare with, in the same rounds. */
    other: { type: 'string' },
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

const queries = {
  search: ['search', 'how is a lock taken?'],
  'search --route text': ['search', 'lock', '--route', 'text'],
};
const commands: Record<string, readonly string[]> = { 'node -e 0': ['-e', '0'] };
for (const [name, program] of Object.entries({
  quarry: main,
  ...(values.other && { other: values.other }),
})) {
  const add = (label: string, words: readonly string[]) => {
    commands[`${name} ${label}`] = [program, ...words];
  };
  add('--version', ['--version']);
  add('--help', ['--help']);
  add('status', ['status']);
  for (const [label, words] of Object.entries(queries)) add(label, words);
}

costOf([main, 'index']);
for (const words of Object.values(commands)) costOf(words);
const costs = Object.fromEntries(Object.keys(commands).map((name) => [name, [] as Cost[]]));
const names = Object.keys(commands);
for (let round = 0; round < Number(values.rounds); round += 1)
  for (const name of round % 2 === 0 ? names : names.toReversed())
    costs[name]?.push(costOf(commands[name] ?? []));
report();

/** Runs a command to its end. The shell's own `time` counts all threads of the process. */
function costOf(words: readonly string[]): Cost {
  const script = 'TIMEFORMAT="%R %U %S"; { time "$@" >/dev/null 2>/dev/null; } 2>&1';
  const printed = execFileSync('bash', ['-c', script, 'bash', process.execPath, ...words], {
    cwd: folder,
    encoding: 'utf8',
  });
  const [wall = 0, user = 0, system = 0] = printed
    .trim()
    .split(' ')
    .map((part) => Number(part.replace(',', '.')));
  return { wall: wall * 1000, cpu: (user + system) * 1000 };
}

function report(): void {
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
