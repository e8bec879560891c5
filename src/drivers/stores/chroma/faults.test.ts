import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Store } from '../../../contracts/store.ts';
import { chunksOf } from '../../../index/chunks-of.ts';
import { chunkEntries, documentRecord, manifestEntry, unitVector } from '../../../testing/documents.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import type { ServerProcess } from '../../../testing/store-servers/server-process.ts';
import { startProxy, type UnsteadyProxy } from '../../../testing/store-servers/unsteady-proxy.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { checkPausedWriter } from '../paused-writer.fixture.ts';
import driver from './driver.ts';
import { findLocation } from './location.ts';
import { ChromaIndex } from './open-index.ts';
import { noServer, startChroma } from './server.fixture.ts';

let server: ServerProcess;
let proxy: UnsteadyProxy;
let collections = 0;
const key = 'hunter2';
const context = driverContext({
  stateFolder: '/nowhere/index-1',
  environment: (name) => (name === 'QUARRY_STORE_API_KEY' ? key : undefined),
});
const options = () => ({ url: proxy.url, collection: `faults-${collections}` });
const open = () => driver.open(options(), context);
const texts = (word: string) => Array.from({ length: 30 }, (_, number) => `${word} ${number}`);
const put = (store: Store, word: string) => {
  const document = documentRecord('a.md', { title: word });
  return store.put(document, chunkEntries(document, texts(word)), manifestEntry('a.md', { chunks: 30 }));
};
const state = async (store: Store) => ({
  titles: (await store.documents()).map(({ title }) => title),
  found: (await store.searchText(['old', 'new'], { limit: 100 })).length,
  chunks: (await store.state()).chunks,
});
const why = noServer ? ` (${noServer})` : '';

describe.skipIf(noServer)(`a Chroma server that${why}`, () => {
  let files: string;
  beforeAll(async () => {
    files = await temporaryFolder();
    server = await startChroma(files);
    proxy = await startProxy(() => server.url);
  });
  afterAll(async () => {
    await proxy?.close();
    await server?.kill();
  });
  beforeEach(() => {
    collections += 1;
    proxy.weather = () => 'fair';
  });
  const restart = async (folder: string) => {
    await server.kill();
    server = await startChroma(folder, Number(new URL(server.url).port));
  };

  test('a paused writer comes back to writes nothing for it any more, once another has taken its place', async () => {
    const store = await open();
    await checkPausedWriter(driver.locks?.(options(), context), store);
    await store.close();
  });

  test('a writer loses its lock to another of in the midst of a write commits nothing of that', async () => {
    const store = await open();
    await put(store, 'old');
    const locks = driver.locks?.(options(), context);
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const lock = await locks?.take('writer.lock');
    let next: ReturnType<NonNullable<typeof locks>['take']> | undefined;
    proxy.weather = ({ url }) => {
      if (next || !url?.endsWith('/upsert')) return 'fair';
      // The chunks arrive after a pause, in which another process has taken the lock.
      vi.setSystemTime(Date.now() + 150_000);
      next = locks?.take('writer.lock');
      return { after: Promise.resolve(next) };
    };
    await expect(put(store, 'new')).rejects.toMatchObject({ code: 'lock-lost' });
    expect(await next).toBeDefined();
    expect(await state(await open())).toEqual({ titles: ['old'], found: 30, chunks: 30 });
    lock?.release();
    (await next)?.release();
    await store.close();
  });

  test('loses any one request of a write leaves the old document or has the new one, and takes it again', async () => {
    const store = await open();
    await put(store, 'old');
    for (let lost = 1; ; lost += 1) {
      let requests = 0;
      proxy.weather = () => {
        requests += 1;
        return requests >= lost ? 'lost' : 'fair';
      };
      const isStored = await put(store, 'new').catch((thrown: unknown) => thrown);
      proxy.weather = () => 'fair';
      if (isStored === true) break;
      expect(isStored).toMatchObject({ code: 'provider-unreachable' });
      expect(await state(await open())).toEqual({ titles: ['old'], found: 30, chunks: 30 });
    }
    expect(await state(store)).toEqual({ titles: ['new'], found: 30, chunks: 30 });
    await store.close();
  });

  test('loses a request now and then is asked again', async () => {
    let requests = 0;
    proxy.weather = () => {
      requests += 1;
      return requests % 3 === 0 ? 'lost' : 'fair';
    };
    const store = await open();
    await put(store, 'old');
    proxy.weather = () => (requests++ % 3 === 0 ? { status: 503 } : 'fair');
    await put(store, 'new');
    expect(await state(store)).toEqual({ titles: ['new'], found: 30, chunks: 30 });
    await store.close();
  });

  test('dies in the middle of a write has the old document when it is back, and takes the new one', async () => {
    const store = await open();
    await put(store, 'old');
    let writes = 0;
    proxy.weather = ({ url }) => {
      // The chunks have arrived, and the document is on its way.
      if (url?.endsWith('/upsert') && ++writes === 2) void server.kill();
      return 'fair';
    };
    const failure = await put(store, 'new').catch((thrown: unknown) => thrown);
    proxy.weather = () => 'fair';
    await restart(files);
    const { titles, found, chunks } = await state(store);
    expect([found, chunks]).toEqual([30, 30]);
    expect(titles).toEqual([failure === true ? 'new' : 'old']);
    await put(store, 'new');
    expect(await state(store)).toEqual({ titles: ['new'], found: 30, chunks: 30 });
    await store.close();
  });

  test('dies in the middle of a write of many documents has those that were told to be stored, each of them whole', async () => {
    const store = await open();
    let writes = 0;
    proxy.weather = ({ url }) => {
      // The first document is stored; of the next ones the chunks have arrived, and their commit is on its way.
      if (url?.endsWith('/upsert') && ++writes === 4) void server.kill();
      return 'fair';
    };
    const uris = Array.from({ length: 20 }, (_, number) => `f${number}.md`);
    const outcomes = await Promise.allSettled(
      uris.map((uri) => {
        const document = documentRecord(uri);
        return store.put(document, chunkEntries(document, texts('new')));
      }),
    );
    proxy.weather = () => 'fair';
    await restart(files);
    const paths = await store.paths();
    const stored = uris.filter((_, place) => outcomes[place]?.status === 'fulfilled');
    expect(stored).toContain('f0.md');
    expect(paths).toEqual(expect.arrayContaining(stored));
    expect((await store.state()).chunks).toBe(30 * paths.length);
    expect((await store.searchText(['new'], { limit: 1000 })).length).toBe(30 * paths.length);
    await store.close();
  });

  test('refuses the key is named with the variable to set, and the key is not', async () => {
    proxy.weather = () => ({ status: 401 });
    const store = await open();
    const failure = await store.paths().catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({
      code: 'provider-key',
      remedy: expect.stringContaining('QUARRY_STORE_API_KEY'),
    });
    expect(JSON.stringify([failure, String(failure)])).not.toContain(key);
    await store.close();
  });

  test('is slow is waited for, and one that is not there is named', async () => {
    proxy.weather = () => ({ delay: 100 });
    const store = await open();
    await put(store, 'old');
    expect((await chunksOf(store, documentRecord('a.md').id)).length).toBe(30);
    await store.close();
    const absent = await driver.open({ ...options(), url: 'http://127.0.0.1:9' }, context);
    await expect(absent.paths()).rejects.toMatchObject({
      code: 'provider-unreachable',
      remedy: expect.stringContaining('store.url'),
    });
    await absent.close();
  });

  test('has vectors of another length refuses ours, with a remedy', async () => {
    const store = await open();
    const document = documentRecord('a.md');
    const entries = chunkEntries(document, ['one']);
    await store.put(document, entries);
    const vectors = entries.map(({ embeddingKey }) => ({ embeddingKey, vector: unitVector('one', 4) }));
    await store.addVectors('s/1', vectors);
    const index = new ChromaIndex(findLocation(options(), context), context, 'index-1');
    const query = index.read(async (opened, view) => {
      const space = view.spaces.get('s/1');
      return space && opened.vectors(space).nearest(unitVector('one', 5), 1, undefined);
    });
    await expect(query).rejects.toMatchObject({
      code: 'vector-invalid',
      remedy: expect.stringContaining('quarry index --full'),
    });
    await index.close();
    await store.close();
  });

  test.each([
    [{ quarry_layout: 99 }, 'store-too-new'],
    [{ other: 'program' }, 'store-unusable'],
  ])('has a collection with %j in our place is left alone', async (metadata, code) => {
    const path = '/api/v2/tenants/default_tenant/databases/default_database/collections';
    const name = `${options().collection}--index-1`;
    const made = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, metadata }),
    });
    expect(made.status).toBe(200);
    const store = await open();
    await expect(store.paths()).rejects.toMatchObject({ code });
    await store.close();
  });

  test('comes back empty is reported once, and the index is made again', async () => {
    const store = await open();
    await put(store, 'old');
    const locks = driver.locks?.(options(), context);
    (await locks?.take('writer'))?.release();
    await restart(await temporaryFolder());
    await expect(store.paths()).rejects.toMatchObject({
      code: 'store-unusable',
      remedy: 'Run: quarry index',
    });
    expect(await store.paths()).toEqual([]);
    await put(store, 'new');
    expect(await state(store)).toEqual({ titles: ['new'], found: 30, chunks: 30 });
    (await locks?.take('writer'))?.release();
    await store.close();
  });
});
