import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sample } from '../../../../test/samples.ts';
import type { LeaseRecord } from '../../../contracts/leases.ts';
import type { StoreDefect } from '../../../contracts/store.ts';
import { putDocument, putManifest } from '../../../index/write.ts';
import { resultOf } from '../../../platform/streams.ts';
import { openProject } from '../../../project/open-project.ts';
import { startTestServer } from '../../../surfaces/http/server.fixture.ts';
import { documentRecord, manifestEntry } from '../../../testing/documents.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import { leaseConformance } from '../../../testing/lease-conformance.ts';
import { storeCapabilityConformance, storeConformance } from '../../../testing/store-conformance.ts';
import { checkStore } from '../check-store.fixture.ts';
import { checkPausedWriter } from '../paused-writer.fixture.ts';
import driver from './driver.ts';

let running: Awaited<ReturnType<typeof startTestServer>>;
let collections = 0;
beforeAll(async () => {
  running = await startTestServer({ rate: { perSecond: 1e6, burst: 1e6 } });
});
afterAll(() => running.server.end());

const context = (index = 'index-1') => driverContext({ stateFolder: `/nowhere/${index}` });
const options = (collection: string) => ({ url: running.url, collection });

describe('a store on a live server', () => {
  const { patternSearch, searchPreparing } = storeCapabilityConformance;
  for (const promise of [...sample(4, storeConformance, 1), ...patternSearch, ...searchPreparing]) {
    test(promise.promise, async () => {
      collections += 1;
      const collection = `check-${collections}`;
      await checkStore(promise, () => driver.open(options(collection), context()));
    });
  }

  const leaseOf = async (given: ReturnType<typeof options>, name = 'writer') =>
    (await driver.lease?.(given, context(), name)) as LeaseRecord;

  test.each(leaseConformance)('keeps leases for several machines: $promise', async ({ check }) => {
    collections += 1;
    const given = options(`leased-${collections}`);
    await check((name) => leaseOf(given, name));
  });

  test('lets nothing in of a writer that was paused until another took over', async () => {
    await checkPausedWriter({ driver: 'remote', ...options('paused') });
  });

  test('lets one whose lease another has taken over change no list of indexes', async () => {
    const given = options('fenced');
    const lease = await leaseOf(given);
    await lease.replace(undefined, { holder: 'first', fence: 7 });
    const indexes = await driver.indexes?.(given, context());
    const under = (fence: number) => new Map([['writer', fence]]);
    const second = await driver.open(given, context('index-2'));
    await second.commit({ facts: new Map([['made', 'yes']]) });
    await second.close();
    await indexes?.switchTo('index-2', under(7));
    await lease.replace(7, { holder: 'next', fence: 8 });
    await expect(indexes?.switchTo('index-1', under(7))).rejects.toMatchObject({ code: 'lock-lost' });
    await expect(indexes?.remove(['index-2'], under(7))).rejects.toMatchObject({ code: 'lock-lost' });
    expect(await indexes?.current()).toBe('index-2');
    await indexes?.switchTo('index-1', under(8));
  });

  test('knows leases and fences after the server was restarted', async () => {
    const first = await startTestServer();
    const given = { url: first.url, collection: 'restarted' };
    const before = await driver.open(given, context());
    await (await leaseOf(given)).replace(undefined, { holder: 'next', fence: 8 });
    await before.commit({ fences: new Map([['writer', 8]]) });
    await before.close();
    await first.server.end();

    const port = Number(new URL(first.url).port);
    const places = [{ socket: first.socket }, { host: '127.0.0.1', port }];
    const second = await startTestServer({ places }, first.home);
    expect(await (await leaseOf(given)).read()).toMatchObject({ fence: 8, state: 'held' });
    const store = await driver.open(given, context());
    const late = { facts: new Map([['a', 'late']]), fences: new Map([['writer', 7]]) };
    await expect(store.commit(late)).rejects.toMatchObject({ code: 'lock-lost' });
    await store.commit({ ...late, fences: new Map([['writer', 8]]) });
    await store.close();
    await second.server.end();
  });

  test('keeps one list of indexes for all machines', async () => {
    const indexes = await driver.indexes?.(options('listed'), context());
    const store = await driver.open(options('listed'), context('index-2'));
    await putDocument(store, { document: documentRecord('a.md'), chunks: [] });
    await store.close();
    await indexes?.switchTo('index-2');
    const elsewhere = await driver.indexes?.(options('listed'), context());
    expect(await elsewhere?.current()).toBe('index-2');
    await elsewhere?.remove(['index-2']);
    const again = await driver.open(options('listed'), context('index-2'));
    expect((await again.state()).isEmpty).toBe(true);
    await again.close();
  });

  test('refuses a project that the server indexes itself, a wrong index name, and a call nobody knows', async () => {
    await running.client.request('POST', '/v1/projects', { id: 'own' });
    const store = await driver.open(options('own'), context());
    await expect(store.paths()).rejects.toMatchObject({
      code: 'usage-invalid',
      message: expect.stringContaining('indexed by the server'),
    });
    const traversing = await driver.open(options('escape'), context('..%2f..%2fx'));
    await expect(traversing.paths()).rejects.toMatchObject({ code: 'usage-invalid' });
    await expect(
      running.client.request('POST', '/v1/projects/check-1/indexes/index-1/close', { arguments: [] }),
    ).rejects.toMatchObject({ code: 'route-unknown' });
    await expect(
      running.client.request('POST', '/v1/projects/check-1/indexes/index-1/paths', { arguments: {} }),
    ).rejects.toMatchObject({ code: 'usage-invalid' });
  });

  test('names the server and the setting where nothing answers', async () => {
    const store = await driver.open({ url: 'http://127.0.0.1:9', collection: 'docs' }, context());
    await expect(store.paths()).rejects.toMatchObject({
      code: 'server-unreachable',
      remedy: expect.stringContaining('store.url'),
    });
  });
});

describe('a project whose index is on a server', () => {
  const settings = () => ({
    'store.driver': 'remote',
    'store.url': running.url,
    'store.collection': 'team',
    'embedder.driver': 'hashing',
  });
  const folderWith = async (text: string): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'remote-'));
    await writeFile(join(folder, 'lake.md'), text);
    return folder;
  };

  test('is indexed and searched here, kept there, and found from another machine and by the server', async () => {
    const project = await openProject(await folderWith('# Lake\n\nThe heron waits in the reeds.\n'), {
      settings: settings(),
    });
    for await (const _ of project.index());
    const own = await project.search('heron');
    expect(own.hits[0]?.document.uri).toBe('lake.md');
    expect(own.pending).toBe(0);
    for await (const _ of project.index({ full: true }));
    expect((await project.search('heron')).hits).toHaveLength(1);

    const elsewhere = await openProject(await folderWith(''), {
      settings: { ...settings(), 'index.on_search': false },
    });
    await elsewhere.store();
    expect((await elsewhere.search('heron')).hits[0]?.chunk.text).toContain('reeds');
    await elsewhere.close();

    const { result } = await running.client.call('team', 'search', { query: 'heron' });
    expect(result).toMatchObject({ hits: [{ path: 'lake.md' }] });
    await expect(running.client.call('team', 'index', {})).rejects.toMatchObject({ code: 'usage-invalid' });
    expect((await running.client.call('team', 'status', {})).result).toMatchObject({ documents: 1 });

    await project.clean({ all: true });
    expect((await running.client.call('team', 'status', {})).result).toMatchObject({ documents: 0 });
    await project.close();
  });

  test('is checked and repaired from here', async () => {
    const project = await openProject(await folderWith('# Lake\n\nThe heron waits in the reeds.\n'), {
      settings: { ...settings(), 'store.collection': 'mended' },
    });
    const defects = async () => {
      const all: StoreDefect[] = [];
      for await (const defect of project.verify()) all.push(defect);
      return all;
    };
    for await (const _ of project.index());
    expect(await defects()).toEqual([]);
    await putManifest(await project.store(), [manifestEntry('ghost.md')]);
    expect(await defects()).toMatchObject([{ kind: 'orphan', uri: 'ghost.md' }]);
    expect(await resultOf(project.repair())).toMatchObject({
      rebuilt: false,
      repaired: [{ uri: 'ghost.md' }],
    });
    expect(await defects()).toEqual([]);
    await project.close();
  });

  test('sends nothing to a server that the project file names, before the user has agreed', async () => {
    const folder = await folderWith('text');
    await writeFile(
      join(folder, 'quarry.toml'),
      '[store]\ndriver = "remote"\nurl = "https://elsewhere.example"\ncollection = "x"\n',
    );
    const project = await openProject(folder);
    await expect(project.store().then((store) => store.paths())).rejects.toMatchObject({
      code: 'consent-missing',
    });
    await project.close();
  });
});
