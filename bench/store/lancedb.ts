// Fills and asks LanceDB 0.31.0 with the same data. It is taken from a folder where somebody has installed it:
//   npm install --ignore-scripts --omit=optional @lancedb/lancedb@0.31.0
//   npm install --ignore-scripts --omit=optional --no-save @lancedb/lancedb-linux-x64-gnu@0.31.0
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BenchDocument } from './dataset.ts';
import { hits, vectorNumber } from './measures.ts';
import type { Filling, Subject } from './subject.ts';

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

const rowsAtOnce = 10_000;
const maxInOneGraph = 200_000;

export async function fillLanceDb(folder: string, chunks: number, installed: string): Promise<Filling> {
  const { connect, Index } = load(installed);
  const database = await connect(folder);
  let table: Table | undefined;
  let rows: object[] = [];
  const flush = async () => {
    if (rows.length === 0) return;
    if (table) await table.add(rows);
    else table = await database.createTable('chunks', rows);
    rows = [];
  };
  return {
    async put(document) {
      rows.push(...rowsOf(document));
      if (rows.length >= rowsAtOnce) await flush();
    },
    flush,
    async prepare() {
      // One graph is its best form while it can be built in minutes; above that, the number of parts is its own choice.
      const parts = chunks <= maxInOneGraph ? { numPartitions: 1 } : {};
      await table?.createIndex('vector', { config: Index.hnswSq({ ...parts, distanceType: 'cosine' }) });
      await table?.createIndex('text', { config: Index.fts() });
      await table?.createIndex('type', { config: Index.bitmap() });
      await table?.optimize();
    },
    async close() {},
  };
}

export async function askLanceDb(folder: string, installed: string): Promise<Subject> {
  const table = await (await load(installed).connect(folder)).openTable('chunks');
  const columns = ['uri', 'ordinal', 'text', 'type'];
  return {
    async nearest(vector, type) {
      // Its graph holds rough vectors, as Quarry's does: without reading the full ones its recall is .69 on this data.
      const query = table.vectorSearch(vector).distanceType('cosine').refineFactor(4);
      const found = await (type ? query.where(`type = '${type}'`) : query)
        .select([...columns, '_distance'])
        .limit(hits)
        .toArray();
      return found.map(({ uri, ordinal }) => vectorNumber(uri, ordinal));
    },
    searchText: (words) =>
      table
        .query()
        .fullTextSearch(words.join(' '))
        .select([...columns, '_score'])
        .limit(hits)
        .toArray(),
    async replace(document) {
      await table.delete(`uri = '${document.uri}'`);
      await table.add(rowsOf(document));
    },
    async close() {},
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
