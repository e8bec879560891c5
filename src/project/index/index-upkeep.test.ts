import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tryLock } from '../../platform/sqlite/writer-lock.ts';
import { driverContext } from '../../testing/driver-context.ts';
import { temporaryFolder, writeFiles } from '../../testing/temporary-folder.ts';
import { openProject } from '../open-project.ts';
import { cleanState } from './index-upkeep.ts';
import { createProjectIndex } from './project-index.ts';

const settings = { 'embedder.driver': 'hashing', 'index.threads': 1 };

/** What may stand beside an index file and is of no use to anybody. */
const leftovers = [
  'index.sqlite.damaged',
  'index.sqlite.tmp',
  'index.sqlite.mended',
  'index.sqlite.mended-wal',
  'index.sqlite.mended-shm',
  'index.sqlite.mended-journal',
  join('index.sqlite.claim-a1B2c3', 'index'),
];

/** What somebody else may be using, or has a name that only looks alike. */
const bystanders = [
  'index.sqlite.vectors-1-5-5.usearch',
  'index.sqlite.vectors-1-6-6.usearch.part',
  'index.sqlite.vectors-lock',
  'index.sqlite.mended.txt',
  'index.sqlite.claimed',
  'claim-a1B2c3',
  'mended',
  'tmp',
];

const files = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'ten bytes!']));
const topOf = (name: string) => name.split(/[\\/]/)[0] ?? name;

/** An index on disk that nobody has open; returns its project folder. */
async function indexedFolder(): Promise<string> {
  const folder = await temporaryFolder({ 'a.md': 'Something to find.' });
  const project = await openProject(folder, { settings });
  for await (const _ of project.index());
  await project.close();
  return folder;
}

describe('cleaning', () => {
  test('removes what was set aside or left by a killed process, folders too, and nothing else', async () => {
    const folder = await indexedFolder();
    const state = join(folder, '.quarry');
    const index = join(state, 'index-1');
    const before = await readdir(state);
    await writeFiles(index, files([...leftovers, ...bystanders]));
    const project = await openProject(folder, { settings });
    onTestFinished(() => project.close());
    const { removed, bytes } = await project.clean();
    expect(removed.toSorted()).toEqual(leftovers.map((name) => join('index-1', topOf(name))).toSorted());
    expect(bytes).toBe(leftovers.length * 10);
    expect((await readdir(index)).sort()).toEqual(['index.sqlite', ...bystanders].sort());
    expect((await readdir(state)).sort()).toEqual(before.sort());
    expect((await project.search('something to find')).hits).toHaveLength(1);
  });

  test.each([
    { lock: 'writer.lock', all: false },
    { lock: 'writer.lock', all: true },
    { lock: 'vectors.lock', all: true },
  ])('waits for who holds $lock before it removes anything (everything: $all)', async ({ lock, all }) => {
    const folder = await indexedFolder();
    const state = join(folder, '.quarry');
    const copy = join(state, 'index-1', 'index.sqlite.mended');
    await writeFiles(folder, { [join('.quarry', 'index-1', 'index.sqlite.mended')]: 'being made' });
    const held = await tryLock(join(state, lock));
    const wasThere: boolean[] = [];
    // Called before each look at a lock, so that it is let go when it has been waited for.
    const prepare = async () => {
      if (wasThere.push(existsSync(copy)) === 4) held?.release();
    };
    const index = createProjectIndex(
      (await openProject(folder, { settings })).settings,
      async () => driverContext({ stateFolder: state }),
      prepare,
    );
    await cleanState(index, state, all);
    expect(wasThere.slice(0, 4)).toEqual([true, true, true, true]);
    expect(existsSync(copy)).toBe(false);
    expect(existsSync(state)).toBe(!all);
  });

  test('does not wait for vectors that are being made, which may take hours', async () => {
    const folder = await indexedFolder();
    await writeFiles(join(folder, '.quarry', 'index-1'), files(['index.sqlite.damaged']));
    const held = await tryLock(join(folder, '.quarry', 'vectors.lock'));
    onTestFinished(() => held?.release());
    const project = await openProject(folder, { settings });
    onTestFinished(() => project.close());
    expect((await project.clean()).removed).toEqual([join('index-1', 'index.sqlite.damaged')]);
  });
});
