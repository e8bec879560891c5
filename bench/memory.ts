// Peak resident memory of a first index with the bundled model, for several numbers of files, and for the smallest of
// them under limits of `resources.memory_mb`.
// Usage: npx node bench/memory.ts [--sizes 1000,5000,20000] [--limits 400] [--set KEY=VALUE …]
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openProject } from '../src/index.ts';
import { keepWasmLean } from '../src/platform/lean-wasm.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const { values, positionals } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,5000,20000' },
    limits: { type: 'string', default: '400' },
    set: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
});
if (positionals[0] === undefined) await compareSizes();
else await indexOnce(positionals[0]);

async function compareSizes(): Promise<void> {
  const sizes = values.sizes.split(',').map(Number);
  const limits = values.limits.split(',').filter(Boolean).map(Number);
  console.log(
    '| files | memory_mb | chunks | seconds | files/s | peak MB | peak MiB |\n|---|---|---|---|---|---|---|',
  );
  for (const size of sizes) await report(size);
  for (const limit of limits) await report(Math.min(...sizes), limit);
}

async function report(size: number, limit?: number): Promise<void> {
  const folder = await temporaryFolder(corpus(size));
  const pairs = [...values.set, ...(limit === undefined ? [] : [`resources.memory_mb=${limit}`])];
  const words = [fileURLToPath(import.meta.url), folder, ...pairs.flatMap((pair) => ['--set', pair])];
  const output = execFileSync(process.execPath, words, { encoding: 'utf8' });
  const { chunks, seconds, bytes } = JSON.parse(output.trim().split('\n').at(-1) ?? '{}');
  const peak = `${Math.round(bytes / 1e6)} | ${Math.round(bytes / 2 ** 20)}`;
  const speed = `${seconds.toFixed(1)} | ${Math.round(size / seconds)}`;
  console.log(`| ${size} | ${limit ?? 'default'} | ${chunks} | ${speed} | ${peak} |`);
}

async function indexOnce(folder: string): Promise<void> {
  keepWasmLean(); // As the command line does.
  const settings = { 'cache.max_bytes': 0, ...Object.fromEntries(values.set.map((pair) => pair.split('='))) };
  const project = await openProject(folder, { settings });
  const started = performance.now();
  let chunks = 0;
  for await (const event of project.index())
    if (event.type === 'index-end') chunks = event.summary.chunks.total;
  const seconds = (performance.now() - started) / 1000;
  await project.close();
  console.log(JSON.stringify({ chunks, seconds, bytes: peakBytes() }));
}

/** The peak of this process alone: getrusage may report that of the process it was forked from. */
function peakBytes(): number {
  const line = existsSync('/proc/self/status')
    ? /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))
    : undefined;
  return Number(line?.[1] ?? process.resourceUsage().maxRSS) * 1024;
}

/** Three kinds of small files, each different from all others; one in fifty is large. */
function corpus(size: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: size }, (_, index) => {
      const name = `value${index}`;
      const code = `/** Gives ${name} plus a number. */\nexport function ${name}(by: number): number {\n  return by + ${index};\n}\n`;
      const prose = `# Page ${index}\n\nThis page is about ${name} and what it is good for.\n`;
      const repeated = index % 50 === 0 ? 40 : 1;
      const kind = index % 3;
      if (kind === 0) return [`src/part-${index % 97}/${name}.ts`, code.repeat(repeated)];
      if (kind === 1) return [`docs/${index % 89}/${name}.md`, prose.repeat(repeated)];
      return [
        `data/${index % 83}/${name}.json`,
        JSON.stringify({ name, index, note: `the number ${index}` }),
      ];
    }),
  );
}
