// The same chunks through every store, by the contract alone: load, nearest vectors with and without a filter of 1 %,
// text, both at once, update of one file, disk, memory, recall against exact search. Ratios are to the first store named.
// Usage: npx node bench/stores.ts [--chunks 10000] [--questions 100] [ENGINE…]
//        ENGINE: the name of a driver, with its settings where it has any: chroma:url=http://localhost:8000,collection=bench
//        Without settings, `postgres` is a server of this machine that is started for it, and `remote` one of Quarry.
// Texts are 40 words drawn from 20,000, common ones far more often, as in real text; vectors are clustered: dataset.ts.
// Each store is filled in one process and asked in another. What it holds before is removed.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import type { Store } from '../src/contracts/store.ts';
import { draws } from '../src/core/draws.ts';
import { stores } from '../src/drivers/manifest.ts';
import { noServer, startPostgres } from '../src/drivers/stores/postgres/server.fixture.ts';
import { startTestServer } from '../src/surfaces/http/server.fixture.ts';
import { chunkEntries, documentRecord } from '../src/testing/documents.ts';
import { driverContext } from '../src/testing/driver-context.ts';
import {
  type BenchDocument,
  documents,
  makeDocument,
  narrowType,
  openVectors,
  word,
} from './store/dataset.ts';
import { effortFromNow, hits, recall, type Truth, timed, vectorNumber } from './store/measures.ts';
import { findTruth } from './store/truth.ts';

const space = 'bench/1';
/** What is measured of one store, by the column of the table. */
type Measures = Readonly<Record<string, number>>;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    chunks: { type: 'string', default: '10000' },
    questions: { type: 'string', default: '100' },
    // What a process of its own is to do.
    step: { type: 'string' },
    folder: { type: 'string', default: '' },
  },
});
const engines = positionals.length > 0 ? positionals : Object.keys(stores).filter((name) => name !== 'mock');
const vectors = openVectors(values.chunks, Number(values.questions));

if (values.step) console.log(JSON.stringify(await (values.step === 'fill' ? fill : ask)(engines[0] ?? '')));
else await compare();

async function compare(): Promise<void> {
  const load = loadavg().map((value) => value.toFixed(1));
  console.log(
    `${vectors.name}, Node ${process.versions.node}, ${availableParallelism()} cores, load ${load}\n`,
  );
  const truth = findTruth(vectors);
  let first: Measures | undefined;
  for (const name of engines) {
    const folder = mkdtempSync(join(tmpdir(), 'quarry-bench-'));
    writeFileSync(join(folder, 'truth.json'), JSON.stringify(truth));
    let server: BenchServer | undefined;
    try {
      server = await serverFor(name);
      const engine = server?.engine ?? name;
      const filled = await inProcess('fill', engine, folder, server?.password);
      const asked = await inProcess('ask', engine, folder, server?.password);
      const measures = { ...filled, ...asked, 'server MB': server?.megabytes?.() ?? 0 };
      if (!first) console.log(`| store | ${Object.keys(measures).join(' | ')} |`);
      if (!first) console.log(`|---${'|---'.repeat(Object.keys(measures).length)}|`);
      first ??= measures;
      console.log(row(engine, measures, first));
    } catch (thrown) {
      console.log(`| ${nameOf(name)} | not measured: ${String(thrown).split('\n')[0]} |`);
    } finally {
      await server?.end();
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** A server that is started for a store, where it needs one and no settings name it. */
interface BenchServer {
  readonly engine: string;
  readonly password: string;
  /** Memory of all its processes, pages that they share counted once. */
  readonly megabytes?: () => number;
  end(): Promise<unknown>;
}

async function serverFor(name: string): Promise<BenchServer | undefined> {
  if (name === 'remote') {
    const { url, server } = await startTestServer({ rate: { perSecond: 1e6, burst: 1e6 } });
    return { engine: `remote:url=${url},collection=bench`, password: '', end: () => server.end() };
  }
  if (name !== 'postgres' || noServer !== undefined) return undefined;
  const server = await startPostgres();
  const folder = server.query('SHOW data_directory').trim();
  const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return {
    engine: `postgres:url=${server.url},collection=bench`,
    password: server.password,
    megabytes: () => megabytesOf(pid),
    end: () => server.end(),
  };
}

/** Memory of a process and those it has started. */
function megabytesOf(pid: number): number {
  const processes = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    const status = readOrNothing(`/proc/${name}/status`);
    return name === String(pid) || status.includes(`\nPPid:\t${pid}\n`);
  });
  const sizes = processes.map(
    (name) => /^Pss:\s+(\d+)/m.exec(readOrNothing(`/proc/${name}/smaps_rollup`))?.[1],
  );
  return sizes.reduce((sum, size) => sum + Number(size ?? 0), 0) / 1000;
}

/** A process may have ended meanwhile. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function row(engine: string, measures: Measures, first: Measures): string {
  const cells = Object.entries(measures).map(([name, value]) => {
    const shown = value >= 100 ? value.toFixed(0) : value.toFixed(name.includes('recall') ? 3 : 1);
    const base = first[name] ?? 0;
    return measures === first || base === 0 || name.includes('recall')
      ? shown
      : `${shown} (${(value / base).toFixed(2)}x)`;
  });
  return `| ${nameOf(engine)} | ${cells.join(' | ')} |`;
}

function nameOf(engine: string): string {
  return engine.split(':')[0] ?? '';
}

async function inProcess(step: string, engine: string, folder: string, password = ''): Promise<Measures> {
  const own = fileURLToPath(import.meta.url);
  const flags = [
    '--chunks',
    values.chunks,
    '--questions',
    values.questions,
    '--step',
    step,
    '--folder',
    folder,
  ];
  const env = { ...process.env, ...(password && { QUARRY_STORE_API_KEY: password }) };
  const words = ['--disable-warning=ExperimentalWarning', own, ...flags, engine];
  const { stdout } = await promisify(execFile)(process.execPath, words, { env, maxBuffer: 1e8 }).catch(
    ({ stderr }: { stderr: string }) => {
      throw new TypeError(/^\S*Error.*: (.*)$/m.exec(stderr)?.[1] ?? stderr.slice(-400));
    },
  );
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

/** Opens the store that the words name; what it keeps on this machine goes into the folder of this run. */
async function open(engine: string): Promise<Store> {
  const [, name = '', settings = ''] = /^([a-z]+):?(.*)$/s.exec(engine) ?? [];
  const load = stores[name];
  if (!load) throw new TypeError(`There is no store named "${name}".`);
  const { default: driver } = await load();
  const pairs = settings.split(',').filter(Boolean);
  const given = Object.fromEntries(pairs.map((pair) => [pair.split('=')[0], pair.replace(/^[^=]*=/, '')]));
  const stateFolder = join(values.folder, 'index-1');
  mkdirSync(stateFolder, { recursive: true });
  const environment = (variable: string) => process.env[variable];
  return driver.open(driver.options.parse(given), driverContext({ stateFolder, environment }));
}

async function fill(engine: string): Promise<Measures> {
  const store = await open(engine);
  await store.deletePaths(await store.paths());
  for (const known of await store.spaces()) await store.dropSpace(known);
  const filled = effortFromNow();
  for (const document of documents(vectors)) await put(store, document);
  const load = filled();
  const prepared = effortFromNow();
  if (store.prepareSearch) for await (const _ of store.prepareSearch(space));
  const { bytes } = await store.counts();
  await store.close();
  return { 'load s': load.seconds, 'prepare s': prepared().seconds, 'disk MB': bytes / 1e6 };
}

async function ask(engine: string): Promise<Measures> {
  const truth = JSON.parse(readFileSync(join(values.folder, 'truth.json'), 'utf8')) as Truth;
  const { questions } = vectors;
  const opened = effortFromNow();
  const store = await open(engine);
  const nearest = async (vector: Float32Array, type?: string): Promise<number[]> => {
    const filter = type === undefined ? {} : { filter: { types: [type] } };
    const found = await store.searchVector(space, vector, { limit: hits, ...filter });
    return found.map(({ chunk, document }) => vectorNumber(document.uri, chunk.ordinal));
  };
  await nearest(questions[0] ?? new Float32Array());
  const first = opened();
  for (const question of questions.slice(0, 10)) await nearest(question);
  const all = await timed(questions, (question) => nearest(question));
  const narrow = await timed(questions, (question) => nearest(question, narrowType));
  const draw = draws(11);
  const words = questions.map(() => [word(draw), word(draw), word(draw)]);
  const text = await timed(words, (terms) => store.searchText(terms, { limit: hits }));
  const pairs = questions.map((question, number) => ({ question, terms: words[number] ?? [] }));
  const hybrid = await timed(pairs, ({ question, terms }) =>
    Promise.all([nearest(question), store.searchText(terms, { limit: hits })]),
  );
  const resident = process.memoryUsage().rss / 1e6;
  const changed = questions
    .slice(0, 30)
    .map((question, number) =>
      makeDocument(number, new Array<Float32Array>(10).fill(question), draws(number + 100)),
    );
  const update = await timed(changed, (document) => put(store, document));
  await store.close();
  return {
    'open ms': first.seconds * 1000,
    'query p50 ms': all.spread.p50,
    'p95 ms': all.spread.p95,
    'recall@10': recall(all.results, truth.all),
    'filtered p50 ms': narrow.spread.p50,
    'filtered p95 ms': narrow.spread.p95,
    'filtered recall@10': recall(narrow.results, truth.narrow),
    'text p50 ms': text.spread.p50,
    'text p95 ms': text.spread.p95,
    'hybrid p50 ms': hybrid.spread.p50,
    'hybrid p95 ms': hybrid.spread.p95,
    'update p50 ms': update.spread.p50,
    'update p95 ms': update.spread.p95,
    'RSS MB': resident,
  };
}

async function put(store: Store, { uri, type, texts, vectors: own }: BenchDocument): Promise<void> {
  const record = documentRecord(uri, { type });
  const entries = chunkEntries(record, texts);
  const added = entries.map(({ embeddingKey }, ordinal) => ({
    embeddingKey,
    vector: own[ordinal] ?? new Float32Array(),
  }));
  await store.put(record, entries, undefined, { vectors: new Map([[space, added]]) });
}
