import { mkdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { corpus, exactAlways, graphAlways } from '../graph/corpus.fixture.ts';
import { listGraphFiles } from '../graph/file.ts';
import { graphTest } from '../graph/graph-test.fixture.ts';
import { collect, prepare, spaceSearch } from './space-search.fixture.ts';

describe('preparing a search', () => {
  graphTest('reports how far the graph is up to the last vector, and nothing once it stands', async () => {
    const { connection } = await corpus(40, 8);
    const reports = await collect((await spaceSearch(connection, graphAlways)).prepare());
    expect(reports[0]).toEqual({ done: 0, total: 800 });
    expect(reports.at(-1)).toEqual({ done: 800, total: 800 });
    expect(reports.map(({ done }) => done)).toEqual(reports.map(({ done }) => done).sort((a, b) => a - b));
    const again = await spaceSearch(connection, { ...graphAlways, exactBytes: 100 });
    expect(await collect(again.prepare())).toEqual([]);
  });

  graphTest('continues when nobody listens any more', async () => {
    const { connection, path } = await corpus(10, 8);
    const search = await spaceSearch(connection, graphAlways);
    for await (const _ of search.prepare()) break;
    await search.settled();
    expect(listGraphFiles(path).map(({ count }) => count)).toEqual([200]);
  });

  graphTest('is stopped by the signal, and can be begun again', async () => {
    const { connection, path } = await corpus(10, 8);
    const search = await spaceSearch(connection, graphAlways);
    const stop = new AbortController();
    stop.abort();
    await expect(collect(search.prepare(stop.signal))).rejects.toMatchObject({ code: 'interrupted' });
    expect(listGraphFiles(path)).toEqual([]);
    await prepare(search);
    expect(listGraphFiles(path)).toHaveLength(1);
  });

  graphTest('says once why there is no graph where it cannot be made', async () => {
    const { connection, path } = await corpus(10, 8);
    // What stands where the lock of graphs should be is no file.
    await mkdir(`${path}.vectors-lock`);
    const search = await spaceSearch(connection, graphAlways);
    await expect(prepare(search)).rejects.toMatchObject({
      code: 'store-unusable',
      message: expect.stringContaining('vectors-lock'),
    });
    expect(await collect(search.prepare())).toEqual([]);
  });

  test('is nothing to a space that exact search answers', async () => {
    const { connection } = await corpus(10, 8);
    expect(await collect((await spaceSearch(connection, exactAlways)).prepare())).toEqual([]);
  });
});
