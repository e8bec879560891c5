import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../../contracts/store.ts';
import { openProject } from '../../../project/open-project.ts';
import { chunkEntries, documentRecord, manifestEntry } from '../../../testing/documents.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import { storeConformance } from '../../../testing/store-conformance.ts';
import { freePort, type ServerProcess, startServer } from '../../../testing/store-servers/server-process.ts';
import { startProxy, type UnsteadyProxy } from '../../../testing/store-servers/unsteady-proxy.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { checkStore } from '../check-store.fixture.ts';
import { checkPausedWriter } from '../paused-writer.fixture.ts';
import driver from './driver.ts';

/** Those promises that depend on how an object store commits; all of them are checked with a folder. */
const promises = [
  'shows a committed document to a second connection, with every field as it was put',
  'replaces a document with all its chunks',
  'deletes by path with chunks and manifest entries, and says how many were there',
  'puts a document together with its vectors, and only where nobody was quicker',
  'keeps spaces apart and drops one without touching another',
  'remembers facts, and forgets one that is set to nothing',
  'finds chunks with any of the terms, those with more and rarer ones first',
];
const checks = storeConformance.filter(({ promise }) => promises.includes(promise));

const port = await freePort();
const startMoto = () => startServer(['moto_server', '-H', '127.0.0.1', '-p', String(port)], port, '/');
let moto: ServerProcess | undefined = await startMoto();
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

  test.each(checks)('$promise', async (promise) => {
    expect(checks).toHaveLength(promises.length);
    await checkStore(promise, open);
  });

  test('keeps everything that two processes write at once, and nothing twice', async () => {
    await (await open()).setFact('made', 'yes');
    const writers = ['one', 'other'].map((name) => startWriter(name, options(), variables()));
    for (const writer of writers) expect(await exitOf(writer)).toBe(0);
    const store = await open();
    const names = ['one', 'other'].flatMap((name) =>
      Array.from({ length: 6 }, (_, at) => `${name}-${at}.md`),
    );
    expect(await store.paths()).toEqual([...names, 'same.md'].sort());
    const { documents, chunks, embedded } = await store.counts('space');
    expect({ documents, chunks, embedded }).toEqual({
      documents: 13,
      chunks: 12 * 3 + 2,
      embedded: 12 * 3 + 2,
    });
    expect(await store.chunksOf(documentRecord('same.md').id)).toHaveLength(2);
    await store.close();
  });

  test('keeps writers of several machines apart by leases, and one list of indexes for all', async () => {
    const one = driver.locks?.(options(), context());
    const other = driver.locks?.(options(), context());
    const lock = await one?.take('writer');
    expect(lock).toBeDefined();
    expect(await other?.take('writer')).toBeUndefined();
    const waiting = other?.take('writer', { wait: true });
    lock?.release();
    (await waiting)?.release();
    const store = await driver.open(options(), context('index-2'));
    await store.setFact('made', 'yes');
    await store.close();
    const indexes = driver.indexes?.(options(), context());
    expect(await indexes?.current()).toBeUndefined();
    await indexes?.switchTo('index-2');
    expect([await indexes?.current(), await indexes?.names()]).toEqual(['index-2', ['index-2']]);
    await indexes?.remove(['index-2', 'index-7']);
    expect(await indexes?.names()).toEqual([]);
  });

  test('a writer that was paused until another took its place writes nothing more', async () => {
    const store = await open();
    expect(store.admitsLateWrites).toBe(true);
    await checkPausedWriter(driver.locks?.(options(), context()), store);
    await store.close();
  });

  test('writes on where requests are lost or slow', async () => {
    let requests = 0;
    const store = await open();
    await store.setFact('made', 'yes');
    proxy.weather = () => {
      requests += 1;
      if (requests % 9 === 0) return 'lost';
      return requests % 5 === 0 ? { delay: 50 } : 'fair';
    };
    for (let at = 0; at < 4; at += 1) await put(store, `${at}.md`);
    proxy.weather = () => 'fair';
    expect(requests).toBeGreaterThan(20);
    expect(await store.paths()).toEqual(['0.md', '1.md', '2.md', '3.md']);
    expect((await store.counts()).chunks).toBe(8);
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

async function put(store: Store, uri: string): Promise<void> {
  const document = documentRecord(uri);
  await store.put(document, chunkEntries(document, [`text of ${uri}`, 'common']), manifestEntry(uri));
}

/** A process that writes documents of its own, and one that the other writes too. */
function startWriter(name: string, options: object, variables: Record<string, string>): ChildProcess {
  const source = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `
    import driver from ${source('./driver.ts')};
    import { driverContext } from ${source('../../../testing/driver-context.ts')};
    import { chunkEntries, documentRecord, unitVector } from ${source('../../../testing/documents.ts')};
    const environment = (variable) => (${JSON.stringify(variables)})[variable];
    const context = driverContext({ stateFolder: '/nowhere/index-1', environment });
    const store = await driver.open(${JSON.stringify(options)}, context);
    const put = async (uri, texts) => {
      const document = documentRecord(uri);
      const entries = chunkEntries(document, texts);
      await store.put(document, entries);
      await store.addVectors('space', entries.map(({ embeddingKey }) => ({ embeddingKey, vector: unitVector(embeddingKey, 8) })));
    };
    for (let at = 0; at < 6; at += 1) {
      await put('${name}-' + at + '.md', ['${name} ' + at, 'second ${name} ' + at, 'third ' + at]);
      await put('same.md', ['same ${name} ' + at, 'text']);
    }
    await store.close();`;
  return spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}
