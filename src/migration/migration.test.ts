import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Store } from '../contracts/store.ts';
import lancedb from '../drivers/stores/lancedb/driver.ts';
import { openMemoryStore } from '../drivers/stores/memory/store.ts';
import postgres from '../drivers/stores/postgres/driver.ts';
import { noServer, sharedPostgres } from '../drivers/stores/postgres/server.fixture.ts';
import { openSqliteStore } from '../drivers/stores/sqlite/store.ts';
import { noServer as noChroma, sharedChroma } from '../drivers/vector-engines/chroma/server.fixture.ts';
import { chunksOf } from '../index/chunks-of.ts';
import { addVectors, deletePaths, putDocument, putManifest, setFact } from '../index/write.ts';
import { keepRefusals, refusedKeys } from '../indexing/refused-texts.ts';
import { openStore } from '../opening/open-driver.ts';
import { settingsSchema } from '../settings/settings.ts';
import { chunkEntries, documentRecord, manifestEntry, unitVector } from '../testing/documents.ts';
import { driverContext } from '../testing/driver-context.ts';
import { askBoth } from './ask-both.ts';
import { type Comparison, compareIndexes } from './compare-indexes.ts';
import { type CopyCounts, copyIndex, keyOf } from './copy-index.ts';

const spaces = ['model/1', 'model/2'];

async function drain<Result>(work: AsyncGenerator<unknown, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = await work.next();
    if (done) return value as Result;
  }
}
const copy = (source: Store, target: Store): Promise<CopyCounts> => drain(copyIndex(source, target));
const compare = (source: Store, target: Store): Promise<Comparison> => drain(compareIndexes(source, target));

async function sqlite(): Promise<Store> {
  return openSqliteStore(join(await temporaryFolder(), 'index.sqlite'));
}

async function put(store: Store, uri: string, texts: readonly string[]): Promise<void> {
  const document = documentRecord(uri, { modifiedAt: 1_700_000_000_000.5, metadata: { tags: ['a', 'b'] } });
  await putDocument(store, {
    document,
    chunks: chunkEntries(document, texts),
    manifest: manifestEntry(uri, { chunks: texts.length }),
  });
}

async function embed(store: Store, space: string, dimensions: number, leave = 0): Promise<void> {
  const missing = await store.missingVectors(space, 10_000);
  const made = missing.slice(0, missing.length - leave);
  await addVectors(
    store,
    space,
    made.map(({ embeddingKey, text }) => ({ embeddingKey, vector: unitVector(text, dimensions) })),
  );
}

/** Thirty documents, one of them long, in two spaces of which one lacks a few vectors. */
async function library(): Promise<Store> {
  const store = await sqlite();
  for (let number = 0; number < 30; number += 1)
    await put(store, `f${number}.md`, [`the heron ${number}`, `waits for fish ${number}`, 'same everywhere']);
  const long = Array.from({ length: 700 }, (_, line) => `line ${line} of a long log`);
  await put(store, 'long.log', long);
  await embed(store, 'model/1', 16);
  await embed(store, 'model/2', 24, 5);
  await putManifest(store, [
    manifestEntry('logo.png', { status: 'skipped', chunks: 0, reason: 'binary', detail: 'NUL bytes' }),
  ]);
  await setFact(store, 'synced-at', '123');
  return store;
}

describe('copying an index', () => {
  test('brings everything into another store, and both answer alike', async () => {
    const source = await library();
    const [refused] = await source.missingVectors('model/2', 1);
    const key = refused?.embeddingKey ?? '';
    await keepRefusals(source, 'model/2', [{ embeddingKey: key, position: undefined, reason: 'No.' }], {
      isComplete: true,
    });
    const before = (await source.state()).revision;
    for (const target of [await sqlite(), openMemoryStore()]) {
      expect(await copy(source, target)).toMatchObject({ copied: 31, present: 0, removed: 0 });
      expect(await compare(source, target)).toMatchObject({
        documents: 31,
        chunks: 790,
        unlike: [],
        miscounts: [],
        spaces: [
          { space: 'model/1', dimensions: 16, embedded: 790 },
          { space: 'model/2', dimensions: 24, embedded: 785 },
        ],
      });
      expect((await target.state()).facts.get('synced-at')).toBe('123');
      expect(await refusedKeys(target, 'model/2')).toEqual(new Set([key]));
      const agreement = await askBoth(source, target);
      expect(agreement).toMatchObject({ questions: 20, vectors: 1 });
      expect(agreement.text).toBeGreaterThan(0.9);
      await target.close();
    }
    expect((await source.state()).revision).toBe(before);
    await source.close();
  });

  test('continues a copy that was cut off, and copies nothing twice', async () => {
    const [source, target] = [await library(), await sqlite()];
    const begun = copyIndex(source, target);
    for (let step = 0; step < 12; step += 1) await begun.next();
    await begun.return(undefined as never);
    // Some more were under way.
    const present = (await target.paths()).length;
    expect(present).toBeGreaterThanOrEqual(12);
    expect(present).toBeLessThan(31);
    expect(await copy(source, target)).toMatchObject({ copied: 31 - present, present });
    expect(await compare(source, target)).toMatchObject({ unlike: [], miscounts: [] });
    const revision = (await target.state()).revision;
    expect(await copy(source, target)).toEqual({ copied: 0, present: 31, removed: 0, addedVectors: 0 });
    expect((await target.state()).revision).toBe(revision);
    await Promise.all([source.close(), target.close()]);
  });

  test('takes over what has changed, gone and been embedded since, and drops vectors of another length', async () => {
    const [source, target] = [await library(), await sqlite()];
    await put(target, 'old.md', ['nobody has this']);
    await putManifest(target, [manifestEntry('old.bin', { status: 'skipped', chunks: 0 })]);
    await embed(target, 'model/1', 7);
    await embed(target, 'previous/1', 7);
    await setFact(target, 'previous', 'yes');
    expect(await copy(source, target)).toMatchObject({ copied: 31, removed: 1 });
    expect(await compare(source, target)).toMatchObject({ unlike: [], miscounts: [] });
    expect([...(await target.state()).spaces.keys()].sort()).toEqual(spaces);
    expect([...(await target.state()).facts]).toEqual([['synced-at', '123']]);

    await put(source, 'f3.md', ['the heron has left']);
    await embed(source, 'model/1', 16);
    await embed(source, 'model/2', 24);
    await deletePaths(source, ['f4.md', 'logo.png']);
    expect(await copy(source, target)).toMatchObject({ copied: 1, present: 29, removed: 1, addedVectors: 5 });
    expect(await compare(source, target)).toMatchObject({ unlike: [], miscounts: [], chunks: 785 });
    await Promise.all([source.close(), target.close()]);
  });

  test('a file that was only touched is noted, not copied', async () => {
    const [source, target] = [await library(), await sqlite()];
    const noted = vi.spyOn(target, 'commit');
    await copy(source, target);
    await putManifest(source, [manifestEntry('f5.md', { chunks: 3, modifiedAt: 5 })]);
    expect(await copy(source, target)).toEqual({ copied: 0, present: 31, removed: 0, addedVectors: 0 });
    expect(noted.mock.calls.flatMap(([{ manifest = [] }]) => manifest.map(({ uri }) => uri))).toEqual([
      'logo.png',
      'f5.md',
    ]);
    expect(await compare(source, target)).toMatchObject({ unlike: [], miscounts: [] });
    await Promise.all([source.close(), target.close()]);
  });

  test('stops between two documents when it is told to', async () => {
    const [source, target] = [await library(), await sqlite()];
    const stop = new AbortController();
    const begun = copyIndex(source, target, { signal: stop.signal });
    await begun.next();
    stop.abort();
    const rest = (async () => {
      for await (const _ of begun);
    })();
    await expect(rest).rejects.toMatchObject({ code: 'interrupted' });
    expect((await target.paths()).length).toBeLessThan(31);
    await Promise.all([source.close(), target.close()]);
  });
});

/** Copies an index into another store and from there into a third. */
async function thereAndBack(other: Store, minAlike = 1): Promise<void> {
  const [source, back] = [await library(), await sqlite()];
  for (const [from, to] of [[source, other] as const, [other, back] as const]) {
    expect(await copy(from, to)).toMatchObject({ copied: 31 });
    expect(await compare(from, to)).toMatchObject({ unlike: [], miscounts: [], chunks: 790 });
    const agreement = await askBoth(from, to);
    expect(agreement.vectors).toBeGreaterThanOrEqual(minAlike);
    expect(agreement.text).toBeGreaterThan(0.9);
  }
  expect(await compare(source, back)).toMatchObject({ unlike: [], miscounts: [] });
  await Promise.all([source.close(), other.close(), back.close()]);
}

describe('an index goes there and comes back as it was:', () => {
  const missing = (why: string | undefined) => (why ? ` (${why})` : '');

  test('LanceDB', async () => {
    const stateFolder = join(await temporaryFolder(), 'index-1');
    await thereAndBack(await lancedb.open({}, driverContext({ stateFolder })));
  });

  test.skipIf(noServer)(`PostgreSQL${missing(noServer)}`, async () => {
    const server = await sharedPostgres();
    const context = driverContext({
      stateFolder: join(await temporaryFolder(), 'index-1'),
      environment: (name) => (name === 'QUARRY_STORE_API_KEY' ? server.password : undefined),
    });
    await thereAndBack(await postgres.open({ url: server.url, collection: 'copy' }, context));
  });

  test.skipIf(noChroma)(`Chroma${missing(noChroma)}`, async () => {
    const store = { driver: 'chroma', url: (await sharedChroma()).url, collection: 'copy' };
    const context = driverContext({ stateFolder: await temporaryFolder() });
    // Its graph finds nearly all of the nearest, and is another one each time.
    await thereAndBack(await openStore(settingsSchema.parse({ store }), context), 0.95);
  });
});

describe('comparing two indexes', () => {
  test('finds a changed text, a lost document and a lost vector, and copying again mends each', async () => {
    const [source, target] = [await library(), await sqlite()];
    await copy(source, target);
    const document = documentRecord('f1.md', {
      modifiedAt: 1_700_000_000_000.5,
      metadata: { tags: ['a', 'b'] },
    });
    const others = chunkEntries(document, ['the heron 1', 'waits for frogs 1', 'same everywhere']);
    await putDocument(target, { document, chunks: others, manifest: manifestEntry('f1.md', { chunks: 3 }) });
    await deletePaths(target, ['f2.md']);
    const found = await compare(source, target);
    expect(found.unlike).toEqual(['f1.md', 'f2.md']);
    expect(found.miscounts).toEqual([
      '31 documents became 30',
      '790 chunks became 787',
      '32 paths became 31',
      expect.stringMatching(/^790 chunks with vectors of model\/1 became 78\d$/),
      expect.stringMatching(/^785 chunks with vectors of model\/2 became 78\d$/),
    ]);
    await drain(copyIndex(source, target, { again: new Set(found.unlike) }));
    expect(await compare(source, target)).toMatchObject({ unlike: [], miscounts: [] });
    await Promise.all([source.close(), target.close()]);
  });

  test('sees that vectors of a copy point elsewhere', async () => {
    const [source, target] = [await library(), await sqlite()];
    await copy(source, target);
    for (const { id } of await target.documents())
      for (const chunk of await chunksOf(target, id))
        await addVectors(target, 'model/1', [
          { embeddingKey: keyOf(chunk), vector: unitVector(`not ${chunk.text}`, 16) },
        ]);
    expect((await askBoth(source, target)).vectors).toBeLessThan(0.9);
    await Promise.all([source.close(), target.close()]);
  });
});
