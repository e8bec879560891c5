// What putting a context block before a prompt costs over the search alone, as a ratio, in one run over one index. Every
// question is different, so that no memory of answers helps.
// Usage: npx node bench/answers/inject.ts [FOLDER] [QUESTIONS]
import { openProject } from '../../src/index.ts';

const [folder = 'docs', questions = '200'] = process.argv.slice(2);
const project = await openProject(folder, { settings: { 'index.on_search': false } });
for await (const _ of project.index());
const words =
  'index search vector lock store chunk file setting server token answer model cache watch error'.split(' ');
const ask = (number: number) =>
  `how does the ${words[number % words.length]} ${words[(number * 7 + 3) % words.length]} work, case ${number}?`;
const times = { search: [] as number[], inject: [] as number[], sources: [] as number[] };
let number = 0;
const timed = async (work: (question: string) => Promise<unknown>): Promise<number> => {
  number += 1;
  const question = ask(number);
  const started = performance.now();
  await work(question);
  return performance.now() - started;
};
for (let round = 0; round < Number(questions) + 20; round += 1) {
  const search = await timed((question) => project.search(question));
  const inject = await timed((question) => project.inject('Answer.', question, { threshold: 0 }));
  const sources = await timed((question) =>
    project.inject('Answer.', question, { threshold: 0, format: 'sources' }),
  );
  if (round < 20) continue; // The first ones warm caches and compilers.
  times.search.push(search);
  times.inject.push(inject);
  times.sources.push(sources);
}
await project.close();
const at = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
console.log('| | p50 ms | p95 ms | p50 to search |\n|---|---|---|---|');
for (const [name, values] of Object.entries(times))
  console.log(
    `| ${name} | ${at(values, 0.5).toFixed(1)} | ${at(values, 0.95).toFixed(1)} | ${(at(values, 0.5) / at(times.search, 0.5)).toFixed(2)} |`,
  );
