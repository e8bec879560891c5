import { copyFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, vi } from 'vitest';
import type { Connection } from '../file/connection.ts';
import { corpus, exactAlways, graphAlways, putDocument } from '../graph/corpus.fixture.ts';
import { listGraphFiles } from '../graph/file.ts';
import { graphTest } from '../graph/graph-test.fixture.ts';
import { chunkCondition } from '../layout/filter.ts';
import { ask, collect, prepare, spaceSearch } from './space-search.fixture.ts';
import { type SearchLimits, SpaceSearch } from './space-search.ts';
import { makeVectorQuery } from './vector-query.ts';
import { insertVectors } from './vectors.ts';

const space = { number: 1, dimensions: 8 };

graphTest.each([
  ['exact', exactAlways],
  ['graph', graphAlways],
] as const)(
  'a change that could not be followed at once is followed later, by the way "%s"',
  async (way, limits) => {
    const { connection, make, path } = await corpus(5, 8);
    const search = await prepared(connection, limits);
    const vector = make();
    await ask(connection, search, vector);
    expect(search.way).toBe(way);
    await putDocument(connection, 'new.md', 'rest', [vector]);
    const other = new DatabaseSync(path);
    other.exec('ALTER TABLE vectors RENAME TO out_of_reach');
    await expect(ask(connection, search, vector)).rejects.toMatchObject({ code: 'store-corrupt' });
    other.exec('ALTER TABLE out_of_reach RENAME TO vectors');
    other.close();
    const [nearest] = await ask(connection, search, vector);
    expect(nearest?.score).toBeGreaterThan(0.9999);
    connection.close();
  },
);

graphTest.each([
  ['exact', exactAlways],
  ['graph', graphAlways],
] as const)('vectors of another space are walked through once, by the way "%s"', async (way, limits) => {
  const { connection, make } = await corpus(5, 8);
  const search = await prepared(connection, limits);
  await ask(connection, search, make());
  expect(search.way).toBe(way);
  const keys = connection.all('SELECT key FROM embeddings').map(({ key }) => String(key));
  const entries = keys.map((embeddingKey) => ({ embeddingKey, vector: make() }));
  await connection.write(() => insertVectors(connection, 'other', entries));
  await ask(connection, search, make());
  await putDocument(connection, 'new.md', 'rest', [make()]);
  const get = vi.spyOn(connection, 'get');
  await ask(connection, search, make());
  const from = get.mock.calls
    .filter(([sql]) => sql.includes('+space = ? ORDER BY number'))
    .map(([, after]) => after);
  expect(Math.min(...from.map(Number))).toBe(2 * keys.length);
  connection.close();
});

graphTest('a graph that is newer than what a reader sees is left to those who see more', async () => {
  const { connection, make, path } = await corpus(5, 8);
  const reader = connection.sibling();
  reader?.hold();
  const revision = Number(reader?.get('SELECT value FROM revision')?.value);
  await putDocument(connection, 'new.md', 'rest', [make()]);
  await prepared(connection, graphAlways);
  const search = new SpaceSearch(reader ?? connection, space, graphAlways);
  const query = makeVectorQuery(make(), 10, chunkCondition(undefined));
  expect(search.nearest(query, revision)).toHaveLength(10);
  expect([search.way, listGraphFiles(path).map(({ lastVector }) => lastVector)]).toEqual(['exact', [101]]);
  reader?.close();
  connection.close();
});

graphTest('a graph of the future does not stand in the way of one that is wanted now', async () => {
  const { connection, path, make } = await corpus(5, 8);
  const search = await prepared(connection, graphAlways);
  const own = listGraphFiles(path)[0]?.path ?? '';
  copyFileSync(own, own.replace('-1-100-', '-1-101-'));
  await putDocument(connection, 'file0.md', 'rest', [make()]);
  await connection.write(() => connection.run("UPDATE sqlite_sequence SET seq = 100 WHERE name = 'vectors'"));
  expect((await collect(search.prepare())).length).toBeGreaterThan(0);
  connection.close();
});

async function prepared(connection: Connection, limits: SearchLimits): Promise<SpaceSearch> {
  const search = await spaceSearch(connection, limits);
  await prepare(search);
  return search;
}
