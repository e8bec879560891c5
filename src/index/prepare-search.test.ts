import { describe, expect, test } from 'vitest';
import type { Store } from '../contracts/store.ts';
import { interrupted, QuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import type { IndexSummary } from '../core/index-summary.ts';
import driver from '../drivers/stores/memory.ts';
import { chunkEntries, documentRecord, unitVector } from '../testing/documents.ts';
import { driverContext } from '../testing/driver-context.ts';
import { readyForSearch } from './prepare-search.ts';
import { addVectors, putDocument } from './write.ts';

const end: IndexEvent = { type: 'index-end', summary: {} as IndexSummary };

async function* run(): AsyncGenerator<IndexEvent> {
  yield { type: 'scan-start' };
  yield end;
}

/** A store with vectors in one space, which readies it like this. */
async function storeThat(prepareSearch: NonNullable<Store['prepareSearch']>): Promise<Store> {
  const store = await driver.open(driver.options.parse({}), driverContext());
  const document = documentRecord('a.md');
  const entries = chunkEntries(document, ['one']);
  await putDocument(store, { document, chunks: entries });
  await addVectors(
    store,
    'space',
    entries.map(({ embeddingKey }) => ({ embeddingKey, vector: unitVector('one', 4) })),
  );
  return Object.assign(store, { prepareSearch });
}

async function eventsOf(store: Store, inBackground = false): Promise<IndexEvent[]> {
  const events: IndexEvent[] = [];
  for await (const event of readyForSearch(run(), async () => store, { inBackground })) events.push(event);
  return events;
}

describe('after a run', () => {
  test('search is readied before the last event, and reported in steps worth reporting', async () => {
    const store = await storeThat(async function* (space) {
      expect(space).toBe('space');
      for (let done = 0; done <= 12_000; done += 1000) yield { done, total: 12_000 };
    });
    const events = await eventsOf(store);
    expect(events).toEqual([
      { type: 'scan-start' },
      ...[0, 5000, 10_000].map((done) => ({ type: 'search-preparing', done, total: 12_000 })),
      { type: 'search-prepared', seconds: expect.any(Number) },
      end,
    ]);
  });

  test('nothing is reported where nothing is to be readied', async () => {
    expect(await eventsOf(await storeThat(async function* () {}))).toEqual([{ type: 'scan-start' }, end]);
  });

  test('in the background it is begun and reported once, and the run ends', async () => {
    const store = await storeThat(async function* () {
      yield { done: 0, total: 9 };
      await new Promise(() => undefined);
    });
    const types = (await eventsOf(store, true)).map(({ type }) => type);
    expect(types).toEqual(['scan-start', 'search-preparing', 'index-end']);
  });

  test('what cannot be readied is reported, and the run ends well', async () => {
    const error = new QuarryError('store-unusable', 'No space.', 'Free some.');
    const store = await storeThat(() => failing(error));
    expect(await eventsOf(store)).toEqual([
      { type: 'scan-start' },
      { type: 'search-unprepared', error },
      end,
    ]);
  });

  test('a signal stops it with the run', async () => {
    const store = await storeThat(() => failing(interrupted()));
    await expect(eventsOf(store)).rejects.toMatchObject({ code: 'interrupted' });
  });
});

// biome-ignore lint/correctness/useYield: it fails before it has anything to emit.
async function* failing(error: QuarryError): AsyncGenerator<never> {
  throw error;
}
