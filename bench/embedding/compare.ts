// Tokens a second and CPU seconds per 1,000 tokens of the bundled model, ours and through the pipeline of
// @huggingface/transformers with the same weights, in alternating runs; and how far their vectors agree.
// Usage: npx node bench/embedding/compare.ts --peer FOLDER [--texts N] [--rounds N]
// FOLDER is one in which `npm install @huggingface/transformers` was run.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

interface Run {
  readonly tokens: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly tokenizing: number;
  readonly memory: number;
}

const { values } = parseArgs({
  options: {
    peer: { type: 'string', default: '' },
    texts: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '3' },
  },
});
const engines = values.peer ? ['ours', 'pipeline', 'pipeline-batches'] : ['ours'];
const folder = mkdtempSync(join(tmpdir(), 'quarry-bench-'));
const program = fileURLToPath(new URL('./engine.ts', import.meta.url));
const runs = new Map<string, Run[]>(engines.map((engine) => [engine, []]));
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const engine of engines) {
    const words = [program, engine, values.texts, values.peer, join(folder, engine)];
    const output = execFileSync(process.execPath, words, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    runs.get(engine)?.push(JSON.parse(output.trim().split('\n').at(-1) ?? '{}'));
  }
}

const ours = best('ours');
const share = (100 * ours.tokenizing) / ours.cpuSeconds;
console.log(`${values.texts} texts, ${ours.tokens} tokens, best of ${values.rounds} alternating runs`);
console.log(
  '| engine | tokens/s | CPU s per 1,000 tokens | resident MiB | ours is | cosine to ours, least |',
);
console.log('|---|---|---|---|---|---|');
for (const engine of engines) {
  const { tokens, seconds, cpuSeconds, memory } = best(engine);
  const cells = [
    engine,
    Math.round(tokens / seconds),
    ((1000 * cpuSeconds) / tokens).toFixed(4),
    memory,
    `${(seconds / ours.seconds).toFixed(2)} x`,
    minCosine(engine).toFixed(4),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
console.log(
  `tokenizer: ${(ours.tokens / ours.tokenizing / 1e6).toFixed(1)} M tokens/s, ${share.toFixed(1)} % of the CPU time`,
);

function best(engine: string): Run {
  const all = runs.get(engine) ?? [];
  return all.reduce((min, run) => (run.seconds < min.seconds ? run : min));
}

function minCosine(engine: string): number {
  const mine = vectorsOf('ours');
  const theirs = vectorsOf(engine);
  let min = 1;
  for (let row = 0; row * 384 < mine.length; row += 1) {
    let cosine = 0;
    for (let at = row * 384; at < (row + 1) * 384; at += 1) cosine += (mine[at] ?? 0) * (theirs[at] ?? 0);
    min = Math.min(min, cosine);
  }
  return min;
}

function vectorsOf(engine: string): Float32Array {
  const bytes = readFileSync(join(folder, engine));
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
}
