import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import type { LeaseRecord } from '../../../contracts/leases.ts';
import type { Store } from '../../../contracts/store.ts';
import { chunksOf } from '../../../index/chunks-of.ts';
import { putDocument } from '../../../index/write.ts';
import { resultOf } from '../../../platform/streams.ts';
import { openProject } from '../../../project/open-project.ts';
import { chunkEntries, documentRecord, manifestEntry } from '../../../testing/documents.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import { leaseConformance } from '../../../testing/lease-conformance.ts';
import { defectsOf } from '../damage.fixture.ts';
import { checkPausedWriter } from '../paused-writer.fixture.ts';
import { databaseAddress } from './address.ts';
import driver from './driver.ts';
import { Pool } from './pool.ts';
import { noServer, startPostgres, type TestServer } from './server.fixture.ts';
import { openPostgresStore } from './store.ts';

let server: TestServer;
beforeAll(async () => {
  if (noServer === undefined) server = await startPostgres();
});
afterAll(() => server?.end());

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

const context = driverContext({ stateFolder: '/nowhere/index-1' });
const options = (collection: string, given: { url?: string; api_key?: string } = {}) => ({
  url: server.url,
  api_key: server.password,
  collection,
  ...given,
});
const open = async (...given: Parameters<typeof options>): Promise<Store> => {
  const store = await driver.open(options(...given), context);
  opened.push(store);
  return store;
};
const put = (store: Store, uri: string, text: string) => {
  const document = documentRecord(uri);
  return putDocument(store, {
    document,
    chunks: chunkEntries(document, [`${text} one`, `${text} two`]),
    manifest: manifestEntry(uri, { chunks: 2 }),
  });
};
/** The database at the address of another user or name. */
const urlOf = (user: string, database: string) => `postgres://${user}@127.0.0.1:${server.port}/${database}`;

describe.skipIf(noServer !== undefined)('a database that', () => {
  test('refuses the password is named with the variable to set, and the password is not', async () => {
    const failure = await open('refused', { api_key: 'hunter2' }).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({
      code: 'provider-key',
      remedy: expect.stringContaining('QUARRY_STORE_API_KEY'),
    });
    expect(JSON.stringify([failure, String(failure), (failure as Error).cause])).not.toContain('hunter2');
  });

  test('does not answer, is not there, or is no database says which', async () => {
    const { port } = server;
    for (const [url, code] of [
      ['postgres://postgres@127.0.0.1:1/quarry', 'server-unreachable'],
      [urlOf('postgres', 'absent'), 'store-unusable'],
      [`http://127.0.0.1:${port}/quarry`, 'config-invalid'],
      [`postgres://127.0.0.1:${port}`, 'config-invalid'],
      [`${server.url}?sslmode=perhaps`, 'config-invalid'],
    ] as const)
      await expect(open('absent', { url }), url).rejects.toMatchObject({ code });
  });

  test('lacks pgvector, a right or an encoding says what to do', async () => {
    server.query("CREATE ROLE reader LOGIN PASSWORD 'r'", 'postgres');
    server.query('CREATE DATABASE bare', 'postgres');
    server.query('GRANT CREATE ON DATABASE bare TO reader', 'postgres');
    server.query("CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0", 'postgres');
    const asReader = { api_key: 'r' };
    await expect(open('bare', { ...asReader, url: urlOf('reader', 'bare') })).rejects.toMatchObject({
      code: 'store-unusable',
      remedy: expect.stringMatching(/CREATE EXTENSION vector|GRANT/),
    });
    await expect(open('bare', { ...asReader, url: urlOf('reader', 'quarry') })).rejects.toMatchObject({
      code: 'store-unusable',
      remedy: expect.stringContaining('GRANT CREATE'),
    });
    await expect(open('bare', { url: urlOf('postgres', 'ascii') })).rejects.toMatchObject({
      code: 'store-unusable',
      remedy: expect.stringContaining('UTF8'),
    });
  });

  test('dies in the middle of writes loses nothing that was acknowledged, and shows no document by half', async () => {
    const store = await open('dying');
    const acknowledged: string[] = [];
    let failure: unknown;
    const writing = (async () => {
      for (let number = 0; ; number += 1) {
        await put(store, `file${number}.md`, `word${number}`);
        acknowledged.push(`file${number}.md`);
      }
    })().catch((thrown: unknown) => {
      failure = thrown;
    });
    while (acknowledged.length < 20) await new Promise(setImmediate);
    await server.kill();
    await writing;
    expect(failure).toMatchObject({ code: 'server-unreachable' });
    await expect(store.paths()).rejects.toMatchObject({ code: 'server-unreachable' });
    await server.start();
    const paths = await store.paths();
    expect(paths).toEqual(expect.arrayContaining(acknowledged));
    expect(paths.length).toBeLessThanOrEqual(acknowledged.length + 1);
    for (const { id } of await store.documents()) expect(await chunksOf(store, id)).toHaveLength(2);
    await put(store, 'after.md', 'alive');
    expect((await store.state()).chunks).toBe(2 * paths.length + 2);
  });

  test('comes back empty is filled again by the next run, damaged by repair', async () => {
    const folder = await temporaryFolder({
      'a.md': '# Quinces\n\nQuinces ripen late.\n',
      'b.md': '# Pears\n\nSoon.\n',
    });
    const settings = {
      'store.driver': 'postgres',
      'store.url': server.url,
      'store.api_key': server.password,
      'store.collection': 'emptied',
      'embedder.driver': 'hashing',
    };
    // The server may run as another user.
    const consent = [server.url];
    const project = await openProject(folder, { settings, consent });
    const run = async () => {
      for await (const _ of project.index());
    };
    await run();
    const before = await project.search('when do quinces ripen?');
    expect(before.hits[0]?.document.uri).toBe('a.md');
    for (const schema of ['quarry/emptied/index-1', 'quarry/emptied'])
      server.query(`DROP SCHEMA "${schema}" CASCADE`);
    await run().catch(run);
    const after = await project.search('when do quinces ripen?');
    expect(after.hits.map(({ document }) => document.uri)).toEqual(
      before.hits.map(({ document }) => document.uri),
    );
    const counts = { documents: 2, chunks: 2, embedded: 2 };
    expect((await project.status()).counts).toMatchObject(counts);

    const damage = (sql: string) => server.query(`SET search_path = "quarry/emptied/index-1"; ${sql}`);
    damage("UPDATE chunks SET text = replace(text, 'Soon', 'Late')");
    expect(await defectsOf(project.verify())).toMatchObject([{ kind: 'chunk', uri: 'b.md' }]);
    expect(await resultOf(project.repair())).toMatchObject({ rebuilt: false, removed: ['b.md'] });
    expect((await project.search('soon')).hits[0]?.chunk.text).toContain('Soon');
    damage('UPDATE state SET chunks = 9');
    expect(await resultOf(project.repair())).toMatchObject({ rebuilt: true });
    expect(await defectsOf(project.verify())).toEqual([]);
    expect((await project.status()).counts).toMatchObject(counts);
    await project.close();
  });

  test('is slow is given up after a while, and served again once it answers', async () => {
    const pool = new Pool(
      databaseAddress(options('slow'), () => undefined),
      1,
    );
    const store = await openPostgresStore(pool, 'slow', 'index-1');
    opened.push(store);
    await put(store, 'a.md', 'alpha');
    server.signal('SIGSTOP');
    const waiting = store.searchText(['alpha'], { limit: 5 });
    await expect(waiting).rejects.toMatchObject({ code: 'store-busy' });
    server.signal('SIGCONT');
    expect(await store.searchText(['alpha'], { limit: 5 })).toHaveLength(2);
  });

  test('holds an index of a newer Quarry is left alone, and words of other rules are made again', async () => {
    const store = await open('versions');
    await put(store, 'a.md', 'running');
    const index = '"quarry/versions/index-1"';
    server.query(
      `UPDATE ${index}.state SET text_recipe = 'other', words = 7; DELETE FROM ${index}.chunk_terms`,
    );
    const again = await open('versions');
    expect(await again.searchText(['runs'], { limit: 5 })).toHaveLength(2);
    server.query(`UPDATE ${index}.state SET layout = 99`);
    await expect(open('versions')).rejects.toMatchObject({ code: 'store-too-new' });
  });
});

describe.skipIf(noServer !== undefined)('leases in a database', () => {
  const elsewhere = () => ({ url: `postgres://postgres@localhost:${server.port}/quarry` });
  const leaseOf = async (...given: Parameters<typeof options>) =>
    (await driver.lease?.(options(...given), context, 'writer')) as LeaseRecord;
  let collections = 0;

  test.each(leaseConformance)('$promise', async ({ check }) => {
    collections += 1;
    await check(
      async (name) => (await driver.lease?.(options(`leased${collections}`), context, name)) as LeaseRecord,
    );
  });

  test('let nothing in of a writer that was paused until another took over', async () => {
    await checkPausedWriter({ driver: 'postgres', ...options('paused') });
  });

  test('are over by the clock of the server, and the previous holder then changes neither an index nor the list of them', async () => {
    const store = await open('fenced');
    const under = (fence: number) => new Map([['writer', fence]]);
    const lease = await leaseOf('fenced');
    await lease.replace(undefined, { holder: 'first', fence: 7 });
    const fact = (value: string, fence: number) => ({ facts: new Map([['a', value]]), fences: under(fence) });
    await store.commit(fact('mine', 7));
    server.query(`UPDATE "quarry/fenced".leases SET expires_at = now() - interval '1 second'`);
    await store.commit(fact('late but first', 7));
    const next = await leaseOf('fenced', elsewhere());
    expect(await next.read()).toMatchObject({ fence: 7, state: 'over' });
    expect(await next.replace(7, { holder: 'next', fence: 8 })).toBe(true);
    // Without a commit of the next one: the lease and the index are in one database.
    await expect(store.commit(fact('overwritten', 7))).rejects.toMatchObject({ code: 'lock-lost' });
    const indexes = await driver.indexes?.(options('fenced'), context);
    await expect(indexes?.switchTo('index-1', under(7))).rejects.toMatchObject({ code: 'lock-lost' });
    await expect(indexes?.remove(['index-1'], under(7))).rejects.toMatchObject({ code: 'lock-lost' });
    expect((await store.state()).facts.get('a')).toBe('late but first');
    // A version without fences takes the next number of the column, which is a later one.
    server.query(
      `INSERT INTO "quarry/fenced".leases AS known (name, holder, expires_at) VALUES ('writer', 'old', now())
       ON CONFLICT (name) DO UPDATE SET token = excluded.token`,
    );
    expect((await next.read())?.fence).toBeGreaterThan(8);
    for (const each of [lease, next]) await each.close();
  });
});
