// Every file of real packages through the real source and the real reading, without embedding, and what the contract
// promises checked for each: it settles, all of its text is in some chunk, spans are valid, sizes are kept.
// Usage: npx node bench/corpus.ts FOLDER …   (each folder is walked as a project of its own)
import { resolve } from 'node:path';
import type { Source, SourceFile } from '../src/contracts/source.ts';
import type { SkippedPath } from '../src/core/events.ts';
import { languageOf } from '../src/drivers/chunkers/code/languages.ts';
import { createLocalSource } from '../src/drivers/sources/local/local-source.ts';
import { type RawDocument, type ReadingParts, readDocument } from '../src/indexing/read-document.ts';
import { bundledTokenizer } from '../src/models/tokenizers/bundled.ts';
import { mapConcurrently } from '../src/platform/map-concurrently.ts';

import { formatOf } from '../src/reading/formats.ts';
import { maxBytes } from '../src/reading/max-bytes.ts';
import { readingParts } from '../src/reading/reading.ts';
import { openReading } from '../src/reading/reading-pool.ts';
import { chunkSizes } from '../src/settings/chunk-sizes.ts';
import { settingsSchema } from '../src/settings/settings.ts';
import { type CutText, checkChunks } from './chunk-checks.ts';
import { countInto, printCounts } from './counts.ts';

interface CorpusFile {
  readonly folder: string;
  readonly source: Source;
  readonly file: SourceFile;
}

const shownFiles = 10;
const settings = settingsSchema.parse({});
const tokenizer = bundledTokenizer();
const countTokens = (text: string) => tokenizer.encode(text).length;
const counts = {
  files: new Map<string, number>(),
  degraded: new Map<string, number>(),
  skipped: new Map<string, number>(),
  failed: new Map<string, number>(),
  defects: new Map<string, number>(),
  oversize: new Map<string, number>(),
};
const examples = new Map<string, string>();
const times: { readonly name: string; readonly milliseconds: number }[] = [];
let bytes = 0;
let chunks = 0;

const files = await scan(process.argv.slice(2).map((folder) => resolve(folder)));
const settled = await readInThreads(files);
await checkInProcess(settled);
report();

async function scan(folders: readonly string[]): Promise<CorpusFile[]> {
  const { include, exclude, gitignore } = settings.index;
  const found: CorpusFile[] = [];
  for (const folder of folders) {
    const source = createLocalSource({
      root: folder,
      include,
      exclude,
      maxFileBytes: (uri) => maxBytes(uri, settings.index),
      useGitignore: gitignore,
      environment: () => undefined,
    });
    for await (const entry of source.scan()) {
      if (entry.kind === 'file') found.push({ folder, source, file: entry.file });
      else countSkip(entry.skipped);
    }
  }
  return found;
}

function countSkip({ reason }: SkippedPath): void {
  countInto(counts.skipped, reason);
}

async function rawOf({ source, file }: CorpusFile): Promise<RawDocument> {
  return { file, bytes: await source.read(file.uri), revision: '' };
}

/** The threads limit time and memory: what fails here is reported and affects nothing else. */
async function readInThreads(all: readonly CorpusFile[]): Promise<Map<CorpusFile, number>> {
  const reading = openReading(settings);
  const done = new Map<CorpusFile, number>();
  const read = async (item: CorpusFile) => reading.read(await rawOf(item));
  for await (const outcome of mapConcurrently(all, reading.concurrency, read)) {
    const { file } = outcome.item;
    bytes += file.size;
    countInto(counts.files, languageOf(file.uri) ?? formatOf(file.uri).mediaType);
    if ('error' in outcome) note('failed', String(outcome.error), nameOf(outcome.item));
    else if (outcome.value.kind === 'skipped') countSkip(outcome.value.skipped);
    else {
      done.set(outcome.item, outcome.value.chunks.length);
      if (outcome.value.degraded) note('degraded', generalised(outcome.value.degraded), nameOf(outcome.item));
    }
  }
  await reading.close();
  return done;
}

/** Once more here, where the text that was cut can be compared with its chunks. */
async function checkInProcess(expected: ReadonlyMap<CorpusFile, number>): Promise<void> {
  const parts = readingParts(settings, countTokens);
  for (const [item, chunksInThread] of expected) {
    const raw = await rawOf(item);
    const { watched, cut } = watching(parts);
    const started = performance.now();
    const read = await readDocument(raw, watched);
    times.push({ name: nameOf(item), milliseconds: performance.now() - started });
    const seen = cut();
    if (read.kind === 'skipped' || seen === undefined) continue;
    chunks += read.chunks.length;
    const kind = languageOf(item.file.uri) ?? formatOf(item.file.uri).chunker;
    if (read.chunks.length !== chunksInThread) note('defects', 'the thread cut it differently', nameOf(item));
    for (const defect of checkChunks(seen, read.chunks)) note('defects', defect, nameOf(item));
    for (const { chunk } of read.chunks) {
      const tokens = countTokens(chunk.text);
      const { code_max_tokens, max_tokens } = chunkSizes(settings.chunking.sizes);
      if (tokens <= (languageOf(item.file.uri) ? code_max_tokens : max_tokens)) continue;
      note('oversize', kind, `${nameOf(item)}:${chunk.span.firstLine} (${tokens} tokens)`);
    }
  }
}

/** The same parts, recording the text that reaches the chunker. */
function watching(parts: ReadingParts): { watched: ReadingParts; cut: () => CutText | undefined } {
  let seen: CutText | undefined;
  const watched: ReadingParts = {
    ...parts,
    async chunkerFor(document, wanted) {
      seen = { text: document.text };
      return parts.chunkerFor(document, wanted);
    },
  };
  return { watched, cut: () => seen };
}

function nameOf({ folder, file }: CorpusFile): string {
  return `${folder.slice(folder.lastIndexOf('/') + 1)}/${file.uri}`;
}

/** A reason without the numbers of one file, so that equal ones are counted together. */
function generalised(reason: string): string {
  return reason.replace(/\d+(?:[.,]\d+)*/g, 'N');
}

function note(table: 'failed' | 'degraded' | 'defects' | 'oversize', reason: string, example: string): void {
  countInto(counts[table], reason);
  const key = `${table}:${reason}`;
  if (!examples.has(key)) examples.set(key, example);
}

function report(): void {
  console.log(
    `${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, ${settled.size} read, ${chunks} chunks`,
  );
  for (const [title, table] of Object.entries(counts)) {
    printCounts(title, table, (reason) => examples.get(`${title}:${reason}`) ?? '');
  }
  console.log('\nslowest files');
  for (const { name, milliseconds } of times
    .toSorted((a, b) => b.milliseconds - a.milliseconds)
    .slice(0, shownFiles)) {
    console.log(`| ${milliseconds.toFixed(0)} ms | ${name} |`);
  }
}
