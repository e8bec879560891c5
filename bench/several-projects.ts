// A warm question to several projects at once against the same question to each of them alone, in the same run.
// Questions are all different, so that no memory of answers helps.
// Usage: npx node bench/several-projects.ts [PROJECTS] [CHUNKS] [QUESTIONS]
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { draws } from '../src/core/draws.ts';
import { addVectors, putDocument } from '../src/index/write.ts';
import { openProject, type Project } from '../src/index.ts';
import { processEnvironment } from '../src/platform/environment.ts';
import { severalProjects } from '../src/several/several-projects.ts';
import { chunkEntries, documentRecord } from '../src/testing/documents.ts';
import { documents, openVectors } from './store/dataset.ts';

const [count = '10', chunks = '20000', questions = '40'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'quarry-several-'));
const projects: Project[] = [];
for (let number = 0; number < Number(count); number += 1) projects.push(await filled(number));
const members = projects.map((project, number) => ({
  name: `p${String.fromCharCode(97 + number)}`,
  folder: project.folder,
  use: <Result>(work: (project: Project) => Promise<Result>) => work(project),
}));
const several = severalProjects(members, { environment: processEnvironment });

const draw = draws(11);
const word = () => inLetters(`w${Math.floor(20_000 * draw() ** 3).toString(36)}`);
const ask = () => `how does ${word()} ${word()} get its ${word()} from the ${word()} ${word()}?`;
const alone = projects.map((): number[] => []);
const together: number[] = [];
const cpu = { alone: [] as number[], together: [] as number[] };
for (let number = 0; number < Number(questions) + 5; number += 1) {
  const isWarm = number >= 5; // The first ones warm caches and compilers.
  const all = await timed(() => several.search(ask(), { update: false, digest: {} }));
  if (isWarm) together.push(all.clock);
  if (isWarm) cpu.together.push(all.cpu);
  for (const [at, project] of projects.entries()) {
    const one = await timed(() => project.search(ask(), { update: false, digest: {} }));
    if (isWarm) alone[at]?.push(one.clock);
    if (isWarm) cpu.alone.push(one.cpu);
  }
}
const slowest = Math.max(...alone.map((times) => middle(times)));
console.log(`${count} projects of ${chunks} chunks, ${questions} questions, median ms`);
console.log(`alone: ${alone.map((times) => middle(times).toFixed(0)).join(' ')}`);
console.log(
  `together: ${middle(together).toFixed(0)}; ${(middle(together) / slowest).toFixed(2)} x of the slowest alone`,
);
console.log(`CPU: ${middle(cpu.alone).toFixed(0)} alone, ${middle(cpu.together).toFixed(0)} together`);
console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)}`);
for (const project of projects) await project.close();
rmSync(folder, { recursive: true });

async function filled(number: number): Promise<Project> {
  const own = join(folder, `project-${number}`);
  const { mkdir } = await import('node:fs/promises');
  await mkdir(own);
  const project = await openProject(own);
  for await (const _ of project.index());
  const store = await project.store();
  const { fingerprint } = await project.embedder();
  for (const document of documents(openVectors(chunks, 1))) {
    const record = documentRecord(document.uri);
    // Equal texts would be shown once.
    const entries = chunkEntries(
      record,
      document.texts.map((text) => `${inLetters(text)} of${'x'.repeat(number)}`),
    );
    await putDocument(store, { document: record, chunks: entries });
    const vectors = entries.map(({ embeddingKey }, index) => ({
      embeddingKey,
      vector: document.vectors[index] ?? new Float32Array(),
    }));
    await addVectors(store, fingerprint, vectors);
  }
  return project;
}

async function timed(
  work: () => Promise<unknown>,
): Promise<{ readonly clock: number; readonly cpu: number }> {
  const before = process.cpuUsage();
  const started = performance.now();
  await work();
  const clock = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  return { clock, cpu: (user + system) / 1000 };
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** The words of the stores' data have digits in them, which text search takes apart: here they are plain words. */
function inLetters(text: string): string {
  return text.replace(/\d/g, (digit) => String.fromCharCode(97 + Number(digit)));
}
