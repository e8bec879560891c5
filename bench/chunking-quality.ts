// Token-level quality of chunk boundaries on a collection with character spans as relevance judgements: recall,
// precision, IoU and precision-omega at n = 5, with the bundled model alone and with the whole engine.
// Usage: npx node bench/chunking-quality.ts FOLDER [SETTING=VALUE …]   (FOLDER holds corpus.jsonl and queries.jsonl)
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chunksOf } from '../src/index/chunks-of.ts';
import { openProject, type Project } from '../src/index.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const retrieved = 5;

interface Range {
  readonly start: number;
  readonly end: number;
}
interface Query {
  readonly text: string;
  readonly corpus_id: string;
  readonly references: readonly Range[];
}

const [folder = '', ...pairs] = process.argv.slice(2);
const settings = Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
const lines = (name: string) =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const queries: Query[] = lines('queries.jsonl');

const project = await openProject(
  await temporaryFolder(
    Object.fromEntries(lines('corpus.jsonl').map(({ _id, text }) => [`${_id}.txt`, text])),
  ),
  {
    settings: {
      'search.by_document': false,
      'search.per_document': retrieved,
      'index.max_file_bytes': 50_000_000,
      ...settings,
    },
  },
);
for await (const event of project.index())
  if (event.type === 'document-failed') console.error(event.uri, event.reason);

const chunks = await allChunks(project);
const count = [...chunks.values()].flat().length;
const embedder = await project.embedder();
const tokens = [...chunks.values()].flat().reduce((sum, { text }) => sum + embedder.countTokens(text), 0);
console.log(
  `${count} chunks of ${Math.round(tokens / count)} tokens on average; ${JSON.stringify(settings)}`,
);
console.log('| retrieval | recall | precision | IoU | precision-omega |\n|---|---|---|---|---|');
for (const [name, denseWeight] of [
  ['model alone', 1],
  ['engine', undefined],
  ['text alone', 0],
] as const) {
  console.log(`| ${name} | ${(await measure(denseWeight)).join(' | ')} |`);
}
await project.close();

async function allChunks(opened: Project): Promise<Map<string, (Range & { text: string })[]>> {
  const store = await opened.store();
  const found = new Map<string, (Range & { text: string })[]>();
  for (const { id, uri } of await store.documents()) {
    const list = await chunksOf(store, id);
    found.set(
      uri.replace(/\.txt$/, ''),
      list.map(({ span, text }) => ({ start: span.start, end: span.end, text })),
    );
  }
  return found;
}

async function measure(denseWeight: number | undefined): Promise<string[]> {
  const rows: number[][] = [];
  for (const query of queries) {
    const { hits } = await project.search(query.text, {
      update: false,
      topK: retrieved,
      ...(denseWeight !== undefined && { denseWeight }),
    });
    const ranges = hits.map(({ document, chunk }) => ({
      corpus: document.uri.replace(/\.txt$/, ''),
      start: chunk.span.start,
      end: chunk.span.end,
    }));
    rows.push(scores(query, ranges));
  }
  return [0, 1, 2, 3].map((column) => {
    const values = rows.map((row) => 100 * (row[column] ?? 0));
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
    return `${mean.toFixed(1)} ± ${deviation.toFixed(1)}`;
  });
}

/** Recall, precision, IoU of what was retrieved, and precision-omega: of every chunk that touches a reference. */
function scores(query: Query, found: readonly (Range & { corpus: string })[]): number[] {
  const { references } = query;
  const own = found.filter(({ corpus }) => corpus === query.corpus_id);
  const hit = union(own.flatMap((chunk) => references.map((reference) => intersection(chunk, reference))));
  const size = (ranges: readonly Range[]) => ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  const wanted = size(union(references));
  const taken = size(found);
  const touching = (chunks.get(query.corpus_id) ?? []).filter((chunk) =>
    references.some((reference) => size([intersection(chunk, reference)]) > 0),
  );
  const covered = union(
    touching.flatMap((chunk) => references.map((reference) => intersection(chunk, reference))),
  );
  return [
    size(hit) / wanted,
    taken > 0 ? size(hit) / taken : 0,
    size(hit) / (taken + wanted - size(hit)),
    size(touching) > 0 ? size(covered) / (size(touching) + wanted - size(covered)) : 0,
  ];
}

function intersection(a: Range, b: Range): Range {
  const start = Math.max(a.start, b.start);
  return { start, end: Math.max(start, Math.min(a.end, b.end)) };
}

function union(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of ranges.filter(({ start, end }) => end > start).toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && range.start <= last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    else merged.push(range);
  }
  return merged;
}
