// Stores side by side on the same data: filling, opening, nearest vectors with and without a filter of 1 %, text,
// replacing a file, disk and memory. Each store is filled in one process and asked in another.
// Usage: npx node bench/store/run.ts [--sizes 10000,100000,1000000] [--glove FOLDER] [--lancedb FOLDER]
//        [--stores quarry,graph,exact,lancedb] [--bulk] [--questions 100]
// --glove: a folder with base.fvecs and query.fvecs. --lancedb: where @lancedb/lancedb 0.31.0 is installed.
// --stores: `graph` is Quarry with a graph however few the vectors are, `exact` without one however many.
// --bulk: a thousand documents in one transaction of Quarry, for sizes where only the searches matter.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openVectors } from './dataset.ts';
import { askLanceDb, fillLanceDb } from './lancedb.ts';
import { type BuildMeasures, type QueryMeasures, tableHead, tableRow } from './measures.ts';
import { askQuarry, fillQuarry } from './quarry.ts';
import { measureAnswers, measureFilling } from './subject.ts';
import { findTruth } from './truth.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000' },
    glove: { type: 'string' },
    lancedb: { type: 'string', default: '' },
    stores: { type: 'string', default: 'quarry,lancedb' },
    bulk: { type: 'boolean', default: false },
    questions: { type: 'string', default: '100' },
    // What a process of its own is to do: a step, the store, its data, its folder.
    step: { type: 'string' },
    store: { type: 'string', default: '' },
    data: { type: 'string', default: '' },
    folder: { type: 'string', default: '' },
  },
});

if (values.step) await step();
else compare();

function compare(): void {
  const load = loadavg()
    .map((value) => value.toFixed(1))
    .join(', ');
  console.log(`Node ${process.versions.node}, ${availableParallelism()} cores, load ${load}\n\n${tableHead}`);
  const stores = values.stores.split(',').filter((store) => store !== 'lancedb' || values.lancedb);
  const sets = [...values.sizes.split(',').filter(Boolean), ...(values.glove ? [values.glove] : [])];
  for (const data of sets) {
    const vectors = openVectors(data, Number(values.questions));
    const truth = findTruth(vectors);
    for (const store of stores) {
      const folder = mkdtempSync(join(tmpdir(), 'quarry-bench-'));
      writeFileSync(`${folder}.truth.json`, JSON.stringify(truth));
      try {
        const build = inProcess<BuildMeasures>('fill', store, data, folder);
        const query = inProcess<QueryMeasures>('ask', store, data, folder);
        console.log(tableRow(vectors.name, store, build, query));
      } finally {
        rmSync(folder, { recursive: true, force: true });
        rmSync(`${folder}.truth.json`, { force: true });
      }
    }
  }
}

function inProcess<Measures>(name: string, store: string, data: string, folder: string): Measures {
  const own = fileURLToPath(import.meta.url);
  const flags = ['--step', name, '--store', store, '--data', data, '--folder', folder];
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', own, ...process.argv.slice(2), ...flags],
    // LanceDB's full-text build stands still on two cores otherwise.
    { encoding: 'utf8', env: { ...process.env, LANCE_CPU_THREADS: '4' }, maxBuffer: 1e8 },
  );
  if (status !== 0) throw new TypeError(`${store} failed to ${name}: ${stderr.slice(-2000)}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Measures;
}

async function step(): Promise<void> {
  const { step: name, store, data, folder, lancedb } = values;
  const vectors = openVectors(data, Number(values.questions));
  const documentsAtOnce = values.bulk ? 1000 : 1;
  const way = store === 'graph' || store === 'exact' ? store : undefined;
  const options = { way, documentsAtOnce } as const;
  const isLance = store === 'lancedb';
  if (name === 'fill') {
    const start = () => (isLance ? fillLanceDb(folder, vectors.count, lancedb) : fillQuarry(folder, options));
    console.log(JSON.stringify(await measureFilling(folder, vectors, start)));
  } else {
    const truth = JSON.parse(readFileSync(`${folder}.truth.json`, 'utf8'));
    const start = () => (isLance ? askLanceDb(folder, lancedb) : askQuarry(folder, options));
    console.log(JSON.stringify(await measureAnswers(vectors, truth, start)));
  }
}
