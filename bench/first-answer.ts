// How long the first hits of a project take that has no index: from the start of the command to its result, in a folder of so
// many files and an empty home, with the compiled package (npm run build). Beside it, in the same round, what no program
// that reads every file can be faster than: one process of Node that walks the folder and looks for the words of the question.
//   npx node bench/first-answer.ts [--files 200,5000,50000] [--rounds 3] [--ci] [--flags "--update"] [--packages node_modules] [--question "…"]
// With --ci no engine may be started. The files are those of installed packages, with variations.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { writeProject } from './growth/generated-project.ts';
import { sourceTexts } from './source-files.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '200,5000,50000' },
    rounds: { type: 'string', default: '3' },
    ci: { type: 'boolean', default: false },
    flags: { type: 'string', default: '' },
    packages: { type: 'string', default: fileURLToPath(new URL('../node_modules', import.meta.url)) },
    question: { type: 'string', default: 'how is a semantic version range compared?' },
    program: {
      type: 'string',
      default: fileURLToPath(new URL('../dist/surfaces/cli/main.js', import.meta.url)),
    },
  },
});

const limit = `
const { readdirSync, readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');
const words = JSON.parse(process.argv[1]);
let found = 0;
for (const entry of readdirSync('.', { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const path = join(entry.parentPath, entry.name);
  statSync(path);
  const text = readFileSync(path).toString('latin1').toLowerCase();
  for (const word of words) for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) found += 1;
}
console.log(found);`;

const sources = sourceTexts(values.packages, Number.POSITIVE_INFINITY);
const words = values.question.toLowerCase().match(/[a-z]{4,}/g) ?? [];
console.log(
  '| files | MB | round | first hits s | CPU s of the command | walk and grep s | ratio | hits | first hit |',
);
console.log('|---|---|---|---|---|---|---|---|---|');
for (const files of values.files.split(',').map(Number)) {
  const root = await temporaryFolder();
  const bytes = writeProject(root, sources, files);
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    const grep = timed(() =>
      spawnSync(process.execPath, ['-e', limit, JSON.stringify(words)], { cwd: root }),
    );
    const first = await firstHits(root);
    console.log(
      `| ${[
        files,
        (bytes / 1e6).toFixed(1),
        round,
        first.seconds.toFixed(2),
        first.cpu.toFixed(2),
        grep.toFixed(2),
        (first.seconds / grep).toFixed(1),
        first.hits,
        first.best,
      ].join(' | ')} |`,
    );
  }
}

/** One search in the folder as if nobody had ever been there. */
async function firstHits(root: string) {
  const home = await temporaryFolder();
  spawnSync('rm', ['-rf', join(root, '.quarry')]);
  const { CI: _, ...inherited } = process.env;
  const env = { ...inherited, HOME: home, ...(values.ci && { CI: 'true' }) };
  for (const name of ['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR'])
    delete (env as NodeJS.ProcessEnv)[name];
  const flags = values.flags.split(' ').filter((flag) => flag !== '');
  const started = performance.now();
  const child = spawn(process.execPath, [values.program, 'search', values.question, '--json', ...flags], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  let seconds = 0;
  let cpu = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    // The result is one piece of output; what it took is read while the process is still there.
    seconds ||= (performance.now() - started) / 1000;
    cpu ||= cpuOf(child.pid);
    output += text;
  });
  await new Promise((resolve) => child.once('close', resolve));
  spawnSync(process.execPath, [values.program, 'stop'], { env });
  const { hits } = JSON.parse(output.slice(output.indexOf('{'))) as { hits: { path: string }[] };
  return { seconds, cpu, hits: hits.length, best: hits[0]?.path ?? '-' };
}

/** Seconds of CPU of a process so far; 0 where the system does not say it. */
function cpuOf(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

function timed(work: () => void): number {
  const started = performance.now();
  work();
  return (performance.now() - started) / 1000;
}
