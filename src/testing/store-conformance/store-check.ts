import assert from 'node:assert/strict';
import type { ChunkEntry, Store, StoreMatch } from '../../contracts/store.ts';
import type { DocumentRecord } from '../../core/document.ts';
import type { ErrorCode } from '../../core/error-catalogue.ts';
import { putDocument } from '../../index/write.ts';
import { chunkEntries, documentRecord } from '../documents.ts';

/** Opens another handle on the store of this check, as a second connection or process would. */
export type OpenStore = () => Promise<Store>;

/** One promise of the contract and the function that checks it. */
export interface StoreCheck {
  /** The promise in the present tense, fit for a test's title. */
  readonly promise: string;
  /** Rejects with an `AssertionError` when the promise is broken; the store it opens is empty at the start. */
  check(open: OpenStore): Promise<void>;
}

/** Checks by their promises; each gets the empty store, and may open further handles on it. */
export function storeChecks(
  checks: Readonly<Record<string, (store: Store, open: OpenStore) => Promise<void>>>,
): StoreCheck[] {
  return Object.entries(checks).map(([promise, check]) => ({
    promise,
    check: async (open) => check(await open(), open),
  }));
}

/** The space the checks put their vectors into. */
export const space = 'conformance/1';

/** Stores a document made of these texts. */
export async function putTexts(
  store: Store,
  uri: string,
  texts: readonly string[],
  overrides: Partial<DocumentRecord> = {},
): Promise<{ document: DocumentRecord; entries: ChunkEntry[] }> {
  const document = documentRecord(uri, overrides);
  const entries = chunkEntries(document, texts);
  await putDocument(store, { document, chunks: entries });
  return { document, entries };
}

/** The texts of the matches, in their order. */
export function textsOf(matches: readonly StoreMatch[]): string[] {
  return matches.map(({ chunk }) => chunk.text);
}

/** The uris of the matches, sorted and without repetition. */
export function urisOf(matches: readonly StoreMatch[]): string[] {
  return [...new Set(matches.map(({ document }) => document.uri))].sort();
}

/** Asserts that the work is refused with this code of the error catalogue. */
export async function assertRefused(work: Promise<unknown>, code: ErrorCode): Promise<void> {
  await assert.rejects(work, (error) => error instanceof Error && 'code' in error && error.code === code);
}

/** Asserts that scores never rise from one match to the next. */
export function assertOrdered(matches: readonly StoreMatch[]): void {
  const scores = matches.map(({ score }) => score);
  assert.deepEqual(
    scores,
    scores.toSorted((one, other) => other - one),
    'matches stand in the order of their scores',
  );
}
