// A warm question through the whole engine against the sum of its raw parts (embedding the question, vector search, text
// search) over the same index, in the same run. Questions are all different, so that no memory of answers helps.
// Usage: npx node bench/query.ts [CHUNKS] [QUESTIONS]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { draws } from '../src/core/draws.ts';
import { searchCandidates } from '../src/core/search-options.ts';
import { queryTerms } from '../src/core/text/terms.ts';
import { addVectors, putDocument } from '../src/index/write.ts';
import { openProject } from '../src/index.ts';
import { chunkEntries, documentRecord } from '../src/testing/documents.ts';
import { documents, openVectors } from './store/dataset.ts';

const [chunks = '100000', questions = '200'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'quarry-query-'));
const project = await openProject(folder);
for await (const _ of project.index());
const store = await project.store();
const embedder = await project.embedder();
await embedder.load?.();
for (const document of documents(openVectors(chunks, 1))) {
  const record = documentRecord(document.uri);
  const entries = chunkEntries(record, document.texts.map(inLetters));
  await putDocument(store, { document: record, chunks: entries });
  const vectors = entries.map(({ embeddingKey }, index) => ({
    embeddingKey,
    vector: document.vectors[index] ?? new Float32Array(),
  }));
  await addVectors(store, embedder.fingerprint, vectors);
}

const draw = draws(11);
const word = () => inLetters(`w${Math.floor(20_000 * draw() ** 3).toString(36)}`);
const ask = () => `how does ${word()} ${word()} get its ${word()} from the ${word()} ${word()}?`;
const limit = searchCandidates;
const times = {
  embed: [] as number[],
  vector: [] as number[],
  text: [] as number[],
  parts: [] as number[],
  engine: [] as number[],
};
for (let number = 0; number < Number(questions) + 20; number += 1) {
  const question = ask();
  const [vector, embed] = await timed(async () => (await embedder.embed([question], { as: 'query' }))[0]);
  const [, vectors] = await timed(() =>
    store.searchVector(embedder.fingerprint, vector ?? new Float32Array(), { limit }),
  );
  const [, text] = await timed(() => store.searchText(queryTerms(question), { limit }));
  const [, engine] = await timed(() => project.search(ask(), { update: false }));
  if (number < 20) continue; // The first ones warm caches and compilers.
  times.embed.push(embed);
  times.vector.push(vectors);
  times.text.push(text);
  times.parts.push(embed + vectors + text);
  times.engine.push(engine);
}
console.log(`${chunks} chunks, ${questions} questions, ${limit} candidates each`);
console.log('| | p50 ms | p95 ms |\n|---|---|---|');
for (const [name, values] of Object.entries(times))
  console.log(`| ${name} | ${at(values, 0.5)} | ${at(values, 0.95)} |`);
console.log(
  `engine / parts, median: ${(Number(at(times.engine, 0.5)) / Number(at(times.parts, 0.5))).toFixed(2)}`,
);
await project.close();
rmSync(folder, { recursive: true });

async function timed<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  const started = performance.now();
  return [await work(), performance.now() - started];
}

function at(values: readonly number[], share: number): string {
  return (values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] ?? 0).toFixed(2);
}

/** The words of the stores' data have digits in them, which text search takes apart: here they are plain words. */
function inLetters(text: string): string {
  return text.replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '');
}
