// What a closer look costs, and whether it keeps to its budget on a busy machine: the time of a search with the reranker `maxsim`
// against the same search without it, while other processes want the processor too. With sketches that are kept, and where
// each has to be made.
//   npx node bench/rerank-budget.ts [--busy 4] [--budget 120] [--questions 60]
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openProject } from '../src/index.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const { values } = parseArgs({
  options: {
    busy: { type: 'string', default: '4' },
    budget: { type: 'string', default: '120' },
    questions: { type: 'string', default: '60' },
  },
});
const folder = fileURLToPath(new URL('../docs/decisions', import.meta.url));
const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
const place = await temporaryFolder(files);
// What stands in bold begins a paragraph: each is about something that the folder answers.
const phrases = Object.values(files).flatMap((text) =>
  [...text.matchAll(/\*\*(.{20,80}?)\*\*/g)].map(([, said = '']) => said),
);
const questions = phrases.slice(0, Number(values.questions));

const settings = { 'reranker.driver': 'maxsim', 'reranker.budget_ms': Number(values.budget) };
const runs = {
  'without a reranker': { 'search.off': ['rerank'] },
  'maxsim, sketches kept': {},
  [`maxsim, sketches made within ${values.budget} ms`]: { 'cache.max_bytes': 0 },
};
const spinning = Array.from({ length: Number(values.busy) }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
try {
  console.log(`${values.busy} busy processes, ${questions.length} questions`);
  console.log('| | p50 ms | p95 ms | longest ms | chunks scored, mean |\n|---|---|---|---|---|');
  for (const [name, further] of Object.entries(runs)) {
    const project = await openProject(place, { settings: { ...settings, ...further } });
    for await (const _ of project.index());
    await project.search('warm up', { update: false });
    const times: number[] = [];
    let scored = 0;
    for (const question of questions) {
      const started = performance.now();
      const { hits } = await project.search(question, { update: false, topK: 20 });
      times.push(performance.now() - started);
      scored += hits.filter(({ trace }) => trace.some(({ stage }) => stage === 'rerank')).length;
    }
    times.sort((one, other) => one - other);
    const at = (share: number) =>
      (times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0).toFixed(0);
    console.log(
      `| ${name} | ${at(0.5)} | ${at(0.95)} | ${at(1)} | ${(scored / questions.length).toFixed(1)} |`,
    );
    await project.close();
  }
} finally {
  for (const child of spinning) child.kill();
}
