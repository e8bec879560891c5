// How long it takes to see that nothing changed in a tree of 10,000 files, compared with `git status` on the same tree.
// Both start from a warm file cache, and each round runs both, in turns. The time of git includes the start of its
// process; of Quarry it is that of a run in a process that is open already (as under watch, serve and mcp), and then
// of the first run in a fresh process, whose start is shown separately. With a watch on the project, a search asks that.
// Usage: npx node bench/unchanged.ts [--files N] [--rounds N]
import { execFileSync } from 'node:child_process';
import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from '../src/core/median.ts';
import { openProject, type Project } from '../src/index.ts';
import { resultOf } from '../src/platform/streams.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '15' },
    /** Runs once in this folder, in which nothing must have changed, and prints the milliseconds. */
    once: { type: 'string' },
  },
});
const count = Number(values.files);
/** Long ago, because a file that was just written is checked twice. */
const longAgo = 1_700_000_000;

if (values.once) {
  const project = await open(values.once);
  console.log(await milliseconds(() => seeUnchanged(project)));
  await project.close();
} else await compare(Number(values.rounds));

async function compare(rounds: number): Promise<void> {
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `part-${index % 100}/group-${index % 10}/file-${index}.md`,
      `# File ${index}\n\nThe content of file number ${index}, which nobody changes.\n`,
    ]),
  );
  const folder = await temporaryFolder(files);
  for (const path of Object.keys(files)) utimesSync(join(folder, path), longAgo, longAgo);
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
      cwd: folder,
      stdio: 'pipe',
    });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'files');
  const project = await open(folder);
  for await (const _ of project.index());

  const times = { git: [], gitStart: [], warm: [], watched: [], fresh: [], freshProcess: [] } as Record<
    string,
    number[]
  >;
  const theirs = async () => {
    times.git?.push(await milliseconds(async () => void git('status', '--porcelain')));
    times.gitStart?.push(await milliseconds(async () => void git('--version')));
  };
  const ours = async () => void times.warm?.push(await milliseconds(() => seeUnchanged(project)));
  for (let round = 0; round < rounds; round += 1)
    for (const side of round % 2 === 0 ? [theirs, ours] : [ours, theirs]) await side();
  await seeOneChange(project, folder, Object.keys(files)[count >> 1] ?? '');
  const stop = new AbortController();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const watching = watch(project, stop.signal, begin);
  await begun;
  // The first of them scans, and again after 30 seconds.
  for (let round = 0; round < 10 * rounds; round += 1)
    times.watched?.push(await milliseconds(() => seeUnchangedAsSearch(project)));
  writeFileSync(join(folder, 'new.md'), '# New\n\nWritten right before.\n');
  if ((await resultOf(project.freshen())).summary?.documents.indexed !== 1)
    throw new Error('The new file was not seen.');
  rmSync(join(folder, 'new.md'));
  await resultOf(project.freshen());
  stop.abort();
  await watching;
  await project.close();
  for (let round = 0; round < Math.ceil(rounds / 3); round += 1) {
    const script = [fileURLToPath(import.meta.url), '--files', values.files, '--once', folder];
    const run = async () => void times.fresh?.push(Number(execFileSync(process.execPath, script)));
    times.freshProcess?.push(await milliseconds(run));
  }
  report(times);
}

/** Watches until it is stopped, and tells when the first pass is done. */
async function watch(project: Project, signal: AbortSignal, begun: () => void): Promise<void> {
  for await (const event of project.watch({ signal })) if (event.type === 'pass-end') begun();
}

async function seeUnchangedAsSearch(project: Project): Promise<void> {
  const { summary } = await resultOf(project.freshen());
  if (summary?.documents.indexed !== 0) throw new Error('changed');
}

function report(times: Record<string, number[]>): void {
  const of = (name: string) => median(times[name] ?? []);
  const show = (name: string) => `${of(name).toFixed(0)} ms, ${(of(name) / of('git')).toFixed(1)} x`;
  console.log(`${count} unchanged files, medians`);
  console.log(
    `git status:                    ${of('git').toFixed(0)} ms, ${of('gitStart').toFixed(0)} of them to start`,
  );
  console.log(`quarry, process open:          ${show('warm')}`);
  console.log(
    `quarry, process open, watched: ${of('watched').toFixed(2)} ms, ${(of('watched') / of('warm')).toFixed(4)} of that`,
  );
  console.log(
    `quarry, first run of a process: ${show('fresh')}; with its start ${of('freshProcess').toFixed(0)} ms`,
  );
}

function open(folder: string): Promise<Project> {
  return openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
}

async function seeUnchanged(project: Project): Promise<void> {
  for await (const event of project.index())
    if (event.type === 'index-end' && event.summary.documents.unchanged !== count) throw new Error('changed');
}

/** A run must not be fast because it misses changes: a change that keeps the size is found. */
async function seeOneChange(project: Project, folder: string, path: string): Promise<void> {
  const file = join(folder, path);
  writeFileSync(file, 'x'.repeat(statSync(file).size));
  utimesSync(file, longAgo + 1, longAgo + 1);
  for await (const event of project.index())
    if (event.type === 'index-end' && event.summary.documents.indexed !== 1)
      throw new Error('The change was not seen.');
}

async function milliseconds(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
