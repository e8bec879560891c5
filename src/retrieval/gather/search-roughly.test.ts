import { beforeAll, expect, test } from 'vitest';
import type { Store } from '../../contracts/store.ts';
import { QuarryError } from '../../core/errors.ts';
import { createStaticEmbedder } from '../../drivers/embedders/static/driver.ts';
import type { OpenRoughVectors } from './compare-roughly.ts';
import { searchRoughly } from './search-roughly.ts';
import { bankQuestion, dryNotes, streamText, withoutVectors } from './words-only.fixture.ts';

const files = {
  'stream.md': streamText,
  'savings.md':
    '# Savings\n\nThe bank lends to a customer what others deposit, as a loan with interest.\n\n# Money\n\nFinance asks a bank for credit.',
  ...dryNotes('Tea', 'Wool'),
};

let store: Store;
beforeAll(async () => {
  const project = await withoutVectors(files);
  store = await project.store();
  return () => project.close();
});

const ask = async (open: OpenRoughVectors) => {
  const warnings: QuarryError[] = [];
  const found = await searchRoughly(store, open, bankQuestion, { limit: 60 }, warnings);
  return { found, warnings: warnings.map(({ code }) => code) };
};

test('what has the words is ordered by what it means, by itself and with its document, though nothing has a vector', async () => {
  const { found, warnings } = await ask(() => createStaticEmbedder());
  const { dense, documents } = found ?? {};
  expect(dense?.matches.map(({ document }) => document.uri)).toContain('stream.md');
  expect(dense?.matches[0]?.document.uri).toBe('savings.md');
  expect(dense?.space).toMatch(/^static:/);
  const ofSavings = documents?.filter(({ document }) => document.uri === 'savings.md') ?? [];
  expect(new Set(ofSavings.map(({ score }) => score)).size).toBe(1);
  expect(documents?.[0]?.document.uri).toBe('savings.md');
  expect(warnings).toEqual([]);
});

test('a table that cannot be read is a warning, and the words answer; a store that fails is an error', async () => {
  const unread = await ask(async () => {
    throw new QuarryError('model-not-found', 'The table cannot be read.', 'Install the package again.');
  });
  expect(unread).toEqual({ found: undefined, warnings: ['model-not-found'] });
  const broken = ask(async () => {
    throw new QuarryError('store-unusable', 'The file is damaged.', 'Build it again.');
  });
  await expect(broken).rejects.toMatchObject({ code: 'store-unusable' });
});
