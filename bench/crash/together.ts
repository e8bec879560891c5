// Several processes on one project at once, while files are edited: two watchers, commands that index and search, and a
// program that uses the library; now and then the settings change, so that all of it is cut again. Counts errors and
// compares the index with the files in the end.
// Usage: npx node bench/crash/together.ts [--minutes N]
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openProject, QuarryError } from '../../src/index.ts';
import { temporaryFolder, writeFiles } from '../../test/temporary-folder.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const program = fileURLToPath(new URL('../../src/surfaces/cli/main.ts', import.meta.url));
const folder = await temporaryFolder();
const settings = { 'embedder.driver': 'hashing' };
const end = performance.now() + Number(values.minutes) * 60_000;
const present = new Map<string, string>();
const counts = { edits: 0, commands: 0, searches: 0, adds: 0, settings: 0, errors: 0 };
const problems = new Map<string, number>();
let version = 0;

for (let number = 0; number < 200; number += 1) await edit(`pages/${number}.md`);
const watchers = [start('watch'), start('watch')];
await Promise.all([
  edits(),
  changesOfSettings(),
  commands('index'),
  commands('search', 'page'),
  commands('status'),
  library(),
]);
const codes = await Promise.all(watchers.map((watcher) => stop(watcher)));

const project = await openProject(folder, { settings });
for await (const _ of project.index());
const store = await project.store();
const paths = (await store.paths()).filter((path) => path.startsWith('pages/'));
let wrong = paths.filter((path) => !present.has(path)).length + (present.size - paths.length);
for (const [path, text] of present) {
  const { hits } = await project.search(text.split(' ').at(-1)?.trim() ?? '', {
    update: false,
    denseWeight: 0,
    topK: 1,
  });
  if (hits[0]?.document.uri !== path) wrong += 1;
}
let defects = 0;
for await (const _ of project.verify()) defects += 1;
const added = (await store.paths()).filter((path) => path.startsWith('virtual:')).length;
await project.close();
console.log(
  `${values.minutes} minutes: ${JSON.stringify(counts)}, watchers ended with ${codes.join(' and ')}`,
);
console.log(
  `in the end: ${paths.length} of ${present.size} files, ${wrong} wrong, ${added} of ${counts.adds} added, ${defects} defects`,
);
for (const [problem, count] of problems) console.log(`${count} x ${problem}`);

async function edits(): Promise<void> {
  while (performance.now() < end) {
    const path = `pages/${Math.floor(Math.random() * 220)}.md`;
    if (Math.random() < 0.2) {
      present.delete(path);
      await rm(join(folder, path), { force: true });
    } else await edit(path);
    counts.edits += 1;
    await pause(40);
  }
}

/** The settings that cut files are others every half a minute. */
async function changesOfSettings(): Promise<void> {
  while (performance.now() < end - 30_000) {
    await pause(30_000);
    counts.settings += 1;
    const characters = 160 + (counts.settings % 3) * 64;
    const toml = `[chunking]\nsizes = "characters"\nby_characters = { size = ${characters}, overlap = 0 }\n`;
    await writeFiles(folder, { 'quarry.toml': toml });
  }
}

async function edit(path: string): Promise<void> {
  version += 1;
  const text = `# Page ${path}\n\nThis page was written in version ${version} and ends with unique${version}x\n`;
  present.set(path, text);
  await writeFiles(folder, { [path]: text });
}

async function commands(...words: string[]): Promise<void> {
  while (performance.now() < end) {
    const child = start(...words);
    let said = '';
    child.stderr?.on('data', (data) => {
      said += data;
    });
    const [code] = await once(child, 'close');
    counts.commands += 1;
    if (code !== 0) note(`${words[0]}: ${said.trim().split('\n')[0]}`);
    await pause(300);
  }
}

async function library(): Promise<void> {
  const opened = await openProject(folder, { settings });
  while (performance.now() < end) {
    try {
      await opened.search('unique page', { update: false, topK: 3 });
      counts.searches += 1;
      if (counts.searches % 20 === 0) {
        await opened.add({ name: `note-${counts.adds}.md`, text: `A note with the number ${counts.adds}.` });
        counts.adds += 1;
      }
    } catch (thrown) {
      note(`library: ${thrown instanceof QuarryError ? thrown.code : ''} ${String(thrown)}`);
    }
    await pause(50);
  }
  await opened.close();
}

function note(problem: string): void {
  counts.errors += 1;
  problems.set(problem, (problems.get(problem) ?? 0) + 1);
}

function start(...words: string[]): ChildProcess {
  return spawn(process.execPath, [program, ...words, '--set', 'embedder.driver=hashing'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

async function stop(child: ChildProcess): Promise<number | string> {
  if (child.exitCode !== null) return child.exitCode;
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  return code;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
