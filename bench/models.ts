// Two embedding models question by question on the same collections, fused with text search: is the difference real?
// Usage: npx node bench/models.ts FIRST SECOND FOLDER …
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { compare } from '../src/evaluation/comparison.ts';
import { mean } from '../src/evaluation/metrics.ts';
import { openPackageSets, openTextSets } from './retrieval-sets.ts';

const [first = '', second = '', ...folders] = process.argv.slice(2);
console.log(`| set | ${first} | ${second} | difference |\n|---|---|---|---|`);
for (const folder of folders) {
  const before = await scores(folder, first);
  const after = await scores(folder, second);
  const { difference, interval, isReal } = compare(before, after);
  const range = interval.map((end) => end.toFixed(3)).join(', ');
  const verdict = `${difference >= 0 ? '+' : ''}${difference.toFixed(3)} [${range}]${isReal ? '' : ' (no real difference)'}`;
  console.log(
    `| ${basename(folder)} | ${mean(before).toFixed(3)} | ${mean(after).toFixed(3)} | ${verdict} |`,
  );
}

async function scores(folder: string, model: string): Promise<number[]> {
  const settings = { 'embedder.model': model };
  const sets = existsSync(`${folder}/corpus.jsonl`)
    ? openTextSets(folder, settings)
    : openPackageSets(folder, settings);
  const all: number[] = [];
  for await (const set of sets) {
    for (const question of set.questions) all.push(await set.score(question, undefined));
    await set.close();
  }
  return all;
}
