import { expect, test } from 'vitest';
import type { QuarryError } from '../../core/errors.ts';
import { openMemoryStore } from '../../drivers/stores/memory/store.ts';
import { putDocument } from '../../index/write.ts';
import { chunkEntries, documentRecord } from '../../testing/documents.ts';
import { findPattern, findQuotes } from './find-named.ts';

async function bareStore() {
  const store = openMemoryStore();
  const document = documentRecord('a.md');
  await putDocument(store, {
    document,
    chunks: chunkEntries(document, ['retry the upload', 'upload, then retry', 'nothing of it']),
  });
  return store;
}

test('a store without pattern search still finds literals that its words lead to, with a warning', async () => {
  const warnings: QuarryError[] = [];
  const pattern = { text: 'retry the upload', isRegex: false, ignoreCase: false };
  const found = await findPattern(await bareStore(), pattern, { limit: 10 }, warnings);
  expect(found.map(({ chunk }) => chunk.text)).toEqual(['retry the upload']);
  expect(warnings.map(({ code }) => code)).toEqual(['requirement-missing']);
});

test('a store without pattern search finds nothing by an expression, and says so', async () => {
  const warnings: QuarryError[] = [];
  const pattern = { text: 'retry|upload', isRegex: true, ignoreCase: false };
  expect(await findPattern(await bareStore(), pattern, { limit: 10 }, warnings)).toEqual([]);
  expect(warnings.map(({ code }) => code)).toEqual(['requirement-missing']);
});

test('a query that quotes nothing gets no warning from a store without pattern search', async () => {
  const warnings: QuarryError[] = [];
  expect(await findQuotes(await bareStore(), [], { limit: 10 }, warnings)).toEqual([]);
  expect(warnings).toEqual([]);
});
