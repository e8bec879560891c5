import { expect, test } from 'vitest';
import type { Embedder } from '../contracts/embedder.ts';
import type { Store } from '../contracts/store.ts';
import { QuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import { createHashingEmbedder } from '../drivers/embedders/hashing.ts';
import memoryDriver from '../drivers/stores/memory.ts';
import { embedStream } from '../embedding/batching/embed-stream.ts';
import { createVectorSource } from '../embedding/cache/create-vector-source.ts';
import { putDocument, setFact } from '../index/write.ts';
import { countsOf } from '../testing/counts-of.ts';
import { chunkEntries, documentRecord } from '../testing/documents.ts';
import { driverContext } from '../testing/driver-context.ts';
import { embedChunks, embedMissing, emptyTally } from './embed-missing.ts';
import { keepRefusals, refusedChunks, shortReason } from './refused-texts.ts';

const openStore = (): Promise<Store> => memoryDriver.open({}, driverContext());

async function storeWith(texts: readonly string[]): Promise<Store> {
  const store = await openStore();
  const document = documentRecord('a.md');
  await putDocument(store, { document, chunks: chunkEntries(document, texts) });
  return store;
}

const sourceOf = (embedder: Embedder) =>
  createVectorSource({ embedder, make: (texts, options) => embedStream(embedder, texts, options) });

/** A model that refuses some texts and rejects every call that holds one of them. */
function refusing(isRefused: (text: string) => boolean): Embedder {
  const good = createHashingEmbedder();
  return {
    ...good,
    embed: async (texts, options) => {
      if (texts.some(isRefused)) throw new QuarryError('embedding-failed', 'cannot', 'try');
      return good.embed(texts, options);
    },
  };
}

async function drain(events: AsyncIterable<IndexEvent>): Promise<IndexEvent[]> {
  const all: IndexEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const texts = Array.from({ length: 100 }, (_, index) => `text number ${index}`);

test('makes every vector and tells how far it is', async () => {
  const store = await storeWith(texts);
  const tally = emptyTally();
  const events = await drain(embedMissing(store, async () => sourceOf(createHashingEmbedder()), tally));
  expect(tally.embedded).toBe(100);
  expect(events.filter(({ type }) => type === 'vectors-added').at(-1)).toEqual({
    type: 'vectors-added',
    done: 100,
    total: 100,
  });
  expect(await drain(embedMissing(store, async () => sourceOf(createHashingEmbedder()), tally))).toEqual([]);
});

test('texts that the model refuses stop no other, stay pending and are reported', async () => {
  const store = await storeWith(texts);
  const embedder = refusing((text) => /number (7|50|99)$/.test(text));
  const tally = emptyTally();
  const events = await drain(embedMissing(store, async () => sourceOf(embedder), tally));
  expect(tally.embedded).toBe(97);
  expect(events.at(-1)).toMatchObject({
    type: 'vectors-failed',
    pending: 3,
    error: { code: 'embedding-failed' },
  });
  const left = await store.missingVectors(embedder.fingerprint, 10);
  expect(left.map(({ text }) => text)).toEqual(['text number 7', 'text number 50', 'text number 99']);
});

test('texts that were refused before are passed over where that is wanted, and the others asked for', async () => {
  const store = await storeWith(texts);
  const asked: string[] = [];
  const embedder = refusing((text) => {
    asked.push(text);
    return /refused|number 7$/.test(text);
  });
  const run = () =>
    drain(embedMissing(store, async () => sourceOf(embedder), emptyTally(), { passOverRefused: true }));
  await run();
  expect(asked).toContain('text number 7');

  asked.length = 0;
  expect(await run()).toEqual([]);
  expect(asked).toEqual([]);
  expect(await refusedChunks(store, () => true)).toMatchObject({ total: 1 });

  const more = documentRecord('b.md');
  await putDocument(store, { document: more, chunks: chunkEntries(more, ['refused too', 'fresh']) });
  const last = (await run()).at(-1);
  expect(last).toMatchObject({ type: 'vectors-failed', pending: 2, refused: { total: 2 } });
  expect(new Set(asked)).toEqual(new Set(['refused too', 'fresh']));
  expect(await refusedChunks(store, () => true)).toMatchObject({ total: 2 });

  asked.length = 0;
  await drain(embedMissing(store, async () => sourceOf(embedder), emptyTally()));
  expect(new Set(asked)).toEqual(new Set(['text number 7', 'refused too']));
});

test('what was refused is remembered when the backend fails later, and by a run that does not come to it', async () => {
  const store = await storeWith(texts);
  const good = createHashingEmbedder();
  let calls = 0;
  const failing: Embedder = {
    ...good,
    limits: { batchTexts: 1, concurrency: 1, gainsFromSize: false },
    embed: async (some, options) => {
      calls += 1;
      if (calls > 10) throw new QuarryError('provider-unreachable', 'Gone.', 'Start it.');
      if (some[0] === 'text number 4') throw new QuarryError('embedding-failed', 'Bad words.', 'None.');
      return good.embed(some, options);
    },
  };
  const events = await drain(embedMissing(store, async () => sourceOf(failing), emptyTally()));
  const chunk = { uri: 'a.md', reason: 'Bad words.', space: good.fingerprint };
  expect(events.at(-1)).toMatchObject({
    error: { code: 'provider-unreachable' },
    refused: { total: 1, chunks: [chunk] },
  });
  expect(await refusedChunks(store, () => true)).toMatchObject({ total: 1, chunks: [chunk] });

  calls = 10;
  await drain(embedMissing(store, async () => sourceOf(failing), emptyTally()));
  expect(await refusedChunks(store, () => true)).toMatchObject({ total: 1 });
});

test('what was refused is remembered when the run is stopped', async () => {
  const store = await storeWith(texts);
  const stop = new AbortController();
  const embedder = refusing((text) => text === 'text number 0');
  const stopping: Embedder = {
    ...embedder,
    limits: { batchTexts: 1, concurrency: 1, gainsFromSize: false },
    embed: async (some, options) => {
      if (some[0] === 'text number 5') stop.abort();
      return embedder.embed(some, options);
    },
  };
  const run = drain(
    embedMissing(store, async () => sourceOf(stopping), emptyTally(), { signal: stop.signal }),
  );
  await expect(run).rejects.toMatchObject({ code: 'interrupted' });
  expect(await refusedChunks(store, () => true)).toMatchObject({ total: 1, chunks: [{ reason: 'cannot' }] });
});

test('a record of refusals that is none of ours counts as nothing', async () => {
  const store = await storeWith(texts);
  for (const fact of ['no json', '{}', '[{"space":1}]', '[{"space":"x","entries":[{}],"unlisted":0}]']) {
    await setFact(store, 'refused-texts', fact);
    expect(await refusedChunks(store, () => true)).toEqual({ chunks: [], total: 0 });
  }
});

test('more refused texts than are remembered one by one are counted, and never more than are missing', async () => {
  const store = await storeWith(texts);
  const [first] = await store.missingVectors('x', 1);
  const refused = [{ embeddingKey: first?.embeddingKey ?? '', position: first?.position, reason: 'No.' }];
  const noting = async (unlisted: number): Promise<void> => {
    await keepRefusals(store, 'x', refused, { isComplete: true });
    const [record] = JSON.parse((await store.state()).facts.get('refused-texts') ?? '');
    await setFact(store, 'refused-texts', JSON.stringify([{ ...record, unlisted }]));
  };
  await noting(50);
  expect(await refusedChunks(store, () => true)).toMatchObject({ total: 51, chunks: [{ uri: 'a.md' }] });
  await keepRefusals(store, 'x', refused, { isComplete: false });
  expect((await refusedChunks(store, () => true)).total).toBe(51);
  await noting(5000);
  expect((await refusedChunks(store, () => true)).total).toBe(100);
  await keepRefusals(store, 'x', refused, { isComplete: true });
  expect((await refusedChunks(store, () => true)).total).toBe(1);
});

test('a reason is one line of bounded length', () => {
  expect(shortReason(' two\n lines\t')).toBe('two lines');
  expect(shortReason('😀'.repeat(5000)).isWellFormed()).toBe(true);
  expect(shortReason('x'.repeat(5000))).toHaveLength(300);
});

test('a model that cannot be had is reported once, with everything pending', async () => {
  const store = await storeWith(texts);
  const missing: Embedder = {
    ...createHashingEmbedder(),
    load: () => Promise.reject(new QuarryError('requirement-missing', 'No runtime.', 'Install it.')),
  };
  const events = await drain(embedMissing(store, async () => sourceOf(missing), emptyTally()));
  expect(events.map(({ type }) => type)).toEqual(['model-loading', 'vectors-failed']);
  expect(events.at(-1)).toMatchObject({ pending: 100 });
});

test('a store that fails is an error of the run, not of the model', async () => {
  const store = await storeWith(texts);
  const busy = new QuarryError('store-busy', 'busy', 'wait');
  const failing = Object.assign(store, { commit: () => Promise.reject(busy) });
  const events = embedMissing(failing, async () => sourceOf(createHashingEmbedder()), emptyTally());
  await expect(drain(events)).rejects.toBe(busy);
});

test('given chunks are embedded at once; why one has no vector is said', async () => {
  const store = await openStore();
  const document = documentRecord('b.md');
  const entries = chunkEntries(document, ['one', 'two']);
  await putDocument(store, { document, chunks: entries });
  const open = (embedder: Embedder) => async () => sourceOf(embedder);
  const refused = await embedChunks(store, open(refusing((text) => text === 'two')), entries);
  expect(refused).toMatchObject({ code: 'embedding-failed' });
  expect(await embedChunks(store, open(createHashingEmbedder()), entries)).toBeUndefined();
  expect((await countsOf(store, 'hashing:64')).embedded).toBe(2);
});

test('an embedder that cannot be opened leaves everything pending and is reported', async () => {
  const store = await storeWith(texts);
  const error = new QuarryError('consent-missing', 'Not agreed.', 'Agree.');
  const events = await drain(embedMissing(store, () => Promise.reject(error), emptyTally()));
  expect(events).toEqual([{ type: 'vectors-failed', error, pending: 100 }]);
});

test('what was made before the backend failed is kept', async () => {
  const store = await storeWith(texts);
  let calls = 0;
  const good = createHashingEmbedder();
  const failing: Embedder = {
    ...good,
    limits: { batchTexts: 10, concurrency: 1, gainsFromSize: false },
    embed: async (some, options) => {
      calls += 1;
      if (calls > 4) throw new QuarryError('provider-unreachable', 'Gone.', 'Start it.');
      return good.embed(some, options);
    },
  };
  const events = await drain(embedMissing(store, async () => sourceOf(failing), emptyTally()));
  expect(events.at(-1)).toMatchObject({ type: 'vectors-failed', pending: 60 });
  expect((await countsOf(store, good.fingerprint)).embedded).toBe(40);
});
