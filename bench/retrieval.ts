// Ranking quality on test collections, through the real engine: nDCG@10 of the engine, of vectors alone and of text
// alone. Usage: npx node bench/retrieval.ts FOLDER … [SETTING=VALUE …]
// A folder holds corpus.jsonl, queries.jsonl and qrels.tsv; or queries.jsonl alone with npm packages to index.
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { compare } from '../src/evaluation/comparison.ts';
import { mean } from '../src/evaluation/metrics.ts';
import { type EvaluatedSet, openPackageSets, openTextSets } from './retrieval-sets.ts';

const words = process.argv.slice(2);
const folders = words.filter((word) => !word.includes('='));
const settings = Object.fromEntries(
  words.filter((word) => word.includes('=')).map((word) => word.split('=')),
);
const modes = [
  ['engine', undefined],
  ['vectors', 1],
  ['text', 0],
] as const;

console.log(`settings: ${JSON.stringify(settings)}`);
console.log(
  '| set | engine | vectors | text | engine - text | chunks | p50 ms |\n|---|---|---|---|---|---|---|',
);
for (const folder of folders) {
  const sets = existsSync(`${folder}/corpus.jsonl`)
    ? openTextSets(folder, settings)
    : openPackageSets(folder, settings);
  const scores = new Map<string, number[]>(modes.map(([name]) => [name, []]));
  const times: number[] = [];
  let chunks = 0;
  for await (const set of sets) {
    chunks += set.chunks;
    await evaluate(set, scores, times);
    await set.close();
  }
  const cells = modes.map(([name]) => mean(scores.get(name) ?? []).toFixed(3));
  const { difference, interval, isReal } = compare(scores.get('text') ?? [], scores.get('engine') ?? []);
  const sign = `${difference >= 0 ? '+' : ''}${difference.toFixed(3)} [${interval.map((end) => end.toFixed(3)).join(', ')}]${isReal ? '' : ' (no real difference)'}`;
  times.sort((a, b) => a - b);
  console.log(
    `| ${basename(folder)} | ${cells.join(' | ')} | ${sign} | ${chunks} | ${times[times.length >> 1]?.toFixed(1)} |`,
  );
}

async function evaluate(set: EvaluatedSet, scores: Map<string, number[]>, times: number[]): Promise<void> {
  for (const question of set.questions) {
    for (const [name, denseWeight] of modes) {
      const started = performance.now();
      scores.get(name)?.push(await set.score(question, denseWeight));
      if (name === 'engine') times.push(performance.now() - started);
    }
  }
}
