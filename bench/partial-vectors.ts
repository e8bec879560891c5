// How well an index answers while only some of its chunks have a vector, against the same index with all of them, question
// by question.
//   npx node bench/partial-vectors.ts [--shares 0,0.1,0.5,1] [--limit N] [--ready] SET …   (sets as for bench/evaluate.ts)
// The vectors of the index come from the shared cache where it has them, in the order in which a run makes them. The
// questions are asked without that cache: what a search compares on the spot it has to make in its own time, on this
// machine as busy as it is. With --ready they are asked with the cache, so that nothing has to be made where it has all:
// the quality of a machine that is fast enough.
import { parseArgs } from 'node:util';
import { evaluateSet } from '../src/evaluation/evaluate-set.ts';
import type { EvaluatedSet } from '../src/evaluation/evaluation-result.ts';
import type { EvaluationSet, SetPart } from '../src/evaluation/evaluation-set.ts';
import { compare } from '../src/evaluation/measures/comparison.ts';
import { resultOf } from '../src/platform/streams.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { readSet } from './collections/read-set.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    shares: { type: 'string', default: '0,0.1,0.5,1' },
    limit: { type: 'string' },
    ready: { type: 'boolean', default: false },
  },
});
// Rising, so that one index serves all of them.
const shares = values.shares
  .split(',')
  .map(Number)
  .sort((one, other) => one - other);
const options = {
  cacheFolder: await temporaryFolder(),
  ...(values.limit !== undefined && { limit: Number(values.limit) }),
};

console.log('| set | questions | vectors | nDCG@10 | of the full index | difference | p50 ms | p95 ms |');
console.log('|---|---|---|---|---|---|---|---|');
for (const name of positionals) {
  const set = await readSet(name, options);
  const results: { readonly covered: number; readonly result: EvaluatedSet }[] = [];
  for (const share of shares) {
    const covered = await embedShare(set, share);
    results.push({ covered, result: await ask(set) });
  }
  const full = results.at(-1)?.result;
  if (full) for (const { covered, result } of results) console.log(rowOf(covered, result, full));
}

/** Reads the text, and adds vectors until this share of the chunks has one; returns the share that has. */
async function embedShare({ parts }: EvaluationSet, share: number): Promise<number> {
  let [embedded, chunks] = [0, 0];
  for (const part of parts) {
    const counts = await embedPart(part, share);
    embedded += counts.embedded;
    chunks += counts.chunks;
  }
  return embedded / chunks;
}

async function embedPart(part: SetPart, share: number) {
  const { project, close } = await part.open({});
  const enough = new AbortController();
  if (share === 0) enough.abort();
  for await (const event of project.index({ giveWay: enough.signal })) {
    if (event.type !== 'vectors-added' || share === 1) continue;
    const { counts } = await project.status({ compare: false });
    if (counts.embedded >= share * counts.chunks) enough.abort();
  }
  const { counts } = await project.status({ compare: false });
  await close();
  return counts;
}

/** Asks all questions, and adds no vector to the index. */
async function ask(set: EvaluationSet): Promise<EvaluatedSet> {
  const run = { name: 'engine', settings: values.ready ? {} : { 'cache.max_bytes': 0 } };
  return resultOf(evaluateSet(set, [run], { textOnly: true }));
}

function rowOf(covered: number, result: EvaluatedSet, full: EvaluatedSet): string {
  const { difference, interval, isReal } = compare(scoresOf(full), scoresOf(result));
  const [summary] = result.summaries;
  const ndcg = summary?.scores.ndcg_10 ?? 0;
  const bounds = interval.map((bound) => bound.toFixed(3)).join(' to ');
  return `| ${[
    result.name,
    result.questions.length,
    `${(100 * covered).toFixed(0)} %`,
    ndcg.toFixed(3),
    (ndcg / (full.summaries[0]?.scores.ndcg_10 || 1)).toFixed(3),
    `${isReal ? '**' : ''}${difference.toFixed(3)}${isReal ? '**' : ''} (${bounds})`,
    summary?.p50_ms.toFixed(0),
    summary?.p95_ms.toFixed(0),
  ].join(' | ')} |`;
}

function scoresOf({ questions }: EvaluatedSet): number[] {
  return questions.map(({ answers }) => answers.engine?.scores.ndcg_10 ?? 0);
}
