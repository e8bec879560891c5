import { beforeAll, describe, expect, test, vi } from 'vitest';
import { QuarryError } from '../../../core/errors.ts';
import { openProject } from '../../../project/open-project.ts';
import { chunkEntries, documentRecord, unitVector } from '../../../testing/documents.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import { checksAmong, scaleChecks } from '../../../testing/store-conformance/scale.ts';
import { storeCapabilityConformance, storeConformance } from '../../../testing/store-conformance.ts';
import type { ServerProcess } from '../../../testing/store-servers/server-process.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { checkStore } from '../check-store.fixture.ts';
import { checkManyPuts } from '../many-puts.fixture.ts';
import { type Collection, ensureCollection } from './collection.ts';
import driver from './driver.ts';
import { findLocation } from './location.ts';
import { ChromaIndex } from './open-index.ts';
import { noServer, sharedChroma } from './server.fixture.ts';
import { type ChromaServer, chromaServer } from './server.ts';
import { searchText } from './text.ts';

let server: Pick<ServerProcess, 'url'>;
let collections = 0;
beforeAll(async () => {
  if (!noServer) server = await sharedChroma();
});

const context = (index = 'index-1') => driverContext({ stateFolder: `/nowhere/${index}` });
const options = (collection: string) => ({ url: server.url, collection });
const { patternSearch, vectorReading } = storeCapabilityConformance;
// More chunks than are read at once: the server takes half a minute for ten thousand.
const core = [...storeConformance.filter((check) => !scaleChecks.includes(check)), ...checksAmong(12)];
const why = noServer ? ` (${noServer})` : '';

/** The same records on a server that knows no regular expressions. */
function refusingRegex(chunks: Collection): Collection {
  const get: Collection['get'] = async (selection) => {
    if (selection.whereDocument && '$regex' in selection.whereDocument)
      throw new QuarryError('provider-refused', 'It knows no $regex.', 'Ask otherwise.');
    return chunks.get(selection);
  };
  return Object.create(chunks, { get: { value: get } });
}

describe.skipIf(noServer)(`an index in Chroma${why}`, () => {
  for (const promise of [...core, ...patternSearch, ...vectorReading]) {
    test(promise.promise, async () => {
      collections += 1;
      const given = options(`check-${collections}`);
      await checkStore(promise, () => driver.open(given, context()));
    });
  }

  test('finds the same texts with the same scores whether Chroma looks for words or this process', async () => {
    const store = await driver.open(options('words'), context());
    const sizes = [1, 3, 9, 2, 5];
    for (const [number, size] of sizes.entries()) {
      const document = documentRecord(`f${number}.md`, { type: number % 2 ? 'doc' : 'note' });
      const texts = Array.from(
        { length: 8 },
        (_, part) =>
          `${'heron '.repeat((size * part) % 11)} reed ${part} c++ a.b $x[1] ${number % 3 ? 'lake' : 'pond water'}`,
      );
      await store.put(document, chunkEntries(document, texts));
    }
    await store.deletePaths(['f3.md']);
    const index = new ChromaIndex(findLocation(options('words'), context()), context(), 'index-1');
    for (const words of [
      ['heron'],
      ['heron', 'lake', 'heron'],
      ['reed', 'pond', 'nowhere'],
      ['c++', 'a.b', 'reed'],
      ['nowhere'],
    ]) {
      for (const filter of [undefined, { types: ['note'] }, { paths: ['f1.md', 'f2.md'] }]) {
        const bounds = { limit: 40, ...(filter && { filter }) };
        const inMemory = await store.searchText(words, bounds);
        const asked = await index.read((opened, view) => searchText(opened, view, words, bounds, 0));
        expect(asked).toEqual(inMemory);
        const withoutRegex = await index.read((opened, view) =>
          searchText({ ...opened, chunks: refusingRegex(opened.chunks) }, view, words, bounds, 0),
        );
        expect(withoutRegex).toEqual(inMemory);
        expect(inMemory.length > 0).toBe(!words.includes('nowhere') || words.length > 1);
      }
    }
    await store.close();
    await index.close();
  });

  test('compares what the graph does not lead to', async () => {
    const whole = chromaServer(findLocation(options('graph'), context()), context());
    const graph = { space: 'cosine', ef_construction: 150, ef_search: 100, max_neighbors: 24 } as const;
    // The server's own answer without all but the second of the nearest.
    const missing: ChromaServer = {
      ...whole,
      async send(call) {
        const answer = await whole.send(call);
        if (!call.path.endsWith('/query')) return answer;
        const { ids, distances } = answer as { ids: string[][]; distances: number[][] };
        return { ids: [ids[0]?.slice(1, 2)], distances: [distances[0]?.slice(1, 2)] };
      },
    };
    const records = ['one', 'two', 'three', 'four'].map((word) => ({
      id: word,
      metadata: { kind: word.length > 3 ? 'long' : 'short' },
      embedding: [...unitVector(word, 4)],
    }));
    const open = (server: ChromaServer) => ensureCollection(server, 'graph', { of: 'a test' }, graph);
    const collection = await open(missing);
    await collection.upsert(records);
    for (const where of [undefined, { kind: 'short' }]) {
      const all = await (await open(whole)).nearest(unitVector('five', 4), 4, where);
      const found = await collection.nearest(unitVector('five', 4), 4, where);
      expect(found.map((record) => record.id)).toEqual(all.map((record) => record.id));
      expect(found).toHaveLength(where ? 2 : 4);
      for (const [place, { distance }] of found.entries())
        expect(distance).toBeCloseTo(all[place]?.distance ?? Number.NaN, 5);
    }
    whole.close();
  });

  test('commits documents that are put at once together, and only the one to blame fails', async () => {
    await checkManyPuts(() => driver.open(options('many'), context()));
  });

  test('lets one of several at once have a lock, and the next one when it is released', async () => {
    const locks = () => driver.locks?.(options('locked'), context());
    const takers = await Promise.all(Array.from({ length: 4 }, () => locks()?.take('writer')));
    const held = takers.filter((lock) => lock !== undefined);
    expect(held.length).toBeLessThanOrEqual(1);
    const lock = held[0] ?? (await locks()?.take('writer'));
    expect(await locks()?.take('writer')).toBeUndefined();
    const other = await locks()?.take('vectors');
    expect(other).toBeDefined();
    const waiting = locks()?.take('writer', { wait: true });
    lock?.release();
    (await waiting)?.release();
    other?.release();
  });

  test('keeps one list of indexes for all machines, and removes one with its vectors', async () => {
    const store = await driver.open(options('listed'), context('index-2'));
    const document = documentRecord('a.md');
    const entries = chunkEntries(document, ['one']);
    await store.put(document, entries);
    await store.addVectors(
      's/1',
      entries.map(({ embeddingKey }) => ({ embeddingKey, vector: unitVector('one', 4) })),
    );
    await store.close();
    const [one, other] = [1, 2].map(() => driver.indexes?.(options('listed'), context()));
    expect(await one?.current()).toBeUndefined();
    await one?.switchTo('index-2');
    expect([await other?.current(), await other?.names()]).toEqual(['index-2', ['index-2']]);
    await other?.remove(['index-2', 'index-9']);
    expect(await one?.names()).toEqual([]);
    const path = '/api/v2/tenants/default_tenant/databases/default_database/collections';
    const left = (await (await fetch(server.url + path)).json()) as { name: string }[];
    expect(left.map(({ name }) => name).filter((name) => name.startsWith('listed--'))).toEqual([
      'listed--project',
    ]);
  });

  test('removes what was replaced or never committed, after those who may read it are done', async () => {
    const given = options('garbage');
    const store = await driver.open(given, context());
    const document = documentRecord('a.md');
    for (const texts of [['one', 'two'], ['three'], ['four']])
      await store.put(document, chunkEntries(document, texts));
    await store.close();
    const index = new ChromaIndex(findLocation(given, context()), context(), 'index-1');
    const stored = () => index.read(async ({ chunks }) => (await chunks.get({})).length);
    await index.read(async ({ chunks }) => {
      const [record] = await chunks.get({ include: ['metadatas'] });
      const metadata = { ...record?.metadata, stamp: 'lost.1', first: Date.now() * 1000 };
      await chunks.upsert([{ id: 'lost.1-0-1', metadata, embedding: [0] }]);
    });
    expect(await stored()).toBe(5);
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    await index.write((_opened, _view, commit) => commit(() => []));
    clock.mockRestore();
    expect(await stored()).toBe(1);
    await index.close();
  });

  test('a project is indexed, searched, rebuilt and cleaned', async () => {
    const folder = await temporaryFolder({ 'lake.md': '# Lake\n\nThe heron waits in the reeds.\n' });
    const settings = {
      'store.driver': 'chroma',
      'store.url': server.url,
      'store.collection': 'project',
      'embedder.driver': 'hashing',
    };
    const project = await openProject(folder, { settings });
    for await (const _ of project.index());
    const found = await project.search('heron');
    expect([found.hits[0]?.document.uri, found.pending]).toEqual(['lake.md', 0]);
    for await (const _ of project.index({ full: true }));
    expect((await project.search('heron')).hits).toHaveLength(1);
    await project.clean({ all: true });
    await project.close();
    expect(await driver.indexes?.(options('project'), context())?.names()).toEqual([]);
  });

  test('keeps an index in a database of another tenant', async () => {
    const post = (path: string, name: string) =>
      fetch(`${server.url}/api/v2/tenants${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      });
    const given = { ...options('handbook'), tenant: 'team', database: 'docs' };
    const store = await driver.open(given, context());
    await expect(store.paths()).rejects.toMatchObject({ code: 'config-invalid' });
    await post('', 'team');
    await post('/team/databases', 'docs');
    await store.put(documentRecord('a.md'), []);
    expect(await store.paths()).toEqual(['a.md']);
    await store.close();
    const elsewhere = await driver.open(options('handbook'), context());
    expect(await elsewhere.paths()).toEqual([]);
    await elsewhere.close();
  });
});

describe('the settings of Chroma', () => {
  const given = { collection: 'docs', tenant: 'team', database: 'main' };
  const keys: Record<string, string> = { CHROMA_API_KEY: 'service', QUARRY_STORE_API_KEY: 'own' };
  const withKeys = driverContext({ environment: (name) => keys[name] });
  const service = { ...given, url: 'https://api.trychroma.com' };

  test("send the key of the service nowhere else, and a server's own as a proxy wants it", () => {
    expect(findLocation(service, withKeys).headers).toEqual({ 'x-chroma-token': 'service' });
    for (const url of [
      'https://chroma.example',
      'https://api.trychroma.com.example',
      'http://localhost:8000',
    ])
      expect(findLocation({ ...given, url }, withKeys).headers).toEqual({
        'x-chroma-token': 'own',
        authorization: 'Bearer own',
      });
    expect(findLocation({ ...given, url: 'http://localhost:8000' }, context()).headers).toEqual({});
  });

  test.each([
    [{ url: 'ftp://host' }, 'config-invalid'],
    [{ url: 'http://api.trychroma.com' }, 'config-invalid'],
    [{ url: 'https://user:password@host' }, 'config-invalid'],
    [{ url: service.url, tenant: undefined }, 'config-invalid'],
    [{ url: service.url, database: undefined }, 'config-invalid'],
    [{ url: service.url }, 'provider-key'],
  ])('say what is wrong with %j', async (changes, code) => {
    await expect(async () => driver.open({ ...service, ...changes }, context())).rejects.toMatchObject({
      code,
    });
  });

  test('send nothing beyond this machine before the user has agreed', async () => {
    const requireConsent = vi.fn(async (address: URL) => {
      throw new QuarryError('consent-missing', address.origin, 'Agree.');
    });
    const store = await driver.open(service, { ...withKeys, requireConsent });
    await expect(store.paths()).rejects.toMatchObject({
      code: 'consent-missing',
      message: 'https://api.trychroma.com',
    });
    await store.close();
  });
});
