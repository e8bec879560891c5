// Fits the curve from cosine and ranking score to the likelihood of relevance, on one half of the questions of
// several collections, and reports how it holds on the other half and on off-topic questions.
// Usage: npx node bench/calibration.ts FOLDER FOLDER …
import type { Hit } from '../src/index.ts';
import { type EvaluatedSet, openTextSets } from './retrieval-sets.ts';

const questionsPerSet = 160;
const hitsPerQuestion = 10;

interface Row {
  readonly cosine: number;
  readonly score: number;
  readonly isRelevant: boolean;
}

const sets: EvaluatedSet[] = [];
for (const folder of process.argv.slice(2)) {
  // One scope of a scoped collection is enough.
  for await (const set of openTextSets(folder, {})) {
    sets.push(set);
    break;
  }
}
const fitRows: Row[] = [];
const testRows: Row[] = [];
for (const set of sets) {
  const picked = set.questions.slice(0, questionsPerSet);
  for (const [index, question] of picked.entries()) {
    const { hits } = await set.project.search(question.text, { topK: hitsPerQuestion });
    const rows = hits.map((hit) => rowOf(hit, hits, question.relevant.has(set.nameOf(hit.document.uri))));
    (index % 2 === 0 ? fitRows : testRows).push(...rows);
  }
}
const offTopic: Row[][] = [];
for (const [index, set] of sets.entries()) {
  const other = sets[(index + 1) % sets.length] ?? set;
  for (const question of other.questions.slice(0, 60)) {
    const { hits } = await set.project.search(question.text, { topK: 5 });
    offTopic.push(hits.map((hit) => rowOf(hit, hits, false)));
  }
}
fitRows.push(...offTopic.filter((_, index) => index % 2 === 0).flat());

const curve = fitCurve(fitRows);
const likelihood = (row: Row) => 1 / (1 + Math.exp(-logitOf(curve, row)));
console.log(`fitted on ${fitRows.length} hits: ${JSON.stringify(curve)}`);
console.log('| relevance at least | hits of the other half | of them relevant |\n|---|---|---|');
for (const level of [0.1, 0.3, 0.5, 0.6, 0.7, 0.8]) {
  const above = testRows.filter((row) => likelihood(row) >= level);
  const share = above.filter((row) => row.isRelevant).length / Math.max(1, above.length);
  console.log(`| ${level} | ${above.length} of ${testRows.length} | ${share.toFixed(2)} |`);
}
const heldOut = offTopic.filter((_, index) => index % 2 === 1);
for (const level of [0.3, 0.5, 0.7]) {
  const returned = heldOut.filter((rows) => rows.some((row) => likelihood(row) >= level)).length;
  console.log(`off-topic questions that return anything at ${level}: ${returned} of ${heldOut.length}`);
}
for (const set of sets) await set.close();

function rowOf(hit: Hit, all: readonly Hit[], isRelevant: boolean): Row {
  const cosineOf = ({ trace }: Hit) => trace.find(({ stage }) => stage === 'dense')?.score;
  const seen = all.map(cosineOf).filter((value) => value !== undefined);
  return { cosine: cosineOf(hit) ?? Math.min(...seen, 0.2), score: hit.score, isRelevant };
}

type Weights = Record<'bias' | 'cosine' | 'score', number>;

function logitOf(weights: Weights, row: Row): number {
  return weights.bias + weights.cosine * row.cosine + weights.score * row.score;
}

/** Logistic regression by plain gradient descent; the inputs are few and of one scale. */
function fitCurve(rows: readonly Row[]): Weights {
  const weights: Weights = { bias: 0, cosine: 0, score: 0 };
  const rate = 4 / rows.length;
  for (let step = 0; step < 20_000; step += 1) {
    const slope: Weights = { bias: 0, cosine: 0, score: 0 };
    for (const row of rows) {
      const error = 1 / (1 + Math.exp(-logitOf(weights, row))) - (row.isRelevant ? 1 : 0);
      slope.bias += error;
      slope.cosine += error * row.cosine;
      slope.score += error * row.score;
    }
    for (const name of Object.keys(weights) as (keyof Weights)[]) weights[name] -= rate * slope[name];
  }
  for (const name of Object.keys(weights) as (keyof Weights)[])
    weights[name] = Number(weights[name].toFixed(2));
  return weights;
}
