// How well the bound on support tells claims that a document supports from others. Each claim is checked against the
// document that is known to be about it, against one drawn at random, and against the hardest of fifty drawn ones.
// Usage: npx node bench/answers/support.ts FOLDER [CLAIMS]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimOf, evidenceOf, supportBound, supportOf } from '../../src/answering/ask/support.ts';
import { draws } from '../../src/core/draws.ts';

const [folder = '', wanted = '400'] = process.argv.slice(2);
const rows = <Row>(name: string): Row[] =>
  readFileSync(join(folder, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
const documents = rows<{ _id: string | number; title?: string; text: string }>('corpus.jsonl').map((row) => ({
  id: String(row._id),
  evidence: evidenceOf(`${row.title ?? ''}\n${row.text}`),
}));
const byId = new Map(documents.map(({ id, evidence }) => [id, evidence]));
const gold = new Map<string, string[]>();
for (const line of readFileSync(join(folder, 'qrels.tsv'), 'utf8').trim().split('\n').slice(1)) {
  const [query = '', document = '', score = '0'] = line.split('\t');
  if (Number(score) > 0) gold.set(query, [...(gold.get(query) ?? []), document]);
}

const draw = draws(5);
const any = () => documents[Math.floor(draw() * documents.length)];
const supports = { known: [] as number[], random: [] as number[], hardest: [] as number[] };
for (const { _id, text } of rows<{ _id: string | number; text: string }>('queries.jsonl').slice(
  0,
  Number(wanted),
)) {
  const claim = claimOf(text);
  const right = gold.get(String(_id)) ?? [];
  if (!claim || right.length === 0) continue;
  const others = Array.from({ length: 50 }, any).filter((other) => other && !right.includes(other.id));
  const support = (id: string) => supportOf(claim, byId.get(id) ?? evidenceOf(''));
  supports.known.push(Math.max(...right.map(support)));
  supports.random.push(support(others[0]?.id ?? ''));
  supports.hardest.push(Math.max(...others.map((other) => support(other?.id ?? ''))));
}

const share = (values: number[], bound: number) =>
  (values.filter((value) => value >= bound).length / values.length).toFixed(3);
console.log(
  `${folder}: ${supports.known.length} claims; share that counts as supported (bound in use: ${supportBound})`,
);
console.log('| bound | by the known document | by a random one | by the hardest of 50 |\n|---|---|---|---|');
for (const bound of [0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8])
  console.log(
    `| ${bound} | ${share(supports.known, bound)} | ${share(supports.random, bound)} | ${share(supports.hardest, bound)} |`,
  );
