import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sample } from '../../../../test/samples.ts';
import { freePort, type ServerProcess, startServer } from '../../../../test/servers/stores/server-process.ts';
import { startProxy, type UnsteadyProxy } from '../../../../test/servers/stores/unsteady-proxy.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import type { LeaseRecord } from '../../../contracts/leases.ts';
import { setFact } from '../../../index/write.ts';
import { doctorOperation } from '../../../operations/setup/doctor.ts';
import { openProject } from '../../../project/open-project.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import { leaseConformance } from '../../../testing/lease-conformance.ts';
import { checkStore } from '../check-store.fixture.ts';
import { checkPausedWriter } from '../paused-writer.fixture.ts';
import driver from './driver.ts';
import { checkTwoWriters, objectStorePromises, objectStores, put } from './object-store.fixture.ts';

const port = await freePort();
const startMoto = () => startServer(['moto_server', '-H', '127.0.0.1', '-p', String(port)], port, '/');
let moto: ServerProcess | undefined = objectStores.includes('S3') ? await startMoto() : undefined;
let proxy: UnsteadyProxy;
let places = 0;

// moto is a program in Python: where it is not installed, these promises are not checked.
describe.skipIf(!moto)('LanceDB in an S3-compatible store', () => {
  beforeAll(async () => {
    proxy = await startProxy(() => `http://127.0.0.1:${port}`);
    await fetch(`${moto?.url}/bucket`, { method: 'PUT' });
  });
  afterAll(async () => {
    await proxy.close();
    await moto?.kill();
  });
  beforeEach(() => {
    proxy.weather = () => 'fair';
    places += 1;
  });

  const variables = () => ({
    AWS_ENDPOINT_URL: proxy.url,
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_REGION: 'us-east-1',
  });
  const environment = (name: string) => (variables() as Record<string, string>)[name] ?? process.env[name];
  const context = (index = 'index-1') => driverContext({ stateFolder: `/nowhere/${index}`, environment });
  const options = () => ({ url: `s3://bucket/place-${places}`, collection: 'team' });
  const open = () => driver.open(options(), context());

  test.each(sample(4, objectStorePromises))('$promise', (promise) => checkStore(promise, open));

  test('keeps everything that two processes write at once, and nothing twice', async () => {
    await checkTwoWriters(open, options(), variables());
  });

  test.each(sample(2, leaseConformance))('keeps leases for several machines: $promise', async ({ check }) => {
    await check(async (name) => (await driver.lease?.(options(), context(), name)) as LeaseRecord);
  });

  test('keeps one list of indexes for all', async () => {
    const store = await driver.open(options(), context('index-2'));
    await setFact(store, 'made', 'yes');
    await store.close();
    const indexes = await driver.indexes?.(options(), context());
    expect(await indexes?.current()).toBeUndefined();
    await indexes?.switchTo('index-2');
    expect([await indexes?.current(), await indexes?.names()]).toEqual(['index-2', ['index-2']]);
    await indexes?.remove(['index-2', 'index-7']);
    expect(await indexes?.names()).toEqual([]);
  });

  test('lets nothing in of a writer that was paused until another took over', async () => {
    await checkPausedWriter({ driver: 'lancedb', ...options() }, variables());
  });

  test('refuses a commit that was on its way while another writer took over', async () => {
    const [store, next] = [await open(), await open()];
    const under = (fence: number) => new Map([['writer', fence]]);
    await store.commit({ fences: under(7), facts: new Map([['by', 'first']]) });
    const { promise: isSending, resolve: sends } = Promise.withResolvers<void>();
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    // The last request of a commit is the one that makes it the newest version; a writer of an earlier test may still send its own.
    const versions = `place-${places}/team--index-1.lance/_versions`;
    proxy.weather = ({ method, url }) => {
      if (method !== 'PUT' || !url?.includes(versions)) return 'fair';
      proxy.weather = () => 'fair';
      sends();
      return { after: isOver };
    };
    const late = store.commit({ fences: under(7), facts: new Map([['by', 'late']]) });
    const refused = expect(late).rejects.toMatchObject({ code: 'lock-lost' });
    await isSending;
    await next.commit({ fences: under(8), facts: new Map([['by', 'next']]) });
    end();
    await refused;
    expect((await next.state()).facts.get('by')).toBe('next');
    for (const each of [store, next]) await each.close();
  });

  test('writes on where requests are lost or slow', async () => {
    let requests = 0;
    const store = await open();
    await setFact(store, 'made', 'yes');
    proxy.weather = () => {
      requests += 1;
      if (requests % 9 === 0) return 'lost';
      return requests % 5 === 0 ? { delay: 50 } : 'fair';
    };
    for (let at = 0; at < 4; at += 1) await put(store, `${at}.md`);
    proxy.weather = () => 'fair';
    expect(requests).toBeGreaterThan(20);
    expect(await store.paths()).toEqual(['0.md', '1.md', '2.md', '3.md']);
    expect((await store.state()).chunks).toBe(8);
    await store.close();
  });

  test('says that the key is refused, and that the store does not answer; and loses nothing', async () => {
    const store = await open();
    await put(store, 'a.md');
    proxy.weather = () => ({ status: 403 });
    await expect(put(store, 'b.md')).rejects.toMatchObject({ code: 'provider-key' });
    proxy.weather = ({ method }) => (method === 'PUT' ? { status: 400 } : 'fair');
    await expect(put(store, 'b.md')).rejects.toMatchObject({ remedy: expect.any(String) });
    proxy.weather = () => 'fair';
    expect(await store.paths()).toEqual(['a.md']);
    await put(store, 'b.md');
    expect(await store.paths()).toEqual(['a.md', 'b.md']);
    await store.close();
  });

  test('doctor says how many copies of a project write it', async () => {
    const settings = {
      'store.driver': 'lancedb',
      'store.url': options().url,
      'store.collection': 'team',
      'embedder.driver': 'hashing',
    };
    const checks = [];
    for (let copies = 1; copies <= 2; copies += 1) {
      const folder = await temporaryFolder({ 'heron.md': 'It waits in the reeds.\n' });
      const project = await openProject(folder, { settings, environment });
      for await (const _ of project.index());
      const { value } = await doctorOperation.run(project, {}, {}).next();
      const found = (value as { checks: { name: string }[] }).checks;
      checks.push(found.find(({ name }) => name === 'store'));
      await project.close();
    }
    expect(checks).toEqual([
      { name: 'store', state: 'good', detail: 'lancedb, written by 1 copy of the project' },
      { name: 'store', state: 'good', detail: 'lancedb, written by 2 copies of the project' },
    ]);
  });

  test('a store that came back empty is reported, and the next run fills it again', async () => {
    const folder = await temporaryFolder({ 'lake.md': '# Lake\n\nThe heron waits in the reeds.\n' });
    const project = await openProject(folder, {
      settings: {
        'store.driver': 'lancedb',
        'store.url': options().url,
        'store.collection': 'team',
        'embedder.driver': 'hashing',
      },
      environment,
    });
    for await (const _ of project.index());
    expect((await project.search('heron')).hits).toHaveLength(1);
    await moto?.kill();
    const paths = async () => (await project.store()).paths();
    await expect(paths()).rejects.toMatchObject({ code: 'provider-unreachable' });
    moto = await startMoto();
    await fetch(`${moto?.url}/bucket`, { method: 'PUT' });
    await expect(paths()).rejects.toMatchObject({ code: 'store-unusable' });
    for await (const _ of project.index());
    expect((await project.search('heron')).hits).toHaveLength(1);
    await project.close();
  });
});
