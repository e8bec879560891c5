// An index that is handed over against indexing from scratch, on a copy of a folder: seconds to export and to import it, bytes of the
// file beside the vectors alone (as `quarry cache export` writes them), and whether both answer alike.
// Usage: npx node bench/handing-over.ts FOLDER
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openProject, type Project } from '../src/index.ts';
import { exportIndex } from '../src/migration/handed/export-index.ts';
import { importIndex } from '../src/migration/handed/import-index.ts';
import { processEnvironment } from '../src/platform/environment.ts';
import { resultOf } from '../src/platform/streams.ts';
import { isSignedBy, ownMaker } from '../src/user/maker-key.ts';

const [given = '.'] = process.argv.slice(2);
const place = mkdtempSync(join(tmpdir(), 'quarry-handing-'));
const file = join(place, 'index.quarry');
// No shared vectors: that would not be indexing from scratch.
const settings = { 'cache.max_bytes': 0 };
const [maker, clone] = await Promise.all(['maker', 'clone'].map(copied));
if (!maker || !clone) throw new Error('no copies');

const indexing = await timed(() => indexed(maker));
const store = await maker.store();
const state = await store.state();
const signer = await ownMaker(processEnvironment);
const exporting = await timed(() =>
  resultOf(exportIndex(store, maker.settings, signer, { file, all: true })),
);
const importing = await timed(async () => {
  const { folder } = clone;
  const end = { settings: clone.settings, addressLayer: 'user' } as const;
  const { fingerprint: space } = await clone.embedder();
  const parts = {
    folder,
    environment: processEnvironment,
    end,
    space,
    isSigned: isSignedBy,
    admit: async () => {},
  };
  await resultOf(importIndex(parts, file, undefined));
});
const after = await timed(() => indexed(clone));
const vectors = [...state.spaces.values()].reduce(
  (sum, { dimensions, embedded }) => sum + dimensions * embedded * 4,
  0,
);
console.log(`${state.chunks} chunks of ${(await store.paths()).length} documents`);
console.log(
  `from scratch ${indexing.toFixed(1)} s; export ${exporting.toFixed(1)} s; import ${importing.toFixed(1)} s and the run after it ${after.toFixed(1)} s`,
);
console.log(`import and run / from scratch: ${((importing + after) / indexing).toFixed(3)}`);
console.log(
  `file ${megabytes(statSync(file).size)}; vectors alone ${megabytes(vectors)}; index ${megabytes(await store.bytes())}`,
);
console.log(`same first hits: ${await agreement(maker, clone)}`);
for (const project of [maker, clone]) await project.close();
rmSync(place, { recursive: true });

async function copied(name: string): Promise<Project> {
  const folder = join(place, name);
  cpSync(resolve(given), folder, { recursive: true, preserveTimestamps: true });
  return openProject(folder, { settings });
}

async function indexed(project: Project): Promise<void> {
  for await (const _ of project.index());
}

async function agreement(one: Project, other: Project): Promise<string> {
  const questions = [
    'how is a lock taken',
    'where are tokens checked',
    'which settings are there',
    'parse a date',
    'retry a request',
  ];
  let same = 0;
  for (const question of questions) {
    const [a, b] = await Promise.all(
      [one, other].map((project) => project.search(question, { update: false })),
    );
    if (a?.hits[0]?.chunk.id === b?.hits[0]?.chunk.id) same += 1;
  }
  return `${same} of ${questions.length}`;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
