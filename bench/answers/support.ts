// How well the bound on support tells claims that a document supports from others. Each claim is checked against the
// document that is known to be about it, against one drawn at random, and against the hardest of fifty drawn ones. Then the
// sentences of documents are checked against their own document, as they are and turned into their opposite.
// Usage: npx node bench/answers/support.ts FOLDER [CLAIMS]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sentencesOf } from '../../src/answering/ask/sentences.ts';
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

const verb = /\b(is|are|was|were|can|could|may|will|should|has|have|does|do)\b(?! not\b| no\b)/;
const denied = /\b(is|are|was|were|can|could|may|will|should|has|have|does|do)( not)\b/;
const turned = { own: 0, added: 0, addedCaught: 0, removed: 0, removedCaught: 0, falselyCaught: 0 };
const isSupported = (sentence: string, evidence: ReturnType<typeof evidenceOf>): boolean => {
  const claim = claimOf(sentence);
  return claim !== undefined && supportOf(claim, evidence) >= supportBound;
};
for (const { text } of rows<{ text: string }>('corpus.jsonl').slice(0, 1000)) {
  const evidence = evidenceOf(text);
  for (const { text: sentence } of sentencesOf(text)) {
    if (!claimOf(sentence)) continue;
    turned.own += 1;
    if (!isSupported(sentence, evidence)) turned.falselyCaught += 1;
    if (denied.test(sentence)) {
      turned.removed += 1;
      if (!isSupported(sentence.replace(denied, '$1'), evidence)) turned.removedCaught += 1;
    } else if (verb.test(sentence)) {
      turned.added += 1;
      if (!isSupported(sentence.replace(verb, '$1 not'), evidence)) turned.addedCaught += 1;
    }
  }
}
console.log(`sentences against their own document: ${turned.falselyCaught} of ${turned.own} not supported`);
console.log(`with a "not" added: ${turned.addedCaught} of ${turned.added} caught`);
console.log(`with their "not" removed: ${turned.removedCaught} of ${turned.removed} caught`);
