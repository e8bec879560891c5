// Kills real processes at random moments of indexing, watching, cutting again, deleting, giving free pages back, making a
// graph and repairing a damaged index (which is repaired to its end before the look). After each, the index must open and
// be sound, hold every file that it held before the kill and that is still there, and nothing but what the files once
// held; in the end it must be complete.
// Usage: npx node bench/crash/kills.ts [--kills N] [--files N] [--seed N]
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Store } from '../../src/contracts/store.ts';
import { createHashingEmbedder } from '../../src/drivers/embedders/hashing.ts';
import { Connection } from '../../src/drivers/stores/sqlite/file/connection.ts';
import { NearestSearch } from '../../src/drivers/stores/sqlite/vectors/nearest.ts';
import { defaultLimits } from '../../src/drivers/stores/sqlite/vectors/space-search.ts';
import { chunksOf } from '../../src/index/chunks-of.ts';
import { openProject } from '../../src/index.ts';
import { currentIndex } from '../../src/state-folder/index-folders.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { Pages } from './pages.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '240' },
    files: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
  },
});
const modes = ['index', 'edit', 'delete', 'recut', 'watch', 'full', 'vacuum', 'graph', 'repair'] as const;
type Mode = (typeof modes)[number];
const large = Array.from({ length: 12 }, (_, number) => `large/${number}.md`);
const wordsOfLarge = 20_000;
const dimensions = createHashingEmbedder().dimensions ?? 0;

const pages = await Pages.write(Number(values.files), Number(values.seed));
const cacheFolder = await temporaryFolder();
let sizes = 0;
/** What the index was seen to hold. */
let committed = new Set<string>();
const tally = Object.fromEntries(
  modes.map((mode) => [mode, { kills: 0, ended: 0, defects: 0, wrong: 0, lost: 0, shrunk: 0 }]),
);

for (let kill = 0; kill < Number(values.kills); kill += 1) {
  const mode = modes[kill % modes.length] ?? 'index';
  const counts = tally[mode];
  if (!counts) continue;
  await prepare(mode);
  const before = await bytesOfIndex();
  const isKilled = await startAndKill(mode);
  counts[isKilled ? 'kills' : 'ended'] += 1;
  if ((await bytesOfIndex()) < before) counts.shrunk += 1;
  const { defects, wrong, lost } = await look(mode);
  counts.defects += defects;
  counts.wrong += wrong;
  counts.lost += lost;
  process.stderr.write(`\r${kill + 1} of ${values.kills}`);
}
await report();

async function prepare(mode: Mode): Promise<void> {
  if (mode === 'recut') sizes += 1;
  await pages.changeSome(mode === 'index' ? 5 : 40);
  if (mode === 'delete') {
    for (const name of [...pages.present].slice(0, 60)) await pages.remove(name);
    for (let number = 0; number < 60; number += 1)
      await pages.change(`pages/${Math.floor(pages.draw() * 1000)}.md`);
  }
  if (mode === 'vacuum') {
    for (const name of large) await pages.change(name, wordsOfLarge);
    await bringUpToDate();
    for (const name of large) await pages.remove(name);
  }
  if (mode === 'graph' || mode === 'repair') await bringUpToDate();
  if (mode === 'repair') {
    const database = new DatabaseSync(await indexFile());
    database.exec('DROP INDEX chunks_by_id');
    database.close();
  }
}

/** Whether the process was still at work when it was killed. */
async function startAndKill(mode: Mode): Promise<boolean> {
  const child = await start(mode);
  const wait = new Promise((resolve) => setTimeout(resolve, 150 + pages.draw() * 2200));
  await Promise.race([wait, once(child, 'exit')]);
  const isKilled = child.exitCode === null;
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return isKilled;
}

function settings(): Record<string, unknown> {
  return {
    'embedder.driver': 'hashing',
    'chunking.sizes': 'characters',
    'chunking.by_characters.size': 160 + (sizes % 3) * 64,
    'chunking.by_characters.overlap': 0,
  };
}

async function start(mode: Mode): Promise<ChildProcess> {
  const program = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const flags = Object.entries(settings()).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
  const commands: Partial<Record<Mode, string[]>> = {
    watch: ['watch'],
    full: ['index', '--full'],
    repair: ['repair'],
  };
  const words =
    mode === 'graph'
      ? [program('./prepare-graph.ts'), await indexFile(), await firstSpace()]
      : [program('../../src/surfaces/cli/main.ts'), ...(commands[mode] ?? ['index']), ...flags];
  return spawn(process.execPath, words, {
    cwd: pages.folder,
    // No engine in the background: each command does its own work here.
    env: { ...process.env, QUARRY_CACHE_FOLDER: cacheFolder, CI: 'true' },
    stdio: 'ignore',
  });
}

function open() {
  return openProject(pages.folder, { settings: { ...settings(), 'cache.max_bytes': 0 } });
}

async function bringUpToDate(): Promise<void> {
  const project = await open();
  for await (const _ of project.index());
  committed = new Set((await (await project.store()).documents()).map(({ uri }) => uri));
  await project.close();
}

async function firstSpace(): Promise<string> {
  const project = await open();
  const [space = ''] = [...(await (await project.store()).state()).spaces.keys()];
  await project.close();
  return space;
}

async function indexFile(): Promise<string> {
  const state = join(pages.folder, '.quarry');
  return join(state, await currentIndex(state), 'index.sqlite');
}

async function bytesOfIndex(): Promise<number> {
  return statSync(await indexFile(), { throwIfNoEntry: false })?.size ?? 0;
}

async function look(mode: Mode): Promise<{ defects: number; wrong: number; lost: number }> {
  const project = await open();
  if (mode === 'repair') for await (const _ of project.repair());
  let defects = 0;
  for await (const defect of project.verify()) {
    defects += 1;
    console.error(defect);
  }
  const store = await project.store();
  const documents = await store.documents();
  let wrong = 0;
  for (const { id, uri, revision } of documents) if (!(await isIntact(store, id, uri, revision))) wrong += 1;
  const now = new Set(documents.map(({ uri }) => uri));
  const lost = [...committed].filter((uri) => pages.present.has(uri) && !now.has(uri)).length;
  committed = now;
  if (mode === 'graph') wrong += await wrongAnswers([...(await store.state()).spaces.keys()][0] ?? '');
  await project.close();
  return { defects, wrong, lost };
}

async function isIntact(store: Store, id: string, uri: string, revision: string): Promise<boolean> {
  const text = pages.textOf(uri, revision);
  const chunks = await chunksOf(store, id);
  return (
    text !== undefined &&
    chunks.length > 0 &&
    chunks.every(({ span, text: part }) => text.slice(span.start, span.end) === part)
  );
}

/** Questions that a graph, whole or left by the killed process, answers with another best chunk than a look at all. */
async function wrongAnswers(space: string): Promise<number> {
  const connection = new Connection(await indexFile());
  const limits = defaultLimits();
  const ways = [0, Number.POSITIVE_INFINITY].map(
    (exactBytes) => new NearestSearch(connection, { ...limits, exactBytes }),
  );
  let wrong = 0;
  for (let number = 0; number < 10; number += 1) {
    const question = Float32Array.from({ length: dimensions }, () => pages.draw() - 0.5);
    const [rough, exact] = await Promise.all(
      ways.map((way) => connection.read(() => way.search(space, question, { limit: 10 }))),
    );
    const ids = new Set(rough?.map(({ chunk }) => chunk.id));
    // A graph may miss one of ten; it may not answer from another index.
    if ((exact ?? []).filter(({ chunk }) => !ids.has(chunk.id)).length > 3) wrong += 1;
  }
  for (const way of ways) await way.close();
  connection.close();
  return wrong;
}

async function report(): Promise<void> {
  await bringUpToDate();
  const project = await open();
  const { chunks, embedded } = (await project.status()).counts;
  await project.close();
  const missing = [...pages.present].filter((path) => !committed.has(path)).length;
  console.log(
    '\n| killed in | kills | ended before | defects found | wrong | lost | file shrank |\n|---|---|---|---|---|---|---|',
  );
  for (const [mode, { kills, ended, defects, wrong, lost, shrunk }] of Object.entries(tally))
    console.log(`| ${mode} | ${kills} | ${ended} | ${defects} | ${wrong} | ${lost} | ${shrunk} |`);
  const leftovers = readdirSync(join(pages.folder, '.quarry'));
  console.log(
    `in the end: ${committed.size} of ${pages.present.size} files, ${missing} missing, ` +
      `${chunks - embedded} pending; in the state folder: ${leftovers.join(', ')}`,
  );
}
