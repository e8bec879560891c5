import { beforeAll, expect, test } from 'vitest';
import type { Store } from '../../contracts/store.ts';
import { QuarryError } from '../../core/errors.ts';
import { createStaticEmbedder } from '../../drivers/embedders/static/driver.ts';
import { likelyHits } from './likely-hits.ts';
import { bankQuestion, dryNotes, streamText, withoutVectors } from './words-only.fixture.ts';

const files = {
  'a.md': streamText,
  'b.md':
    '# Savings\n\nThe bank lends to a customer what others deposit at the bank, as a loan with interest.',
  'c.md':
    '# Walks\n\nFollow the bank, cross the wooden bridge, then turn left at the old oak and climb the hill.',
  ...dryNotes('Tea', 'Wool', 'Rope', 'Glass', 'Clay'),
};
const bounds = { limit: 2 };

let store: Store;
beforeAll(async () => {
  const project = await withoutVectors(files);
  store = await project.store();
  return () => project.close();
});

const orderOf = async (open: Parameters<typeof likelyHits>[1]) =>
  (await likelyHits(store, open, bankQuestion, bounds)).map(({ document }) => document.uri);

test('the hits that mean what is asked come before those that only have its words more often', async () => {
  const order = await orderOf(() => createStaticEmbedder());
  expect(order).toHaveLength(3);
  expect(order[0]).toBe('b.md');
});

test('words alone decide where the table cannot be read, and other failures are reported', async () => {
  const unread = await orderOf(async () => {
    throw new QuarryError('model-not-found', 'The table cannot be read.', 'Install the package again.');
  });
  expect(unread[0]).not.toBe('b.md');
  expect(unread).toHaveLength(3);
  const broken = orderOf(async () => {
    throw new QuarryError('store-unusable', 'The file is damaged.', 'Build it again.');
  });
  await expect(broken).rejects.toMatchObject({ code: 'store-unusable' });
});
