import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lstat, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { asOrdinaryUser } from '../../../../../test/ordinary-user.ts';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { createProof } from '../../../../platform/proof.ts';
import { dropSpace } from '../vectors/dropped-spaces.ts';
import { corpus, putDocument } from './corpus.fixture.ts';
import { listGraphFiles, readGraphStamp } from './file.ts';
import { graphTest } from './graph-test.fixture.ts';
import { type GraphTask, growGraph } from './grow.ts';
import { loadUsearch, type MakeIndex } from './load-usearch.ts';
import { encodeStamp, type GraphStamp } from './stamp.ts';

const makeIndex = loadUsearch() as MakeIndex; // Only used by tests that are skipped where it is missing.

function task(database: string): GraphTask {
  return { database, space: 1, dimensions: 8, missingBytes: 0, threads: 1, key: new Uint8Array() };
}

graphTest(
  'a process killed while it writes leaves no graph, and does not stand in the way of the next',
  async () => {
    const { path, connection, make } = await corpus(5, 8);
    const child = spawnWriter(path);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const parts = async () => (await readdir(dirname(path))).filter((name) => name.endsWith('.part'));
    expect([listGraphFiles(path), (await parts()).length]).toEqual([[], 1]);
    await putDocument(connection, 'more.md', 'rest', [make()]);
    const file = await growGraph(task(path), makeIndex);
    expect(readGraphStamp(file?.path ?? '', connection.proof)?.count).toBe(101);
    expect(await parts()).toEqual([]);
  },
);

graphTest('two that want the same graph make it once', async () => {
  const { path } = await corpus(5, 8);
  let made = 0;
  const counting: MakeIndex = (dimensions) => {
    const index = makeIndex(dimensions);
    return {
      ...delegating(index),
      save(part) {
        made += 1;
        index.save(part);
      },
    };
  };
  const files = await Promise.all([1, 2].map(() => growGraph(task(path), counting)));
  expect(files[0]).toEqual(files[1]);
  expect([made, listGraphFiles(path).length]).toEqual([1, 1]);
});

graphTest(
  'a graph that cannot be mapped for want of memory stays, and the next attempt takes it up',
  async () => {
    const { path } = await corpus(5, 8);
    const file = await growGraph(task(path), makeIndex);
    const short: MakeIndex = (dimensions) => ({
      ...delegating(makeIndex(dimensions)),
      view() {
        throw new RangeError('Cannot allocate memory');
      },
    });
    await expect(growGraph(task(path), short)).rejects.toMatchObject({ code: 'store-unusable' });
    expect(listGraphFiles(path)).toEqual([file]);
    const made = (await stat(file?.path ?? '')).mtimeMs;
    expect(await growGraph(task(path), makeIndex)).toEqual(file);
    expect((await stat(file?.path ?? '')).mtimeMs).toBe(made);
  },
);

graphTest('a graph that the system does not let us read stays, and none is made in its place', async () => {
  const { path } = await corpus(5, 8);
  const file = await growGraph(task(path), makeIndex);
  const place = file?.path ?? '';
  await chmod(place, 0);
  await asOrdinaryUser(dirname(path), async () => {
    await expect(growGraph(task(path), makeIndex)).rejects.toMatchObject({ code: 'store-unusable' });
  });
  await chmod(place, 0o600);
  expect(await growGraph(task(path), makeIndex)).toEqual(file);
});

graphTest('a link under the name of a graph, or of one that is being written, is not followed', async () => {
  const { path } = await corpus(5, 8);
  const file = await growGraph(task(path), makeIndex);
  const place = file?.path ?? '';
  const outside = await temporaryFolder({ 'thesis.txt': 'years of work' });
  await rename(place, join(outside, 'graph'));
  await symlink(join(outside, 'graph'), place);
  await symlink(join(outside, 'thesis.txt'), `${place}.part`);
  expect(listGraphFiles(path)).toEqual([]);
  expect(await growGraph(task(path), makeIndex)).toEqual(file);
  expect((await lstat(place)).isFile()).toBe(true);
  expect(await readFile(join(outside, 'thesis.txt'), 'utf8')).toBe('years of work');
});

graphTest('making a graph removes those of dropped spaces', async () => {
  const { path, connection, make } = await corpus(1, 8);
  const old = await growGraph(task(path), makeIndex);
  await connection.write(() => dropSpace(connection, 'space'));
  await putDocument(connection, 'more.md', 'rest', [make()]);
  const file = await growGraph({ ...task(path), space: 2 }, makeIndex);
  expect(old?.space).toBe(1);
  expect(listGraphFiles(path)).toEqual([file]);
});

graphTest('an empty space has no graph', async () => {
  const { path } = await corpus(1, 8);
  expect(await growGraph({ ...task(path), space: 9 }, makeIndex)).toBeUndefined();
  expect(listGraphFiles(path)).toEqual([]);
});

graphTest('a graph that somebody else made is not given to the library, and removed', async () => {
  const { path, connection } = await corpus(2, 8);
  const file = await growGraph(task(path), makeIndex);
  const forged = await readFile(file?.path ?? '');
  // With all the marks of a graph, but without the key.
  const other = createProof(new Uint8Array(32).fill(9), 'another index');
  const stamp = readGraphStamp(file?.path ?? '', connection.proof);
  const graph = forged.subarray(0, stamp?.bytes).fill(0x41);
  const pieces = other.ofPieces('graph');
  pieces.add(graph);
  const end = encodeStamp({ ...(stamp as GraphStamp), proof: pieces.end().toString('hex') }, other);
  await writeFile(file?.path ?? '', Buffer.concat([graph, end]));
  const given: string[] = [];
  const watched: MakeIndex = (dimensions) => {
    const index = makeIndex(dimensions);
    for (const method of ['view', 'load'] as const) {
      const open = index[method].bind(index);
      index[method] = (place: string) => {
        given.push(place);
        open(place);
      };
    }
    return index;
  };
  const again = await growGraph(task(path), watched);
  expect(readGraphStamp(again?.path ?? '', connection.proof)).toMatchObject({ count: stamp?.count });
  expect(given).toEqual([]);
});

test('a package that cannot be loaded means no graph, not an error', () => {
  const missing = () => {
    throw new TypeError('no binary for this system');
  };
  expect(loadUsearch(missing)).toBeUndefined();
});

function delegating(index: ReturnType<MakeIndex>): ReturnType<MakeIndex> {
  return {
    add: (...given) => index.add(...given),
    search: (...given) => index.search(...given),
    size: () => index.size(),
    dimensions: () => index.dimensions(),
    save: (path) => index.save(path),
    load: (path) => index.load(path),
    view: (path) => index.view(path),
  };
}

/** Makes a graph and stands still for ever when half of it is in its file. */
function spawnWriter(path: string) {
  const script = `
    import { truncateSync, writeSync } from 'node:fs';
    import { growGraph } from ${moduleUrl('./grow.ts')};
    import { loadUsearch } from ${moduleUrl('./load-usearch.ts')};
    const makeIndex = loadUsearch();
    await growGraph({ ...${JSON.stringify(task(path))}, key: new Uint8Array() }, (dimensions) => {
      const index = makeIndex(dimensions);
      const save = index.save.bind(index);
      index.save = (part) => {
        save(part);
        truncateSync(part, 1000);
        writeSync(1, 'half');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      };
      return index;
    });`;
  const flags = [
    '--experimental-strip-types',
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
  ];
  return spawn(process.execPath, [...flags, '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
}

function moduleUrl(relative: string): string {
  return JSON.stringify(new URL(relative, import.meta.url).href);
}
