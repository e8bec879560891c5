// How fast files are read and cut, in MB/s of source: through the reading threads as `quarry index` uses them
// (decoding, secrets, syntax tree, tokens of the bundled model, identities), the code chunker alone, and other
// people's splitters on the same files in the same run. Each figure is the best of three rounds, threads warm.
// Usage: npx node bench/chunking.ts [FOLDER] [--peer DIR]
// FOLDER: source files, node_modules by default. DIR: a folder where the peers were installed, for example by
//   npm init -y && npm install --ignore-scripts @zilliz/claude-context-core @langchain/textsplitters @langchain/core
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createCodeChunker } from '../src/drivers/chunkers/code/code.ts';
import { languageOf } from '../src/drivers/chunkers/code/languages.ts';
import type { RawDocument } from '../src/indexing/read-document.ts';
import { bundledTokenizer } from '../src/models/tokenizers/bundled.ts';
import { mapConcurrently } from '../src/platform/map-concurrently.ts';
import { readingParts } from '../src/reading/reading.ts';
import { openReading } from '../src/reading/reading-pool.ts';
import { type Settings, settingsSchema } from '../src/settings/settings.ts';
import { loadPeers } from './chunking-peers.ts';
import { documentAt } from './document-at.ts';
import { megabytesOf, type SourceText, sourceTexts } from './source-files.ts';

const wantedBytes = 12_000_000;
const rounds = 3;

const { values, positionals } = parseArgs({ options: { peer: { type: 'string' } }, allowPositionals: true });
const folder = positionals[0] ?? fileURLToPath(new URL('../node_modules', import.meta.url));
const files = sourceTexts(folder, wantedBytes);
const code = files.filter(({ uri }) => languageOf(uri) !== undefined);
const tokenizer = bundledTokenizer();
const countTokens = (text: string) => tokenizer.encode(text).length;

console.log(`${files.length} files, ${megabytesOf(files).toFixed(1)} MB (${kindsOf(files)})`);
console.log('| what | MB/s | chunks | note |\n|---|---|---|---|');
const [one, two] = await measureThreads();
report('reading threads: 1', one, busy(one));
report('reading threads: 2', two, `${(two.speed / one.speed).toFixed(2)} x one thread; ${busy(two)}`);
report('code chunker alone', await measureChunker(code), `${code.length} files of code, in process`);
for (const peer of values.peer === undefined ? [] : loadPeers(values.peer)) {
  report(peer.name, await best(files, (file) => peer.split(file)), peer.note());
  const parsed = code.filter((file) => peer.parses(file));
  if (parsed.length === 0) continue;
  const theirs = await best(parsed, (file) => peer.split(file));
  const ours = await measureChunker(parsed);
  report(
    '  of these, what it parses',
    theirs,
    `${parsed.length} files, ${megabytesOf(parsed).toFixed(1)} MB`,
  );
  report('  code chunker on the same', ours, `${(ours.speed / theirs.speed).toFixed(1)} x the peer`);
}

interface Measure {
  readonly speed: number;
  readonly chunks: number;
  /** Share of the time in which the main thread worked: what no further reading thread can speed up. */
  readonly mainThread?: number;
}

function busy({ mainThread = 0 }: Measure): string {
  return `main thread busy ${(100 * mainThread).toFixed(0)} %`;
}

function report(name: string, { speed, chunks }: Measure, note: string): void {
  console.log(`| ${name} | ${speed.toFixed(2)} | ${chunks} | ${note} |`);
}

function settingsWith(threads: number): Settings {
  return settingsSchema.parse({ index: { file_seconds: 120 }, resources: { threads } });
}

/** One thread and two, in turns, so that whatever else the machine does meets both. */
async function measureThreads(): Promise<[Measure, Measure]> {
  const pools = [1, 2].map((threads) => openReading(settingsWith(threads)));
  const results: Measure[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, reading] of pools.entries()) {
      const started = performance.now();
      const idle = performance.eventLoopUtilization();
      let chunks = 0;
      for await (const outcome of mapConcurrently(files.map(rawOf), reading.concurrency, reading.read)) {
        if ('error' in outcome) console.log(`failed: ${outcome.item.file.uri}: ${outcome.error}`);
        else if (outcome.value.kind === 'document') chunks += outcome.value.chunks.length;
      }
      const speed = megabytesOf(files) / ((performance.now() - started) / 1000);
      // The first round loads grammars and lets the compiler settle.
      if (round === 0 || speed <= (results[index]?.speed ?? 0)) continue;
      results[index] = { speed, chunks, mainThread: performance.eventLoopUtilization(idle).utilization };
    }
  }
  for (const reading of pools) await reading.close();
  return results as [Measure, Measure];
}

async function measureChunker(chosen: readonly SourceText[]): Promise<Measure> {
  const { limitsFor } = readingParts(settingsWith(1), countTokens);
  const cutter = createCodeChunker();
  const cut = async (file: SourceText) =>
    (await cutter.chunk(documentAt(file.uri, file.text), limitsFor(documentAt(file.uri, '')))).drafts.length;
  for (const file of chosen.slice(0, 100)) await cut(file);
  return best(chosen, cut);
}

async function best(chosen: readonly SourceText[], work: (file: SourceText) => Promise<number>) {
  let result: Measure = { speed: 0, chunks: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    let chunks = 0;
    for (const file of chosen) chunks += await work(file);
    const speed = megabytesOf(chosen) / ((performance.now() - started) / 1000);
    if (speed > result.speed) result = { speed, chunks };
  }
  return result;
}

/** The bytes are handed over to a thread, so that each round needs its own copy. */
function rawOf({ uri, bytes }: SourceText): RawDocument {
  return { file: { uri, size: bytes.length, modifiedAt: Date.now() }, bytes: bytes.slice(), revision: '' };
}

function kindsOf(chosen: readonly SourceText[]): string {
  const counts = new Map<string, number>();
  for (const { uri } of chosen) {
    const kind = languageOf(uri) ?? uri.slice(uri.lastIndexOf('.') + 1);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
}
