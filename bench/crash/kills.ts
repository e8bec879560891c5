// Kills real processes at random moments of indexing, watching, rebuilding and deleting, and looks after each whether
// the index opens, is sound, and holds only what the files once held; in the end whether it is complete.
// Usage: npx node bench/crash/kills.ts [--kills N] [--files N] [--seed N]
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sha256 } from '../../src/core/identity.ts';
import { openProject } from '../../src/index.ts';
import { temporaryFolder, writeFiles } from '../../src/testing/temporary-folder.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    files: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
  },
});
const program = fileURLToPath(new URL('../../src/surfaces/cli/main.ts', import.meta.url));
const random = seeded(Number(values.seed));
const folder = await temporaryFolder();
/** Every text that a path ever had, by path and hash: an index may be behind, never wrong. */
const history = new Map<string, Map<string, string>>();
const present = new Map<string, string>();
let sizes = 0;

for (let number = 0; number < Number(values.files); number += 1) await change(`pages/${number}.md`);
const modes = ['index', 'edit', 'delete', 'rebuild', 'watch', 'full'] as const;
const tally = Object.fromEntries(modes.map((mode) => [mode, { kills: 0, ended: 0, defects: 0, lost: 0 }]));
for (let kill = 0; kill < Number(values.kills); kill += 1) {
  const mode = modes[kill % modes.length] ?? 'index';
  const counts = tally[mode];
  if (!counts) continue;
  await prepare(mode);
  const child = start(mode);
  const wait = new Promise((resolve) => setTimeout(resolve, 150 + random() * 2200));
  await Promise.race([wait, once(child, 'exit')]);
  if (child.exitCode === null) counts.kills += 1;
  else counts.ended += 1;
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  const { defects, wrong } = await look();
  counts.defects += defects;
  counts.lost += wrong;
  process.stderr.write(`\r${kill + 1} of ${values.kills}`);
}
const project = await open();
for await (const _ of project.index());
const paths = await (await project.store()).paths();
const missing = [...present.keys()].filter((path) => !paths.includes(path)).length;
const { chunks, embedded } = (await project.status()).counts;
await project.close();
console.log(
  '\n| killed in | kills | ended before | defects found | wrong documents |\n|---|---|---|---|---|',
);
for (const [mode, { kills, ended, defects, lost }] of Object.entries(tally))
  console.log(`| ${mode} | ${kills} | ${ended} | ${defects} | ${lost} |`);
console.log(
  `in the end: ${paths.length} of ${present.size} files, ${missing} missing, ${chunks - embedded} pending`,
);

async function prepare(mode: string): Promise<void> {
  if (mode === 'rebuild') sizes += 1;
  const names = [...present.keys()];
  const some = mode === 'index' ? 5 : 40;
  for (let edit = 0; edit < some; edit += 1)
    await change(names[Math.floor(random() * names.length)] ?? 'pages/0.md');
  if (mode !== 'delete') return;
  for (const name of names.slice(0, 60)) {
    present.delete(name);
    await rm(join(folder, name), { force: true });
  }
  for (let number = 0; number < 60; number += 1) await change(`pages/${Math.floor(random() * 1000)}.md`);
}

async function change(path: string): Promise<void> {
  const words = Array.from({ length: 200 + Math.floor(random() * 400) }, () =>
    Math.floor(random() * 5000).toString(36),
  );
  const text = `# ${path}\n\n${words.join(' ')}\n`;
  const versions = history.get(path) ?? new Map<string, string>();
  versions.set(sha256(text), text);
  history.set(path, versions);
  present.set(path, text);
  await writeFiles(folder, { [path]: text });
}

function settings(): Record<string, unknown> {
  const target = 40 + (sizes % 3) * 16;
  return {
    'embedder.driver': 'hashing',
    'chunking.min_tokens': 8,
    'chunking.target_tokens': target,
    'chunking.max_tokens': target + 32,
  };
}

function start(mode: string): ChildProcess {
  const flags = Object.entries(settings()).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
  const words = mode === 'watch' ? ['watch'] : mode === 'full' ? ['index', '--full'] : ['index'];
  return spawn(process.execPath, [program, ...words, ...flags], {
    cwd: folder,
    env: { ...process.env, QUARRY_CACHE_FOLDER: join(folder, '..', 'kills-cache') },
    stdio: 'ignore',
  });
}

function open() {
  return openProject(folder, { settings: settings() });
}

async function look(): Promise<{ defects: number; wrong: number }> {
  const opened = await open();
  let defects = 0;
  for await (const defect of opened.verify()) {
    defects += 1;
    console.error(defect);
  }
  const store = await opened.store();
  let wrong = 0;
  for (const { id, uri, revision } of await store.documents()) {
    const text = history.get(uri)?.get(revision);
    const chunks = await store.neighbours(id, 0, { before: 0, after: 10_000 });
    const isIntact =
      text !== undefined &&
      chunks.length > 0 &&
      chunks.every(({ span, text: part }) => text.slice(span.start, span.end) === part);
    if (!isIntact) wrong += 1;
  }
  await opened.close();
  return { defects, wrong };
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
