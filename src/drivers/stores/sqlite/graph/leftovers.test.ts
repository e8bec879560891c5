import { readdirSync, writeFileSync } from 'node:fs';
import { mkdir, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { createProof } from '../../../../platform/proof.ts';
import { tryLock } from '../../../../platform/sqlite/writer-lock.ts';
import { NearestSearch } from '../vectors/nearest.ts';
import { GraphBuilder } from './builder.ts';
import { corpus } from './corpus.fixture.ts';
import { graphLockPath, listGraphFiles, writeGraphFile } from './file.ts';
import { graphTest } from './graph-test.fixture.ts';
import type { UsearchIndex } from './load-usearch.ts';

test('a graph for which the disk has no room leaves nothing behind', async () => {
  const folder = await temporaryFolder();
  const index: Pick<UsearchIndex, 'size' | 'dimensions' | 'save'> = {
    size: () => 3,
    dimensions: () => 4,
    save(path) {
      writeFileSync(path, Buffer.alloc(1000));
      throw new RangeError('No space left on device');
    },
  };
  const facts = { space: 1, lastVector: 3, samples: [] };
  // The cast leaves out what writing a graph does not need.
  expect(() =>
    writeGraphFile(
      join(folder, 'index.sqlite'),
      index as UsearchIndex,
      facts,
      createProof(new Uint8Array(), 'here'),
    ),
  ).toThrow('No space');
  expect(readdirSync(folder)).toEqual([]);
});

test('half a graph that a killed process left goes when a search is prepared, unless somebody makes one', async () => {
  const { path, connection } = await corpus(1, 8);
  const part = `${path}.vectors-1-20-20.usearch.part`;
  const nearest = new NearestSearch(connection);
  const prepare = async () => {
    for await (const _ of nearest.prepare('space'));
    return readdirSync(dirname(path)).includes(basename(part));
  };
  writeFileSync(part, 'half');
  const lock = await tryLock(graphLockPath(path));
  expect(await prepare()).toBe(true);
  lock?.release();
  expect(await prepare()).toBe(false);
  connection.close();
});

graphTest(
  'a graph that could not be made is tried again when an hour has passed, and not before',
  async () => {
    const { path, connection } = await corpus(2, 8);
    let now = 0;
    const builder = new GraphBuilder({ now: () => now });
    const task = {
      database: path,
      space: 1,
      dimensions: 8,
      missingBytes: 0,
      threads: 1,
      key: new Uint8Array(),
    };
    const attempt = async () => {
      builder.start(task);
      await builder.settled();
      return listGraphFiles(path).length;
    };
    // What stands where the lock of graphs should be is no file.
    await mkdir(graphLockPath(path));
    expect(await attempt()).toBe(0);
    expect(builder.failure).toContain('vectors-lock');
    await rmdir(graphLockPath(path));
    now += 60 * 60 * 1000 - 1;
    expect(await attempt()).toBe(0);
    now += 1;
    expect(await attempt()).toBe(1);
    expect(builder.failure).toBeUndefined();
    connection.close();
  },
);
