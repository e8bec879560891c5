// Peak resident memory of a first index with the bundled model, for several numbers of files.
// Usage: npx node bench/memory.ts [--sizes 1000,5000,20000] [--set KEY=VALUE …]
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openProject } from '../src/index.ts';
import { temporaryFolder } from '../src/testing/temporary-folder.ts';

const { values, positionals } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,5000,20000' },
    set: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
});
if (positionals[0] === undefined) await compareSizes();
else await indexOnce(positionals[0]);

async function compareSizes(): Promise<void> {
  console.log('| files | chunks | seconds | peak resident MiB |\n|---|---|---|---|');
  for (const size of values.sizes.split(',').map(Number)) {
    const folder = await temporaryFolder(corpus(size));
    const words = [fileURLToPath(import.meta.url), folder, ...values.set.flatMap((pair) => ['--set', pair])];
    const output = execFileSync(process.execPath, words, { encoding: 'utf8' });
    const { chunks, seconds, megabytes } = JSON.parse(output.trim().split('\n').at(-1) ?? '{}');
    console.log(`| ${size} | ${chunks} | ${seconds.toFixed(0)} | ${Math.round(megabytes)} |`);
  }
}

async function indexOnce(folder: string): Promise<void> {
  const settings = { 'cache.max_bytes': 0, ...Object.fromEntries(values.set.map((pair) => pair.split('='))) };
  const project = await openProject(folder, { settings });
  const started = performance.now();
  let chunks = 0;
  for await (const event of project.index())
    if (event.type === 'index-end') chunks = event.summary.chunks.total;
  const seconds = (performance.now() - started) / 1000;
  await project.close();
  console.log(JSON.stringify({ chunks, seconds, megabytes: peakMegabytes() }));
}

/** The peak of this process alone: what getrusage tells may be that of the process it was forked from. */
function peakMegabytes(): number {
  const line = existsSync('/proc/self/status')
    ? /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))
    : undefined;
  return Number(line?.[1] ?? process.resourceUsage().maxRSS) / 1024;
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
