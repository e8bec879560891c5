// Fills and asks LanceDB 0.31.0 with the same data. It is taken from a folder where somebody has installed it:
//   npm install --ignore-scripts --omit=optional @lancedb/lancedb@0.31.0
//   npm install --ignore-scripts --omit=optional --no-save @lancedb/lancedb-linux-x64-gnu@0.31.0
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  type BenchDocument,
  documents,
  draws,
  makeDocument,
  narrowType,
  type Vectors,
  word,
} from './dataset.ts';
import {
  type BuildMeasures,
  effortFromNow,
  hits,
  megabytesIn,
  peakMegabytes,
  type QueryMeasures,
  recall,
  residentMegabytes,
  type Truth,
  timed,
  vectorNumber,
} from './measures.ts';

interface Query {
  distanceType(kind: string): Query;
  refineFactor(factor: number): Query;
  where(condition: string): Query;
  select(columns: string[]): Query;
  fullTextSearch(words: string): Query;
  limit(count: number): Query;
  toArray(): Promise<{ uri: string; ordinal: number }[]>;
}

interface Table {
  add(rows: readonly object[]): Promise<unknown>;
  delete(condition: string): Promise<unknown>;
  createIndex(column: string, options: { config: object }): Promise<void>;
  optimize(): Promise<unknown>;
  query(): Query;
  vectorSearch(vector: Float32Array): Query;
}

interface LanceDb {
  connect(folder: string): Promise<{
    createTable(name: string, rows: readonly object[]): Promise<Table>;
    openTable(name: string): Promise<Table>;
  }>;
  readonly Index: {
    hnswSq(options: object): object;
    fts(): object;
    bitmap(): object;
  };
}

const documentsAtOnce = 1000;
const mostInOneGraph = 200_000;

export async function fillLanceDb(
  folder: string,
  vectors: Vectors,
  installed: string,
): Promise<BuildMeasures> {
  const { connect, Index } = load(installed);
  const filling = effortFromNow();
  const database = await connect(folder);
  let table: Table | undefined;
  let rows: object[] = [];
  const flush = async () => {
    if (table) await table.add(rows);
    else table = await database.createTable('chunks', rows);
    rows = [];
  };
  for (const document of documents(vectors)) {
    rows.push(...rowsOf(document));
    if (rows.length >= documentsAtOnce * 10) await flush();
  }
  if (rows.length > 0) await flush();
  const fill = filling();
  const indexing = effortFromNow();
  // One graph is its best form while it can be built in minutes; above that, the number of parts is its own choice.
  const parts = vectors.count <= mostInOneGraph ? { numPartitions: 1 } : {};
  await table?.createIndex('vector', { config: Index.hnswSq({ ...parts, distanceType: 'cosine' }) });
  await table?.createIndex('text', { config: Index.fts() });
  await table?.createIndex('type', { config: Index.bitmap() });
  await table?.optimize();
  return {
    fill,
    index: indexing(),
    megabytesOnDisk: megabytesIn(folder),
    peakMegabytes: peakMegabytes(),
  };
}

export async function askLanceDb(
  folder: string,
  vectors: Vectors,
  truth: Truth,
  installed: string,
): Promise<QueryMeasures> {
  const { connect } = load(installed);
  const opening = effortFromNow();
  const table = await (await connect(folder)).openTable('chunks');
  const columns = ['uri', 'ordinal', 'text', 'type'];
  const search = (vector: Float32Array, condition?: string) => {
    // Its graph holds rough vectors, as Quarry's does: without reading the full ones its recall is .69 on this data.
    const query = table.vectorSearch(vector).distanceType('cosine').refineFactor(4);
    return (condition ? query.where(condition) : query)
      .select([...columns, '_distance'])
      .limit(hits)
      .toArray();
  };
  const [first = new Float32Array()] = vectors.questions;
  await search(first);
  const open = opening();
  for (const question of vectors.questions.slice(0, 10)) await search(question);
  const all = await timed(vectors.questions, (question) => search(question));
  const narrow = await timed(vectors.questions, (question) => search(question, `type = '${narrowType}'`));
  const draw = draws(11);
  const words = vectors.questions.map(() => [word(draw), word(draw), word(draw)].join(' '));
  const text = await timed(words, (terms) =>
    table
      .query()
      .fullTextSearch(terms)
      .select([...columns, '_score'])
      .limit(hits)
      .toArray(),
  );
  const resident = residentMegabytes();
  const changed = vectors.questions
    .slice(0, 30)
    .map((question, number) =>
      makeDocument(number, new Array<Float32Array>(10).fill(question), draws(number + 100)),
    );
  const replace = await timed(changed, async (document) => {
    await table.delete(`uri = '${document.uri}'`);
    await table.add(rowsOf(document));
  });
  const numbers = (found: Awaited<ReturnType<typeof search>>) =>
    found.map(({ uri, ordinal }) => vectorNumber(uri, ordinal));
  return {
    open,
    vector: all.spread,
    narrow: narrow.spread,
    text: text.spread,
    replace: replace.spread,
    recall: recall(all.results.map(numbers), truth.all),
    narrowRecall: recall(narrow.results.map(numbers), truth.narrow),
    residentMegabytes: resident,
  };
}

function rowsOf({ uri, type, texts, vectors }: BenchDocument): object[] {
  return texts.map((text, ordinal) => ({
    uri,
    ordinal,
    type,
    text,
    vector: Array.from(vectors[ordinal] ?? []),
  }));
}

function load(installed: string): LanceDb {
  return createRequire(join(installed, 'package.json'))('@lancedb/lancedb') as LanceDb;
}
