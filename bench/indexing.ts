// Indexing and querying 100 Markdown files (about 500 KB), compared with the physical limit: the model alone on the same
// texts in the same run. Usage: npx node bench/indexing.ts
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chunksOf } from '../src/index/chunks-of.ts';
import { openProject } from '../src/index.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const wantedFiles = 100;
const wantedBytes = 500_000;

/** Real Markdown: the documents that installed packages bring, in pieces of a common size. */
function markdownFiles(): Record<string, string> {
  const modules = new URL('../node_modules/', import.meta.url).pathname;
  const size = wantedBytes / wantedFiles;
  const pieces: string[] = [];
  for (const path of readdirSync(modules, { recursive: true }) as string[]) {
    if (!/\.md$/i.test(path) || !statSync(join(modules, path)).isFile()) continue;
    const text = readFileSync(join(modules, path), 'utf8');
    for (let at = 0; at + size <= text.length && at < 4 * size; at += size)
      pieces.push(text.slice(at, at + size));
  }
  return Object.fromEntries(pieces.slice(0, wantedFiles).map((text, at) => [`docs/${at}.md`, text]));
}

const files = markdownFiles();
const bytes = Object.values(files).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
const project = await openProject(await temporaryFolder(files));
let summary:
  | { chunks: { total: number; embedded: number }; seconds: { total: number; embedding: number } }
  | undefined;
const cpu = () => Object.values(process.cpuUsage()).reduce((sum, part) => sum + part / 1e6, 0);
const cpuBefore = cpu();
for await (const event of project.index()) if (event.type === 'index-end') summary = event.summary;
if (!summary) throw new Error('no summary');

const cpuIndexing = cpu() - cpuBefore;

const store = await project.store();
const embedder = await project.embedder();
const texts: string[] = [];
for (const { id } of await store.documents()) {
  for (const chunk of await chunksOf(store, id)) {
    texts.push(chunk.header ? `${chunk.header}\n\n${chunk.text}` : chunk.text);
  }
}
const started = performance.now();
const cpuStarted = cpu();
await embedder.embed([...new Set(texts)], { as: 'chunk' });
const modelAlone = (performance.now() - started) / 1000;
const cpuAlone = cpu() - cpuStarted;

const times: number[] = [];
for (const question of [
  'how do I install it?',
  'parse command line options',
  'license',
  'watch mode',
  'readFileSync',
]) {
  for (let run = 0; run < 5; run += 1) {
    const asked = performance.now();
    await project.search(`${question} ${run}`, { update: false });
    times.push(performance.now() - asked);
  }
}
times.sort((a, b) => a - b);
const { chunks, seconds } = summary;
console.log(`${Object.keys(files).length} files, ${(bytes / 1000).toFixed(0)} KB, ${chunks.total} chunks`);
console.log(
  `indexed in ${seconds.total.toFixed(1)} s: ${(chunks.total / seconds.total).toFixed(1)} chunks/s`,
);
console.log(`share of the model: ${((100 * seconds.embedding) / seconds.total).toFixed(0)} %`);
console.log(
  `model alone on the same texts: ${modelAlone.toFixed(1)} s, so indexing takes ${(seconds.total / modelAlone).toFixed(2)} x the limit`,
);
console.log(
  `CPU: indexing ${cpuIndexing.toFixed(1)} s, model alone ${cpuAlone.toFixed(1)} s, ${((1000 * cpuAlone) / new Set(texts).size).toFixed(1)} ms a text: ${(cpuIndexing / cpuAlone).toFixed(2)} x the limit`,
);
console.log(`warm query: p50 ${times[12]?.toFixed(1)} ms, p95 ${times[23]?.toFixed(1)} ms`);
console.log(`resident memory: ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`);
await project.close();
