import {
  appendFile,
  copyFile,
  cp,
  lstat,
  readdir,
  readFile,
  rename,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { removeDocuments } from '../documents/documents.ts';
import { Connection } from '../file/connection.ts';
import {
  clusteredVectors,
  corpus,
  exactAlways,
  graphAlways,
  makeGraph,
  putDocument,
} from '../graph/corpus.fixture.ts';
import { listGraphFiles } from '../graph/file.ts';
import { graphTest } from '../graph/graph-test.fixture.ts';
import type { Neighbour } from './matrix.ts';
import { NearestSearch } from './nearest.ts';
import { ask, prepare, preparedGraph, spaceSearch } from './space-search.fixture.ts';
import { defaultLimits, type SpaceSearch } from './space-search.ts';

describe('a graph of clustered vectors', () => {
  const queries = 12;
  let connection: Connection;
  let make: ReturnType<typeof clusteredVectors>;
  let graph: SpaceSearch;
  let exact: SpaceSearch;

  beforeAll(async () => {
    ({ connection, make } = await corpus(100, 48));
    graph = await preparedGraph(connection);
    exact = await spaceSearch(connection, exactAlways);
  });

  graphTest.each([
    ['100 %', undefined, 10_000],
    ['10 %', 'tenth', 10_000],
    ['1 %', 'hundredth', 10_000],
    ['10 %, through the graph', 'tenth', 0],
    ['1 %, through the graph', 'hundredth', 0],
  ])('finds at least .95 of what exact search finds under a filter of %s', async (_, type, narrowChunks) => {
    const filter = type === undefined ? undefined : { types: [type] };
    const search = narrowChunks === 0 ? await preparedGraph(connection, { narrowChunks }) : graph;
    let found = 0;
    let wanted = 0;
    for (let number = 0; number < queries; number += 1) {
      const vector = make();
      const expected = await ask(connection, exact, vector, filter, 15);
      const actual = new Map(scores(await ask(connection, search, vector, filter, 15)));
      for (const [embedding, score] of scores(expected)) {
        wanted += 1;
        if (!actual.has(embedding)) continue;
        found += 1;
        expect(actual.get(embedding)).toBe(score);
      }
    }
    expect([search.way, exact.way]).toEqual(['graph', 'exact']);
    expect(wanted).toBe(queries * 15);
    expect(found).toBeGreaterThanOrEqual(0.95 * wanted);
  });

  test('finds everything a filter admits although all of it is far away', async () => {
    const far = clusteredVectors(48, 1, 99);
    for (let number = 0; number < 10; number += 1) {
      await putDocument(
        connection,
        `far${number}.md`,
        'far',
        Array.from({ length: 20 }, () => far()),
      );
    }
    const search = await preparedGraph(connection, { narrowChunks: 0 });
    const vector = far().map((value) => -value);
    const filter = { types: ['far'] };
    expect(await ask(connection, search, vector, filter, 50)).toEqual(
      await ask(connection, exact, vector, filter, 50),
    );
  });

  test('gives all there is when more is wanted than a graph can propose', async () => {
    const vector = make();
    const all = await ask(connection, graph, vector, undefined, 100_000);
    expect(all).toEqual(await ask(connection, exact, vector, undefined, 100_000));
  });
});

test('follows additions, replacements and removals, with a graph that is old, rebuilt, or not there', async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ put: fc.nat(11), vectors: fc.integer({ min: 1, max: 30 }) }) },
    { weight: 2, arbitrary: fc.record({ remove: fc.nat(11) }) },
    { weight: 1, arbitrary: fc.constant({ prepare: true }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), fc.nat(), async (steps, seed) => {
      const { connection, make } = await corpus(6, 8, seed);
      const graph = await spaceSearch(connection, graphAlways);
      for (const action of [...steps, { prepare: true }]) {
        if ('put' in action) {
          const vectors = Array.from({ length: action.vectors }, () => make());
          await putDocument(connection, `file${action.put}.md`, 'rest', vectors);
        } else if ('remove' in action) {
          await connection.write(() => removeDocuments(connection, [`file${action.remove}.md`]));
        } else {
          await makeGraph(connection);
        }
        const exact = await spaceSearch(connection, exactAlways);
        const vector = make();
        const expected = scores(await ask(connection, exact, vector, undefined, 12));
        const actual = await ask(connection, graph, vector, undefined, 12);
        expect(scores(actual)).toEqual(expected);
      }
      await graph.close();
      connection.close();
    }),
    { numRuns: 4 },
  );
});

graphTest('is made in the background from the second search on, while exact search answers', async () => {
  const { connection, make, path } = await corpus(10, 8);
  const search = await spaceSearch(connection, graphAlways);
  const vector = make();
  const first = await ask(connection, search, vector);
  expect([search.way, listGraphFiles(path)]).toEqual(['exact', []]);
  await ask(connection, search, vector);
  await search.settled();
  expect(await ask(connection, search, vector)).toEqual(first);
  expect(search.way).toBe('graph');
  expect(search.bytes).toBeGreaterThan(200 * 8);
});

graphTest('a search of another process takes up the graph that stands there', async () => {
  const { connection, make } = await corpus(10, 8);
  const vector = make();
  const expected = await ask(connection, await preparedGraph(connection), vector);
  const other = await spaceSearch(connection, graphAlways);
  expect(await ask(connection, other, vector)).toEqual(expected);
  expect(other.way).toBe('graph');
});

graphTest('adds to the graph what it lacks, and rebuilds it when a fifth of it is dead', async () => {
  const { connection, make, path } = await corpus(20, 8);
  const search = await preparedGraph(connection);
  const counts = () => listGraphFiles(path).map(({ count }) => count);
  expect(counts()).toEqual([400]);
  await putDocument(
    connection,
    'file0.md',
    'rest',
    Array.from({ length: 20 }, () => make()),
  );
  await makeGraph(connection);
  expect(counts()).toEqual([420]);
  const uris = Array.from({ length: 6 }, (_, number) => `file${number + 1}.md`);
  await connection.write(() => removeDocuments(connection, uris));
  await makeGraph(connection);
  expect(counts()).toEqual([280]);
  await ask(connection, search, make());
  expect(search.way).toBe('graph');
});

graphTest.each<[string, (file: string) => Promise<void>]>([
  ['cut off', async (file) => truncate(file, (await readFile(file)).length - 1)],
  ['empty', (file) => truncate(file, 0)],
  ['longer than it was', (file) => appendFile(file, 'x')],
  [
    'changed in one byte',
    async (file) => {
      const bytes = await readFile(file);
      bytes[1000] = (bytes[1000] ?? 0) ^ 1;
      await writeFile(file, bytes);
    },
  ],
])('a graph file that is %s is removed and rebuilt', async (_, damage) => {
  const { connection, make, path } = await copyOfPrepared();
  const vector = make();
  const expected = await ask(connection, await spaceSearch(connection, exactAlways), vector);
  await damage(listGraphFiles(path)[0]?.path ?? '');
  const search = await spaceSearch(connection, graphAlways);
  expect(await ask(connection, search, vector)).toEqual(expected);
  expect([search.way, listGraphFiles(path)]).toEqual(['exact', []]);
  await makeGraph(connection);
  const again = await spaceSearch(connection, graphAlways);
  expect(await ask(connection, again, vector)).toEqual(expected);
  expect(again.way).toBe('graph');
});

graphTest(
  'a graph file that cannot be read at the moment stays, and is taken up a minute later',
  async () => {
    const { connection, make, path } = await corpus(10, 8);
    const vector = make();
    const expected = await ask(connection, await preparedGraph(connection), vector);
    const place = listGraphFiles(path)[0]?.path ?? '';
    let now = 0;
    const search = await spaceSearch(connection, { ...graphAlways, graphBytes: 0 }, { now: () => now });
    await rename(place, `${place}.aside`);
    // Opening it fails with ELOOP, which says nothing about a graph.
    await symlink(place, place);
    expect(await ask(connection, search, vector)).toEqual(expected);
    expect([search.way, (await lstat(place)).isSymbolicLink()]).toEqual(['exact', true]);
    await rename(`${place}.aside`, place);
    now += 60_000;
    expect(await ask(connection, search, vector)).toEqual(expected);
    expect(search.way).toBe('graph');
  },
);

graphTest('a graph of another index is not taken up, though its name and its size fit', async () => {
  const one = await corpus(10, 8, 1);
  const other = await corpus(10, 8, 2);
  await preparedGraph(one.connection);
  const [file] = listGraphFiles(one.path);
  const name = (file?.path ?? '').slice(dirname(one.path).length + 1);
  await copyFile(file?.path ?? '', join(dirname(other.path), name));
  const search = await spaceSearch(other.connection, graphAlways);
  await ask(other.connection, search, other.make());
  expect(search.way).toBe('exact');
});

test('reads the vectors from the file where they fit no memory, with the same answer', async () => {
  const { connection, make } = await corpus(10, 8);
  const file = await spaceSearch(connection, { ...exactAlways, memoryBytes: 0 });
  const exact = await spaceSearch(connection, exactAlways);
  for (const filter of [undefined, { types: ['tenth'] }]) {
    const vector = make();
    expect(await ask(connection, file, vector, filter)).toEqual(await ask(connection, exact, vector, filter));
  }
  expect([file.way, file.bytes]).toEqual(['file', 0]);
});

test('makes no graph that would take more memory than there is to spare', async () => {
  const { connection, make, path } = await corpus(5, 8);
  const search = await spaceSearch(connection, { ...graphAlways, graphBytes: 100 * 100 });
  await prepare(search);
  for (const _ of [1, 2]) await ask(connection, search, make());
  await search.settled();
  expect([search.way, listGraphFiles(path)]).toEqual(['exact', []]);
});

test('keeps at most half of the available memory, and at most a GiB of vectors', () => {
  expect(defaultLimits(2 ** 26).memoryBytes).toBe(2 ** 25);
  expect(defaultLimits(2 ** 40).memoryBytes).toBe(2 ** 30);
});

graphTest('gives up the graph of a space that has become small', async () => {
  const { connection, make } = await corpus(20, 8);
  const search = await spaceSearch(connection, { ...graphAlways, exactBytes: 300 * 8 });
  await ask(connection, search, make());
  await makeGraph(connection);
  await ask(connection, search, make());
  expect(search.way).toBe('graph');
  // Dead vectors are counted after 256 changes.
  const uris = Array.from({ length: 15 }, (_, number) => `file${number}.md`);
  for (let change = 0; change < 256; change += 1) {
    await connection.write(() => removeDocuments(connection, uris.splice(0, 1)));
  }
  const vector = make();
  const exact = await spaceSearch(connection, exactAlways);
  expect(await ask(connection, search, vector)).toEqual(await ask(connection, exact, vector));
  expect(search.way).toBe('exact');
});

graphTest('leaves nothing but the graph and its lock beside the index', async () => {
  const { connection, make, path } = await corpus(5, 8);
  const nearest = new NearestSearch(connection, graphAlways);
  for (const _ of [1, 2]) await connection.read(() => nearest.search('space', make(), { limit: 3 }));
  await nearest.close();
  expect(nearest.bytes).toBe(0);
  await preparedGraph(connection);
  connection.close();
  const names = (await readdir(dirname(path))).map((name) => name.replace(/-\d+/g, ''));
  expect(names.sort()).toEqual(['index.sqlite', 'index.sqlite.vectors-lock', 'index.sqlite.vectors.usearch']);
});

let prepared: Promise<string> | undefined;

/** A copy of a small index with its graph, which is made once. */
async function copyOfPrepared() {
  prepared ??= corpus(10, 8).then(async ({ connection, path }) => {
    await preparedGraph(connection);
    connection.close();
    return dirname(path);
  });
  const folder = await temporaryFolder();
  await cp(await prepared, folder, { recursive: true });
  const path = join(folder, 'index.sqlite');
  return { path, connection: new Connection(path), make: clusteredVectors(8, 50) };
}

function scores(found: readonly Neighbour[]): [number, number][] {
  return found.map(({ embedding, score }) => [embedding, score]);
}
