// The same chunks through every store, by the contract alone: load, nearest vectors with and without a filter of 1 %,
// text, both at once, update of one file, disk, memory, recall against exact search. Ratios are to the first store named.
// Usage: npx node bench/stores.ts [--chunks 10000] [--questions 100] [--keep FOLDER] [ENGINE…]
//        ENGINE: the name of a driver, with its settings where it has any: chroma:url=http://localhost:8000,collection=bench
//        Without settings, `postgres` and `chroma` are servers of this machine that are started for it, and `remote` one of Quarry.
//        --keep: what is filled stays there, and is only asked the next time: a million takes long. `filled.json` says what filling
//        took; `progress.jsonl` how far it is, and filling that was cut off continues there. What settings place elsewhere is not kept.
// Texts are 40 words drawn from 20,000, common ones far more often, as in real text; vectors are clustered: dataset.ts.
// A store is filled with as many documents under way at once as the indexer has there (`documentsAtOnce`), and asked one by one.
// Each store is filled in one process and asked in another. What it holds before is removed. Where other programs use the
// machine, the CPU times tell more than the clock; those of a server that is started for it are told apart.

import { execFile } from 'node:child_process';
import {
  appendFileSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import type { Store } from '../src/contracts/store.ts';
import { draws } from '../src/core/draws.ts';
import { stores, vectorEngines } from '../src/drivers/manifest.ts';
import { documentsAtOnce } from '../src/index/commit.ts';
import { deletePaths, dropSpace, putDocument } from '../src/index/write.ts';
import { openStore } from '../src/opening/open-driver.ts';
import { mapInOrder } from '../src/platform/map-in-order.ts';
import { settingsSchema } from '../src/settings/settings.ts';
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
import {
  type Effort,
  effortFromNow,
  hits,
  megabytesIn,
  peakMegabytes,
  recall,
  type Truth,
  timed,
  vectorNumber,
} from './store/measures.ts';
import { type BenchServer, megabytesOf, processorSecondsOf, serverFor } from './store/servers.ts';
import { findTruth } from './store/truth.ts';

const space = 'bench/1';
/** Documents after which it is noted how far filling is. */
const documentsToNote = 500;
/** How far filling is. */
interface Progress extends Effort {
  readonly documents: number;
}

/** What is measured of one store, by its name in the table. */
type Measures = Readonly<Record<string, number>>;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    chunks: { type: 'string', default: '10000' },
    questions: { type: 'string', default: '100' },
    keep: { type: 'string' },
    // What a process of its own is to do.
    step: { type: 'string' },
    folder: { type: 'string', default: '' },
    server: { type: 'string' },
  },
});
const engines =
  positionals.length > 0
    ? positionals
    : Object.keys({ ...stores, ...vectorEngines }).filter((name) => !['memory', 'mock'].includes(name));
const vectors = openVectors(values.chunks, Number(values.questions));

if (values.step) console.log(JSON.stringify(await (values.step === 'fill' ? fill : ask)(engines[0] ?? '')));
else await compare();

async function compare(): Promise<void> {
  console.log(`${vectors.name}, Node ${process.versions.node}, ${availableParallelism()} cores`);
  const truth = knownTruth();
  const measured = new Map<string, Measures>();
  for (const name of engines) {
    try {
      const measures = await measure(name, truth);
      measured.set(nameOf(name), measures);
      console.log(`${nameOf(name)}: ${JSON.stringify(measures)}`);
    } catch (thrown) {
      console.log(`${nameOf(name)} was not measured: ${String(thrown).split('\n')[0]}`);
    }
  }
  console.log(`\n${table(measured)}`);
}

/** The exact answers, which take minutes at a million: they are kept too. */
function knownTruth(): Truth {
  const file = values.keep && join(values.keep, `truth-${values.chunks}-${values.questions}.json`);
  if (file && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Truth;
  const truth = findTruth(vectors);
  if (file) {
    mkdirSync(values.keep ?? '', { recursive: true });
    writeFileSync(file, JSON.stringify(truth));
  }
  return truth;
}

async function measure(name: string, truth: Truth): Promise<Measures> {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-bench-'));
  const hasSettings = name !== nameOf(name);
  const kept = values.keep && !hasSettings ? join(values.keep, `${name}-${values.chunks}`) : folder;
  const summary = join(kept, 'filled.json');
  try {
    if (!existsSync(summary)) {
      const filled = await step('fill', name, kept);
      writeFileSync(summary, JSON.stringify(filled));
    }
    // Questions change the store, so that what is kept is copied first.
    if (kept !== folder) cpSync(kept, folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
    writeFileSync(join(folder, 'truth.json'), JSON.stringify(truth));
    const asked = await step('ask', name, folder);
    return { ...(JSON.parse(readFileSync(summary, 'utf8')) as Measures), ...asked };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One step in a process of its own, over the files of the store and of its server. */
async function step(what: 'fill' | 'ask', name: string, folder: string): Promise<Measures> {
  mkdirSync(join(folder, 'store'), { recursive: true });
  const server = await serverFor(name, join(folder, 'server'));
  // What filling has taken so far, also where it was cut off before.
  const spent = join(folder, 'server-seconds');
  const before = existsSync(spent) ? Number(readFileSync(spent, 'utf8')) : 0;
  const serverSeconds = () => before + (server?.processorSeconds() ?? 0);
  const timer = setInterval(() => {
    if (what === 'fill') writeFileSync(spent, String(serverSeconds()));
  }, 5000);
  try {
    const measures = await inProcess(what, server?.engine ?? name, folder, server);
    if (what === 'ask') return measures;
    return {
      ...measures,
      'disk, MB': server?.megabytesOnDisk?.() ?? measures['disk, MB'] ?? 0,
      'CPU of its server while filled, s': serverSeconds(),
    };
  } finally {
    clearInterval(timer);
    await server?.end();
  }
}

function table(measured: ReadonlyMap<string, Measures>): string {
  const names = [...measured.keys()];
  const [first] = measured.values();
  const rows = Object.keys(first ?? {}).map((name) => {
    const cells = [...measured.values()].map((measures) => {
      const value = measures[name] ?? 0;
      const shown = value >= 100 ? value.toFixed(0) : value.toFixed(name.includes('recall') ? 3 : 1);
      const base = first?.[name] ?? 0;
      const isPlain = measures === first || base === 0 || /recall|load of/.test(name);
      return isPlain ? shown : `${shown} (${(value / base).toFixed(2)}x)`;
    });
    return `| ${[name, ...cells].join(' | ')} |`;
  });
  return [`| | ${names.join(' | ')} |`, `|---${'|---'.repeat(names.length)}|`, ...rows].join('\n');
}

function nameOf(engine: string): string {
  return engine.split(':')[0] ?? '';
}

async function inProcess(
  step: string,
  engine: string,
  folder: string,
  { password = '', pid }: Partial<BenchServer> = {},
): Promise<Measures> {
  const own = fileURLToPath(import.meta.url);
  const { chunks, questions } = values;
  const flags = Object.entries({ chunks, questions, step, folder, ...(pid && { server: String(pid) }) });
  const env = { ...process.env, ...(password && { QUARRY_STORE_API_KEY: password }) };
  const words = flags.flatMap(([name, value]) => [`--${name}`, value]);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', own, ...words, engine],
    { env, maxBuffer: 1e8 },
  ).catch(({ stderr }: { stderr: string }) => {
    throw new TypeError(/^\S*Error.*: (.*)$/m.exec(stderr)?.[1] ?? stderr.slice(-400));
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

/** Opens the store that the words name; what it keeps on this machine goes into the folder of this run. */
async function open(engine: string): Promise<Store> {
  const [, name = '', settings = ''] = /^([a-z]+):?(.*)$/s.exec(engine) ?? [];
  const pairs = settings.split(',').filter(Boolean);
  const given = Object.fromEntries(pairs.map((pair) => [pair.split('=')[0], pair.replace(/^[^=]*=/, '')]));
  const stateFolder = join(values.folder, 'store', 'index-1');
  mkdirSync(stateFolder, { recursive: true });
  const environment = (variable: string) => process.env[variable];
  const named = settingsSchema.parse({ store: { ...given, driver: name } });
  return openStore(named, driverContext({ stateFolder, environment }));
}

function* documentsFrom(first: number): Generator<BenchDocument> {
  for (const document of documents(vectors)) if (document.number >= first) yield document;
}

async function fill(engine: string): Promise<Measures> {
  const store = await open(engine);
  const progress = join(values.folder, 'progress.jsonl');
  const last = existsSync(progress) ? readFileSync(progress, 'utf8').trim().split('\n').at(-1) : undefined;
  const before: Progress = last ? JSON.parse(last) : { documents: 0, seconds: 0, processorSeconds: 0 };
  if (before.documents === 0) {
    await deletePaths(store, await store.paths());
    for (const known of [...(await store.state()).spaces.keys()]) await dropSpace(store, known);
  }
  const effort = effortFromNow();
  const filled = (): Effort => {
    const { seconds, processorSeconds } = effort();
    return {
      seconds: before.seconds + seconds,
      processorSeconds: before.processorSeconds + processorSeconds,
    };
  };
  let count = before.documents;
  const putOne = (document: BenchDocument) => put(store, document);
  for await (const _ of mapInOrder(documentsFrom(count), documentsAtOnce(store), putOne)) {
    count += 1;
    if (count % documentsToNote === 0)
      appendFileSync(progress, `${JSON.stringify({ documents: count, ...filled(), load: loadavg()[0] })}\n`);
  }
  const load = filled();
  const prepared = effortFromNow();
  if (store.prepareSearch) for await (const _ of store.prepareSearch(space));
  const preparation = prepared();
  const bytes = await store.bytes();
  await store.close();
  return {
    'load, s': load.seconds,
    'load, CPU s': load.processorSeconds,
    'graph, s': preparation.seconds,
    'graph, CPU s': preparation.processorSeconds,
    'load of the machine while filled': loadavg()[2] ?? 0,
    // A store of this machine has more than it counts, such as its graph.
    'disk, MB': Math.max(bytes / 1e6, megabytesIn(join(values.folder, 'store'))),
    'peak memory while filled, MB': peakMegabytes(),
  };
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
  const all = await asked('nearest', questions, (question) => nearest(question));
  const narrow = await asked('nearest among 1 %', questions, (question) => nearest(question, narrowType));
  const draw = draws(11);
  const words = questions.map(() => [word(draw), word(draw), word(draw)]);
  const text = await asked('text', words, (terms) => store.searchText(terms, { limit: hits }));
  const pairs = questions.map((question, number) => ({ question, terms: words[number] ?? [] }));
  const hybrid = await asked('both', pairs, ({ question, terms }) =>
    Promise.all([nearest(question), store.searchText(terms, { limit: hits })]),
  );
  const resident = process.memoryUsage().rss / 1e6;
  // While it serves: processes of a server that are there for one caller end with it.
  const ofServer = values.server ? megabytesOf(Number(values.server)) : 0;
  const changed = questions
    .slice(0, 30)
    .map((question, number) =>
      makeDocument(number, new Array<Float32Array>(10).fill(question), draws(number + 100)),
    );
  const update = await asked('update of one file', changed, (document) => put(store, document));
  await store.close();
  return {
    'load of the machine while asked': loadavg()[0] ?? 0,
    'open and first answer, ms': first.seconds * 1000,
    ...all.measures,
    'recall@10': recall(all.results, truth.all),
    ...narrow.measures,
    'recall@10 among 1 %': recall(narrow.results, truth.narrow),
    ...text.measures,
    ...hybrid.measures,
    ...update.measures,
    'memory of the client, MB': resident,
    'memory of its server, MB': ofServer,
  };
}

/** Asks one by one, and tells what a question takes here and of the server. */
async function asked<Item, Result>(
  name: string,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<{ readonly results: Result[]; readonly measures: Measures }> {
  const serverSeconds = () => (values.server ? processorSecondsOf(Number(values.server)) : 0);
  const before = serverSeconds();
  const { results, spread } = await timed(items, work);
  const measures = {
    [`${name}, median ms`]: spread.p50,
    [`${name}, p95 ms`]: spread.p95,
    [`${name}, median CPU ms`]: spread.processor.p50,
    [`${name}, p95 CPU ms`]: spread.processor.p95,
    [`${name}, mean CPU ms of its server`]: ((serverSeconds() - before) * 1000) / items.length,
  };
  return { results, measures };
}

async function put(store: Store, { uri, type, texts, vectors: own }: BenchDocument): Promise<void> {
  const record = documentRecord(uri, { type });
  const entries = chunkEntries(record, texts);
  const added = entries.map(({ embeddingKey }, ordinal) => ({
    embeddingKey,
    vector: own[ordinal] ?? new Float32Array(),
  }));
  await putDocument(store, { document: record, chunks: entries, vectors: new Map([[space, added]]) });
}
