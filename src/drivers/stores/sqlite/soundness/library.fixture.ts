import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import type { StoreDefect, StoreMatch } from '../../../../contracts/store.ts';
import { chunksOf as allChunks } from '../../../../index/chunks-of.ts';
import { repairStore, type StoreRepair, salvageVectors } from '../../../../index/repair.ts';
import { verifyStore } from '../../../../index/verify.ts';
import { addVectors, putDocument } from '../../../../index/write.ts';
import { chunkEntries, documentRecord, manifestEntry, unitVector } from '../../../../testing/documents.ts';
import { openSqliteStore, type SqliteStore } from '../store.ts';

/** The space of the vectors in the library. */
export const space = 'library/1';

const dimensions = 16;

/** The documents that `fillLibrary` puts, by uri. */
export const library: ReadonlyMap<string, readonly string[]> = new Map(
  Array.from({ length: 12 }, (_, book) => [
    `shelf/book${book}.md`,
    Array.from(
      { length: 1 + (book % 4) },
      (_, page) => `Page ${page} of book ${book}: ${`word${book} harbour `.repeat(20 + 15 * page)}`,
    ),
  ]),
);

/** Puts a dozen documents with vectors and manifest entries. */
export async function fillLibrary(store: SqliteStore, withVectors = true): Promise<void> {
  for (const [uri, texts] of library) {
    const document = documentRecord(uri, { metadata: { language: 'english' } });
    const entries = chunkEntries(document, texts, {
      header: `${uri} > header`,
      section: 'Part > Chapter',
      symbol: { name: 'bookName', kind: 'class', signature: 'class bookName', scope: ['Shelf'] },
    });
    await putDocument(store, {
      document,
      chunks: entries,
      manifest: manifestEntry(uri, { chunks: entries.length }),
    });
    if (!withVectors) continue;
    await addVectors(
      store,
      space,
      entries.map(({ chunk, embeddingKey }) => ({
        embeddingKey,
        vector: unitVector(chunk.text, dimensions),
      })),
    );
  }
}

/** All that can be read of each document, by uri: itself, its chunks, and how text and vectors find them. */
export async function readLibrary(store: SqliteStore): Promise<Map<string, unknown>> {
  const everything = { limit: 1000 };
  const documents = await store.documents();
  const byText = await store.searchText(['harbour', 'shelf'], everything);
  const byVector = await store.searchVector(space, unitVector('query', dimensions), everything);
  const read = new Map<string, unknown>();
  for (const document of documents) {
    read.set(document.uri, {
      document,
      chunks: await allChunks(store, document.id),
      byText: chunksOf(byText, document.uri),
      byVector: chunksOf(byVector, document.uri),
    });
  }
  return read;
}

/** Everything that verifying reports. */
export async function defectsOf(store: SqliteStore): Promise<StoreDefect[]> {
  const defects: StoreDefect[] = [];
  for await (const defect of verifyStore(store)) defects.push(defect);
  return defects;
}

/** Repairs an index; `answering` is the store to ask afterwards: another one, where only that helps. */
export async function repairLibrary(
  store: SqliteStore,
): Promise<{ readonly repair: StoreRepair; readonly answering: SqliteStore }> {
  const repair = await repairStore(store);
  if (!repair.isBeyondRepair) return { repair, answering: store };
  const answering = openSqliteStore(join(await temporaryFolder(), 'index.sqlite'));
  onTestFinished(() => answering.close());
  await fillLibrary(answering, false);
  await salvageVectors(store, answering);
  return { repair, answering };
}

/** Changes the file behind the store's back, with nothing to protect it. */
export function tamper(path: string, sql: string): void {
  const unprotected = { enableForeignKeyConstraints: false, defensive: false };
  const database = new DatabaseSync(path, unprotected);
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}

function chunksOf(matches: readonly StoreMatch[], uri: string): string[] {
  return matches
    .filter(({ document }) => document.uri === uri)
    .map(({ chunk }) => chunk.id)
    .sort();
}
