import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Table } from '@lancedb/lancedb';
import { expect, test, vi } from 'vitest';
import { sample } from '../../../../test/samples.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import type { Store } from '../../../contracts/store.ts';
import { QuarryError } from '../../../core/errors.ts';
import { documentId, sha256 } from '../../../core/identity.ts';
import { putDocument, setFact } from '../../../index/write.ts';
import { countsOf } from '../../../testing/counts-of.ts';
import { documentRecord, unitVector } from '../../../testing/documents.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import { checksAmong, scaleChecks } from '../../../testing/store-conformance/scale.ts';
import { storeCapabilityConformance, storeConformance } from '../../../testing/store-conformance.ts';
import { checkStore } from '../check-store.fixture.ts';
import { checkDamage, type Damage } from '../damage.fixture.ts';
import { checkManyPuts, putWithVectors } from '../many-puts.fixture.ts';
import { checkPausedWriter } from '../paused-writer.fixture.ts';
import driver from './driver.ts';
import { loadLance } from './package.ts';

const { patternSearch, searchPreparing } = storeCapabilityConformance;
// More chunks than are read at once, or scored in this process: beyond that, a table takes long to be filled.
const core = [...storeConformance.filter((check) => !scaleChecks.includes(check)), ...checksAmong(12)];

for (const promise of [...sample(4, core), ...patternSearch, ...searchPreparing]) {
  test(promise.promise, async () => {
    const folder = await temporaryFolder();
    await checkStore(promise, () => driver.open({}, driverContext({ stateFolder: join(folder, 'index-1') })));
  });
}

test('lets nothing in of a writer that was paused until another took over', async () => {
  await checkPausedWriter({ driver: 'lancedb' });
});

test('commits documents that are put at once together, and only the one to blame fails', async () => {
  const folder = await temporaryFolder();
  const open = () => driver.open({}, driverContext({ stateFolder: join(folder, 'index-1') }));
  await checkManyPuts(open);
  const store = await open();
  const before = (await store.state()).revision;
  const uris = Array.from({ length: 60 }, (_, number) => `together${number}.md`);
  await Promise.all(uris.map((uri) => putWithVectors(store, uri, ['one', 'two'])));
  expect((await store.state()).revision - before).toBe(1);
  await store.close();
});

test('a document that is stored again takes one commit, also where it has fewer chunks; the table is tidied later', async () => {
  const folder = await temporaryFolder();
  const open = () => driver.open({}, driverContext({ stateFolder: join(folder, 'index-1') }));
  const store = await open();
  await putWithVectors(store, 'a.md', ['one', 'two', 'three']);
  await putWithVectors(store, 'b.md', ['four']);
  const before = (await store.state()).revision;
  await putWithVectors(store, 'a.md', ['two']);
  expect((await store.state()).revision - before).toBe(1);
  expect(await countsOf(store, 'space/1')).toMatchObject({ documents: 2, chunks: 2, embedded: 2 });
  await putDocument(store, { document: documentRecord('a.md'), chunks: [] });
  expect(await countsOf(store, 'space/1')).toMatchObject({ documents: 2, chunks: 1, embedded: 1 });
  // What is no longer there takes nobody's place, though its vector was not among what was stored.
  const nearest = await store.searchVector('space/1', unitVector('two', 8), { limit: 1 });
  expect(nearest.map(({ chunk }) => chunk.text)).toEqual(['four']);
  const { lance } = await loadLance();
  const table = await (await lance.connect(join(folder, 'lancedb'))).openTable('quarry--index-1');
  const count = (kind: string) => table.countRows(`kind = '${kind}'`);
  // The three rows of the first state, since a key names the place too, and the one of the second.
  expect([await count('chunk'), await count('empty')]).toEqual([1, 4]);
  for await (const _ of store.prepareSearch?.('space/1') ?? []);
  await table.checkoutLatest();
  expect([await count('chunk'), await count('empty')]).toEqual([1, 0]);
  table.close();
  await store.close();
});

test('a process that is killed while it puts many documents loses none that was stored, and leaves none in part', async () => {
  const stateFolder = join(await temporaryFolder(), 'index-1');
  const program = fileURLToPath(new URL('endless-puts.fixture.ts', import.meta.url));
  const stored: string[] = [];
  for (const round of ['a', 'b', 'c']) {
    const child = spawn(process.execPath, [program, stateFolder, round], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let count = 0;
    for await (const uri of createInterface({ input: child.stdout })) {
      stored.push(uri);
      count += 1;
      if (count === 150) child.kill('SIGKILL');
    }
    expect(count).toBeGreaterThanOrEqual(150);
    const store = await driver.open({}, driverContext({ stateFolder }));
    const paths = await store.paths();
    expect(paths).toEqual(expect.arrayContaining(stored));
    expect(await countsOf(store)).toMatchObject({ documents: paths.length, chunks: 3 * paths.length });
    await store.close();
  }
});

test('an index of a later layout, and a table of another program, are left alone', async () => {
  const folder = await temporaryFolder();
  const open = () => driver.open({}, driverContext({ stateFolder: join(folder, 'index-1') }));
  await (await open()).paths();
  const { lance } = await loadLance();
  const table = await (await lance.connect(join(folder, 'lancedb'))).openTable('quarry--index-1');
  const [row] = await table.query().where("key = 'layout'").toArray();
  const identity = String(row?.record).slice(1);
  await table.update({ where: "key = 'layout'", values: { record: `99${identity}` } });
  await expect((await open()).paths()).rejects.toMatchObject({ code: 'store-too-new' });
  await table.delete("key = 'layout'");
  await expect((await open()).paths()).rejects.toMatchObject({ code: 'store-foreign' });
});

test('in the folder of the project only what this user wrote is read, elsewhere what is there', async () => {
  const folder = await temporaryFolder({ '.quarry/.gitignore': '*' });
  const stateFolder = join(folder, '.quarry', 'index-1');
  const elsewhere = await temporaryFolder();
  const other = async () => new Uint8Array(32).fill(2);
  for (const url of ['vectors', undefined, elsewhere]) {
    const given = url === undefined ? {} : { url };
    const store = await driver.open(given, driverContext({ stateFolder }));
    await putWithVectors(store, 'a.md', ['granite one', 'granite two']);
    await setFact(store, 'name', 'value');
    await store.close();
    // Somebody else's, as it comes with a clone.
    const theirs = await driver.open(given, driverContext({ stateFolder, ownKey: other }));
    if (url === elsewhere) expect(await theirs.paths()).toEqual(['a.md']);
    else await expect(theirs.paths()).rejects.toMatchObject({ code: 'store-foreign' });
    await theirs.close();
  }
});

test.each<[string, string, Record<string, string>, (store: Store) => Promise<unknown>]>([
  ['text of a chunk', "kind = 'chunk'", { record: "replace(record, 'granite', 'forged!')" }, search],
  ['document of a chunk', "kind = 'chunk'", { owner: "replace(owner, 'a.md', 'b.md')" }, search],
  ['kind of a row', "kind = 'fact'", { kind: "'manifest'" }, (store) => store.manifest()],
  [
    'document',
    "kind = 'document'",
    { record: "replace(record, 'a.md', 'b.md')" },
    (store) => store.documents(),
  ],
  ['fact', "kind = 'fact'", { record: "replace(record, 'value', 'other')" }, (store) => store.state()],
])('a %s that somebody else changed is never shown', async (_, where, valuesSql, read) => {
  const folder = await temporaryFolder();
  const open = () => driver.open({}, driverContext({ stateFolder: join(folder, 'index-1') }));
  const store = await open();
  await putWithVectors(store, 'a.md', ['granite one', 'granite two']);
  await setFact(store, 'name', 'value');
  await store.close();
  const { lance } = await loadLance();
  const table = await (await lance.connect(join(folder, 'lancedb'))).openTable('quarry--index-1');
  await table.update({ where, valuesSql });
  table.close();
  const again = await open();
  await expect(read(again)).rejects.toMatchObject({ code: 'store-foreign' });
  await again.close();
});

function search(store: Store): Promise<unknown> {
  return store.searchVector('space/1', unitVector('granite one', 8), { limit: 5 });
}

test('a folder that is taken away is reported once, and made again', async () => {
  const folder = await temporaryFolder();
  const store = await driver.open({}, driverContext({ stateFolder: join(folder, 'index-1') }));
  await putDocument(store, { document: documentRecord('a.md'), chunks: [] });
  await rm(join(folder, 'lancedb'), { recursive: true });
  await expect(store.paths()).rejects.toMatchObject({ code: 'store-unusable', remedy: 'Run: quarry index' });
  expect(await store.paths()).toEqual([]);
  await store.close();
});

test.each([
  ['ftp://host/path', undefined, 'config-invalid'],
  ['s3://user@bucket', 'team', 'config-invalid'],
  ['s3://bucket/path', undefined, 'config-invalid'],
  ['db://database', 'team', 'provider-key'],
])('says what is wrong with the place %s', async (url, collection, code) => {
  const given = { url, ...(collection && { collection }) };
  await expect(async () => driver.open(given, driverContext())).rejects.toMatchObject({ code });
});

test('sends nothing to a store beyond this machine before the user has agreed', async () => {
  const requireConsent = vi.fn(async (address: URL) => {
    throw new QuarryError('consent-missing', address.origin, 'Agree.');
  });
  const store = await driver.open(
    { url: 's3://bucket/path', collection: 'team' },
    driverContext({ requireConsent }),
  );
  await expect(store.paths()).rejects.toMatchObject({
    code: 'consent-missing',
    message: 'https://bucket.s3.us-east-1.amazonaws.com',
  });
});

async function openTable(folder: string): Promise<Table> {
  const { lance } = await loadLance();
  const connection = await lance.connect(folder);
  const [name = ''] = await connection.tableNames();
  return connection.openTable(name);
}

const column = `vector_${sha256('space/1').slice(0, 16)}`;
const chunkWith = (text: string) => `kind = 'chunk' AND record LIKE '%"${text}"%'`;
const ofA = `document = '${documentId('a.md')}'`;

test.each<Damage<(table: Table) => Promise<unknown>> & { readonly isSealed?: boolean }>([
  {
    name: 'a text with another letter',
    damage: (table) =>
      table.update({ where: chunkWith('beta'), valuesSql: { record: "replace(record, 'beta', 'beto')" } }),
    found: ['chunk a.md'],
    removed: ['a.md'],
  },
  {
    name: 'a text that somebody else changed in the folder of the project',
    damage: (table) =>
      table.update({ where: chunkWith('beta'), valuesSql: { record: "replace(record, 'beta', 'beto')" } }),
    found: ['chunk a.md'],
    removed: ['a.md'],
    isSealed: true,
  },
  {
    name: 'a chunk that is no JSON',
    damage: (table) => table.update({ where: chunkWith('beta'), valuesSql: { record: "'{'" } }),
    found: ['chunk a.md'],
    removed: ['a.md'],
  },
  {
    name: 'a chunk too few',
    damage: (table) => table.delete(chunkWith('alpha granite')),
    found: ['chunk a.md'],
    removed: ['a.md'],
  },
  {
    name: 'chunks without their document',
    damage: (table) => table.delete(`kind = 'document' AND ${ofA}`),
    found: ['orphan a.md', 'count'],
  },
  {
    name: 'a chunk under the key of another one',
    damage: (table) => table.update({ where: chunkWith('beta'), values: { embedding_key: 'f'.repeat(32) } }),
    found: ['chunk a.md'],
    lost: 1,
  },
  {
    name: 'a chunk without its words',
    damage: (table) => table.update({ where: chunkWith('beta'), values: { words: '', lines: '' } }),
    found: ['text a.md'],
  },
  {
    name: 'a vector of zeros',
    damage: (table) => table.update({ where: chunkWith('beta'), values: { [column]: new Array(8).fill(0) } }),
    found: ['vector a.md'],
    lost: 1,
  },
  {
    name: 'a vector that is not counted',
    damage: (table) => table.update({ where: chunkWith('beta'), values: { [`has_${column}`]: false } }),
    found: ['vector a.md'],
  },
])('finds and repairs $name', async ({ isSealed = false, ...damage }) => {
  const folder = await temporaryFolder({ '.quarry/.gitignore': '*' });
  const elsewhere = await temporaryFolder();
  const stateFolder = join(folder, '.quarry', 'index-1');
  await checkDamage(
    () => driver.open(isSealed ? {} : { url: elsewhere }, driverContext({ stateFolder })),
    damage,
    async (change) => {
      const table = await openTable(isSealed ? join(folder, '.quarry', 'lancedb') : elsewhere);
      await change(table);
      table.close();
    },
  );
});
