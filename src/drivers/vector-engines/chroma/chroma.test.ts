import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sample } from '../../../../test/samples.ts';
import type { ServerProcess } from '../../../../test/servers/stores/server-process.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import type { Project } from '../../../calls/project.ts';
import type { VectorEngine } from '../../../contracts/vector-engine.ts';
import { QuarryError } from '../../../core/errors.ts';
import { withVectorEngine } from '../../../index/with-vector-engine.ts';
import { openProject } from '../../../project/open-project.ts';
import { unitVector } from '../../../testing/documents.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import { storeCapabilityConformance, storeConformance } from '../../../testing/store-conformance.ts';
import { vectorEngineConformance } from '../../../testing/vector-engine-conformance.ts';
import { checkStore } from '../../stores/check-store.fixture.ts';
import { checkPausedWriter } from '../../stores/paused-writer.fixture.ts';
import { openSqliteStore } from '../../stores/sqlite/store.ts';
import driver from './driver.ts';
import { chromaEngine } from './engine.ts';
import { findLocation } from './location.ts';
import { noServer, sharedChroma } from './server.fixture.ts';
import { type ChromaServer, chromaServer } from './server.ts';

let server: Pick<ServerProcess, 'url'>;
beforeAll(async () => {
  if (!noServer) server = await sharedChroma();
});

const context = driverContext();
const options = (collection: string) => ({ url: server.url, collection });
const why = noServer ? ` (${noServer})` : '';

describe.skipIf(noServer)(`Chroma as a vector engine${why}`, () => {
  for (const [number, { promise, check }] of vectorEngineConformance.entries())
    test(promise, async () => {
      const engine = await driver.open(options('check'), context);
      await check(engine, `check-${number}`);
      await engine.close();
    });

  test('compares what the graph does not lead to', async () => {
    const whole = chromaServer(findLocation(options('graph'), context), context);
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
    const [all, engine] = [whole, missing].map((each) => chromaEngine(each, 'place', 'graph')) as [
      VectorEngine,
      VectorEngine,
    ];
    const keys = ['one', 'two', 'three', 'four'];
    await all.create('words');
    await all.upsert(
      'words',
      keys.map((embeddingKey) => ({ embeddingKey, vector: unitVector(embeddingKey, 4) })),
    );
    const found = await engine.nearest('words', unitVector('five', 4), 4);
    const expected = (await all.nearest('words', unitVector('five', 4), 4)) ?? [];
    expect(expected).toHaveLength(4);
    expect(found?.map(({ embeddingKey }) => embeddingKey)).toEqual(
      expected.map(({ embeddingKey }) => embeddingKey),
    );
    for (const [place, { score }] of found?.entries() ?? [])
      expect(score).toBeCloseTo(expected[place]?.score ?? Number.NaN, 5);
    whole.close();
  });

  test('keeps vectors in a database of another tenant, and says where there is none', async () => {
    const post = (path: string, name: string) =>
      fetch(`${server.url}/api/v2/tenants${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      });
    const engine = await driver.open({ ...options('other'), tenant: 'team', database: 'docs' }, context);
    await expect(engine.count('space')).rejects.toMatchObject({
      code: 'provider-refused',
      message: expect.stringContaining('no database "docs" of the tenant "team"'),
    });
    await post('', 'team');
    await post('/team/databases', 'docs');
    await engine.create('space');
    expect(await engine.count('space')).toBe(0);
    await engine.close();
    const elsewhere = await driver.open(options('other'), context);
    expect(await elsewhere.count('space')).toBeUndefined();
    await elsewhere.close();
  });
});

describe.skipIf(noServer)(`an index with Chroma beside it${why}`, () => {
  const { keyedChunks: _, ...capabilities } = storeCapabilityConformance;
  for (const promise of sample(4, [...storeConformance, ...Object.values(capabilities).flat()], 2))
    test(promise.promise, async () => {
      const folder = await temporaryFolder();
      await checkStore(promise, async () =>
        withVectorEngine(
          openSqliteStore(join(folder, 'text.sqlite')),
          await driver.open(options('index'), context),
          folder,
        ),
      );
    });

  test('lets nothing in of a writer that was paused until another took over', async () => {
    await checkPausedWriter({ driver: 'chroma', ...options('paused') });
  });
});

describe.skipIf(noServer)(`projects with Chroma${why}`, () => {
  const collections = async () => {
    const path = '/api/v2/tenants/default_tenant/databases/default_database/collections?limit=1000';
    const all = (await (await fetch(server.url + path)).json()) as { name: string }[];
    return all.map(({ name }) => name).filter((name) => name.startsWith('projects--'));
  };
  const openIn = async (folder: string) => {
    const settings = { ...options('projects'), driver: 'chroma' };
    const project = await openProject(folder, {
      settings: {
        ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [`store.${key}`, value])),
        'embedder.driver': 'hashing',
      },
    });
    onTestFinished(() => project.close());
    return project;
  };
  const index = async (project: Project, full = false) => {
    for await (const _ of project.index({ full }));
  };
  const found = async (project: Project) => {
    const { hits, pending } = await project.search('heron', { route: 'dense' });
    return [hits[0]?.document.uri, pending];
  };
  const lake = { 'lake.md': '# Lake\n\nThe heron waits in the reeds.\n' };

  test('are indexed, searched, rebuilt and cleaned, two under one name each for itself', async () => {
    const folder = await temporaryFolder(lake);
    const [one, other] = [await openIn(folder), await openIn(await temporaryFolder(lake))];
    for (const project of [one, other, one]) {
      await index(project, true);
      expect(await found(project)).toEqual(['lake.md', 0]);
    }
    expect(await collections()).toHaveLength(2);
    await one.clean({ all: true });
    expect(await collections()).toHaveLength(1);
    expect(await found(other)).toEqual(['lake.md', 0]);
    await other.clean({ all: true });
    expect(await collections()).toEqual([]);
  });

  test('lose the vectors of an index that another one has replaced', async () => {
    const folder = await temporaryFolder(lake);
    const project = await openIn(folder);
    await index(project);
    const [previous] = await collections();
    await writeFile(join(folder, '.quarry', 'current'), 'index-2\n');
    await mkdir(join(folder, '.quarry', 'index-2'), { mode: 0o700 });
    await index(project);
    expect(await collections()).toEqual([expect.not.stringMatching(previous ?? '')]);
    expect(existsSync(join(folder, '.quarry', 'index-1'))).toBe(false);
    expect(await found(project)).toEqual(['lake.md', 0]);
    await project.clean({ all: true });
  });
});

describe('the settings of Chroma', () => {
  const given = { collection: 'docs', tenant: 'team', database: 'main' };
  const keys: Record<string, string> = { CHROMA_API_KEY: 'service', QUARRY_STORE_API_KEY: 'own' };
  const withKeys = driverContext({ environment: (name) => keys[name] });
  const service = { ...given, url: 'https://api.trychroma.com' };

  test("send the key of the service nowhere else, and a server's own as a proxy wants it", () => {
    expect(findLocation(service, withKeys).headers()).toEqual({ 'x-chroma-token': 'service' });
    for (const url of [
      'https://chroma.example',
      'https://api.trychroma.com.example',
      'http://localhost:8000',
    ])
      expect(findLocation({ ...given, url }, withKeys).headers()).toEqual({
        'x-chroma-token': 'own',
        authorization: 'Bearer own',
      });
    expect(findLocation({ ...given, url: 'http://localhost:8000' }, context).headers()).toEqual({});
  });

  test.each([
    [{ url: 'ftp://host' }, 'config-invalid'],
    [{ url: 'http://api.trychroma.com' }, 'config-invalid'],
    [{ url: 'https://user:password@host' }, 'config-invalid'],
    [{ url: service.url, tenant: undefined }, 'config-invalid'],
    [{ url: service.url, database: undefined }, 'config-invalid'],
    // Words are found without it.
    [{ url: service.url }, 'provider-key'],
  ])('say what is wrong with %j', async (changes, code) => {
    const count = async () => (await driver.open({ ...service, ...changes }, context)).count('space');
    await expect(count()).rejects.toMatchObject({ code });
  });

  test('send nothing beyond this machine before the user has agreed', async () => {
    const requireConsent = vi.fn(async (address: URL) => {
      throw new QuarryError('consent-missing', address.origin, 'Agree.');
    });
    const engine = await driver.open(service, { ...withKeys, requireConsent });
    await expect(engine.count('space')).rejects.toMatchObject({
      code: 'consent-missing',
      message: 'https://api.trychroma.com',
    });
    await engine.close();
  });
});
