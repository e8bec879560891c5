// How long a new project waits until it can be searched by meaning, against the time until all of its vectors are made. Each
// round copies the files, reads them as a first search does, and asks while vectors are made in the background. The first
// round is that of a new process: the next ones find its code compiled and its models loaded.
//   npx node bench/first-meaning.ts [--files 800] [--rounds 3] [--whole] [FOLDER]     (FOLDER: its files are used; by default our own)
// With --whole the last round continues until all vectors are there.
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openProject, type Project } from '../src/index.ts';
import { settlingMilliseconds } from '../src/indexing/scan.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { type SourceText, sourceTexts } from './source-files.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: 'string', default: '800' },
    rounds: { type: 'string', default: '3' },
    whole: { type: 'boolean', default: false },
  },
});
const own = fileURLToPath(new URL('../src', import.meta.url));
const found = sourceTexts(positionals[0] ?? own, Number.POSITIVE_INFINITY);
const files = spreadOver(found, Number(values.files));
const questions = [
  'how are secrets kept out of the index?',
  'what happens when the disk is full?',
  'who may call what over the network',
  'how does a moved file keep its vectors',
  'wait until another process is done',
];

console.log(
  '| round | files | chunks | text s | first answer by meaning s | compared | later answers p50 ms |',
);
console.log('|---|---|---|---|---|---|---|');
for (let round = 1; round <= Number(values.rounds); round += 1) {
  // Without the shared cache: what an earlier round made must not help.
  const folder = await temporaryFolder(Object.fromEntries(files.map(({ uri, bytes }) => [uri, bytes])));
  // Files that have just changed are read once more by the next run, which those of a project seldom are.
  await setTimeout(2 * settlingMilliseconds);
  const project = await openProject(folder, { settings: { 'cache.max_bytes': 0 } });
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  for await (const _ of project.index({ giveWay: AbortSignal.abort() }));
  const text = seconds();
  const stop = new AbortController();
  const isLast = values.whole && round === Number(values.rounds);
  const vectors = makeVectors(project, stop.signal);
  const first = await ask(project, questions[0] ?? '');
  const meaning = seconds();
  const times: number[] = [];
  for (const question of questions.slice(1)) {
    const asked = performance.now();
    await ask(project, question);
    times.push(performance.now() - asked);
  }
  const { counts } = await project.status({ compare: false });
  console.log(
    `| ${[
      round,
      files.length,
      counts.chunks,
      text.toFixed(1),
      meaning.toFixed(1),
      `${first.compared} of ${first.hits}`,
      times.sort((one, other) => one - other)[Math.floor(times.length / 2)]?.toFixed(0),
    ].join(' | ')} |`,
  );
  if (!isLast) stop.abort();
  await vectors;
  if (isLast) console.log(`all vectors: ${seconds().toFixed(1)} s`);
  await project.close();
}

/** How many of the hits were compared with the question by their vectors. */
async function ask(project: Project, question: string) {
  const { hits } = await project.search(question, { update: false, topK: 20 });
  return {
    hits: hits.length,
    compared: hits.filter(({ trace }) => trace.some(({ stage }) => stage === 'dense')).length,
  };
}

/** The run that an engine does in the background. */
async function makeVectors(project: Project, giveWay: AbortSignal): Promise<void> {
  for await (const event of project.index({ giveWay }))
    if (event.type === 'vectors-failed') throw event.error;
}

function spreadOver(all: readonly SourceText[], wanted: number): SourceText[] {
  const keep = Math.min(1, wanted / all.length);
  return all.filter((_, index) => Math.floor((index + 1) * keep) > Math.floor(index * keep));
}
