// Fills and asks Quarry's SQLite store. `limits` decide where exact search ends; see src/drivers/stores/sqlite.
import { join } from 'node:path';
import { Connection } from '../../src/drivers/stores/sqlite/connection.ts';
import { replaceDocument } from '../../src/drivers/stores/sqlite/documents.ts';
import { NearestSearch } from '../../src/drivers/stores/sqlite/nearest.ts';
import { defaultLimits, type SearchLimits } from '../../src/drivers/stores/sqlite/space-search.ts';
import { openSqliteStore } from '../../src/drivers/stores/sqlite/store.ts';
import { insertVectors } from '../../src/drivers/stores/sqlite/vectors.ts';
import { chunkEntries, documentRecord } from '../../src/testing/documents.ts';
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

const space = 'bench';

export interface QuarryOptions {
  /** Makes a graph however few the vectors are, or none however many; by their number where absent. */
  readonly way?: 'graph' | 'exact' | undefined;
  /** Documents in a transaction; indexing commits each on its own. */
  readonly documentsAtOnce: number;
}

export async function fillQuarry(
  folder: string,
  vectors: Vectors,
  options: QuarryOptions,
): Promise<BuildMeasures> {
  const path = join(folder, 'index.sqlite');
  const filling = effortFromNow();
  if (options.documentsAtOnce > 1) await fillInBulk(path, vectors, options.documentsAtOnce);
  else await fillOneByOne(path, vectors);
  const fill = filling();
  const indexing = effortFromNow();
  const connection = new Connection(path);
  const nearest = new NearestSearch(connection, limitsOf(options));
  for await (const _ of nearest.prepare(space));
  const index = indexing();
  await nearest.close();
  connection.close();
  return {
    fill,
    index,
    megabytesOnDisk: megabytesIn(folder),
    peakMegabytes: peakMegabytes(),
  };
}

export async function askQuarry(
  folder: string,
  vectors: Vectors,
  truth: Truth,
  options: QuarryOptions,
): Promise<QueryMeasures> {
  const path = join(folder, 'index.sqlite');
  const opening = effortFromNow();
  const store = openSqliteStore(path);
  const connection = new Connection(path);
  const nearest = new NearestSearch(connection, limitsOf(options));
  const search = (vector: Float32Array, types?: string[]) =>
    connection.read(() =>
      nearest.search(space, vector, { limit: hits, ...(types && { filter: { types } }) }),
    );
  const [first = new Float32Array()] = vectors.questions;
  await search(first);
  const open = opening();
  for (const question of vectors.questions.slice(0, 10)) await search(question);
  const all = await timed(vectors.questions, (question) => search(question));
  const narrow = await timed(vectors.questions, (question) => search(question, [narrowType]));
  const draw = draws(11);
  const words = vectors.questions.map(() => [word(draw), word(draw), word(draw)]);
  const text = await timed(words, (terms) => store.searchText(terms, { limit: hits }));
  const resident = residentMegabytes();
  const changed = vectors.questions
    .slice(0, 30)
    .map((question, number) =>
      makeDocument(number, new Array<Float32Array>(10).fill(question), draws(number + 100)),
    );
  const replace = await timed(changed, async (document) => {
    const { record, entries } = stored(document);
    await store.put(record, entries);
    await store.addVectors(space, withVectors(entries, document));
  });
  const numbers = (found: Awaited<ReturnType<typeof search>>) =>
    found.map(({ chunk, document }) => vectorNumber(document.uri, chunk.ordinal));
  await nearest.close();
  connection.close();
  await store.close();
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

async function fillOneByOne(path: string, vectors: Vectors): Promise<void> {
  const store = openSqliteStore(path);
  for (const document of documents(vectors)) {
    const { record, entries } = stored(document);
    await store.put(record, entries);
    await store.addVectors(space, withVectors(entries, document));
  }
  await store.close();
}

async function fillInBulk(path: string, vectors: Vectors, size: number): Promise<void> {
  const connection = new Connection(path);
  const write = (batch: readonly BenchDocument[]) =>
    connection.write(() => {
      for (const document of batch) {
        const { record, entries } = stored(document);
        replaceDocument(connection, record, entries);
        insertVectors(connection, space, withVectors(entries, document));
      }
    });
  let batch: BenchDocument[] = [];
  for (const document of documents(vectors)) {
    batch.push(document);
    if (batch.length < size) continue;
    await write(batch);
    batch = [];
  }
  await write(batch);
  connection.close();
}

function stored({ uri, type, texts }: BenchDocument) {
  const record = documentRecord(uri, { type });
  return { record, entries: chunkEntries(record, texts) };
}

function withVectors(entries: ReturnType<typeof chunkEntries>, { vectors }: BenchDocument) {
  return entries.map(({ embeddingKey }, ordinal) => ({
    embeddingKey,
    vector: vectors[ordinal] ?? new Float32Array(),
  }));
}

function limitsOf({ way }: QuarryOptions): SearchLimits {
  const limits = defaultLimits();
  if (way === undefined) return limits;
  return { ...limits, exactBytes: way === 'graph' ? 0 : Number.POSITIVE_INFINITY };
}
