// Fills and asks Quarry's SQLite store. `limits` decide where exact search ends; see src/drivers/stores/sqlite.

import { join } from 'node:path';
import { replaceDocument } from '../../src/drivers/stores/sqlite/documents/replace-document.ts';
import { Connection } from '../../src/drivers/stores/sqlite/file/connection.ts';
import { openSqliteStore } from '../../src/drivers/stores/sqlite/store.ts';
import { insertText } from '../../src/drivers/stores/sqlite/text/text-index.ts';
import { NearestSearch } from '../../src/drivers/stores/sqlite/vectors/nearest.ts';
import { defaultLimits, type SearchLimits } from '../../src/drivers/stores/sqlite/vectors/space-search.ts';
import { insertVectors } from '../../src/drivers/stores/sqlite/vectors/vectors.ts';
import { addVectors, putDocument } from '../../src/index/write.ts';
import { chunkEntries, documentRecord } from '../../src/testing/documents.ts';
import type { BenchDocument } from './dataset.ts';
import { hits, vectorNumber } from './measures.ts';
import type { Filling, Subject } from './subject.ts';

const space = 'bench';

export interface QuarryOptions {
  /** Makes a graph however few the vectors are, or none however many; by their number where absent. */
  readonly way?: 'graph' | 'exact' | undefined;
  /** Documents in a transaction; indexing commits each on its own. */
  readonly documentsAtOnce: number;
}

export async function fillQuarry(folder: string, options: QuarryOptions): Promise<Filling> {
  const path = join(folder, 'index.sqlite');
  const { put, flush } = options.documentsAtOnce > 1 ? inBulk(path, options.documentsAtOnce) : oneByOne(path);
  return {
    put,
    flush,
    async prepare() {
      if (options.way === undefined) {
        const store = openSqliteStore(path);
        for await (const _ of store.prepareSearch(space));
        return store.close();
      }
      const connection = new Connection(path);
      const nearest = new NearestSearch(connection, limitsOf(options));
      for await (const _ of nearest.prepare(space));
      await nearest.close();
      connection.close();
    },
    async close() {},
  };
}

export async function askQuarry(folder: string, options: QuarryOptions): Promise<Subject> {
  const path = join(folder, 'index.sqlite');
  const store = openSqliteStore(path);
  const connection = new Connection(path);
  const nearest = new NearestSearch(connection, limitsOf(options));
  return {
    async nearest(vector, type) {
      const filter = type && { filter: { types: [type] } };
      const found = await connection.read(() => nearest.search(space, vector, { limit: hits, ...filter }));
      return found.map(({ chunk, document }) => vectorNumber(document.uri, chunk.ordinal));
    },
    searchText: (words) => store.searchText(words, { limit: hits }),
    async replace(document) {
      const { record, entries } = stored(document);
      await putDocument(store, { document: record, chunks: entries });
      await addVectors(store, space, withVectors(entries, document));
    },
    async close() {
      await nearest.close();
      connection.close();
      await store.close();
    },
  };
}

function oneByOne(path: string): Pick<Filling, 'put' | 'flush'> {
  const store = openSqliteStore(path);
  return {
    async put(document) {
      const { record, entries } = stored(document);
      await putDocument(store, { document: record, chunks: entries });
      await addVectors(store, space, withVectors(entries, document));
    },
    flush: () => store.close(),
  };
}

function inBulk(path: string, size: number): Pick<Filling, 'put' | 'flush'> {
  const connection = new Connection(path);
  let batch: BenchDocument[] = [];
  const write = () =>
    connection.write(() => {
      const added = batch.flatMap((document) => {
        const { record, entries } = stored(document);
        const replaced = replaceDocument(connection, record, entries);
        insertVectors(connection, space, withVectors(entries, document));
        return replaced.added;
      });
      insertText(connection, added);
      batch = [];
    });
  return {
    async put(document) {
      batch.push(document);
      if (batch.length >= size) await write();
    },
    async flush() {
      await write();
      connection.close();
    },
  };
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
