import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../../../test/temporary-folder.ts';
import { processEnvironment } from '../../platform/environment.ts';
import { ownKey } from '../../platform/own-key.ts';
import { tryLock } from '../../platform/sqlite/writer-lock.ts';
import { openProject } from '../../project/open-project.ts';
import { driverContext } from '../../testing/driver-context.ts';
import { createProjectIndex } from '../indexes/project-index.ts';
import { cleanState } from './index-upkeep.ts';

const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1 };

/** An index that does not answer, as a killed process leaves it. */
const candidate = join('index-2', 'index.sqlite');

/** An index on disk that nobody has open; returns its project folder. */
async function indexedFolder(): Promise<string> {
  const folder = await temporaryFolder({ 'a.md': 'Something to find.' });
  const project = await openProject(folder, { settings });
  for await (const _ of project.index());
  await project.close();
  return folder;
}

describe('cleaning', () => {
  test('removes indexes that do not answer, and nothing else', async () => {
    const folder = await indexedFolder();
    const state = join(folder, '.quarry');
    const before = await readdir(state, { recursive: true });
    await writeFiles(state, { [candidate]: 'ten bytes!' });
    const project = await openProject(folder, { settings });
    onTestFinished(() => project.close());
    expect(await project.clean()).toEqual({ removed: ['index-2'], bytes: 10, kept: 0 });
    expect((await readdir(state, { recursive: true })).sort()).toEqual(before.sort());
    expect((await project.search('something to find')).hits).toHaveLength(1);
  });

  test.each([
    { lock: 'writer.lock', all: false },
    { lock: 'writer.lock', all: true },
    { lock: 'vectors.lock', all: true },
  ])('waits for who holds $lock before it removes anything (everything: $all)', async ({ lock, all }) => {
    const folder = await indexedFolder();
    const state = join(folder, '.quarry');
    await writeFiles(state, { [candidate]: 'being made' });
    const held = await tryLock(join(state, lock));
    const wasThere: boolean[] = [];
    // Called before each look at a lock, so that it is let go when it has been waited for.
    const prepare = async () => {
      if (wasThere.push(existsSync(join(state, candidate))) === 4) held?.release();
    };
    const index = createProjectIndex(
      (await openProject(folder, { settings })).settings,
      async () =>
        driverContext({ stateFolder: state, ownKey: async () => (await ownKey(processEnvironment)).key }),
      prepare,
    );
    await cleanState(index, { folder, environment: () => undefined }, all);
    expect(wasThere.slice(0, 4)).toEqual([true, true, true, true]);
    expect(existsSync(join(state, candidate))).toBe(false);
    expect(existsSync(state)).toBe(!all);
  });

  test('does not stop whoever opens the index at that moment: it is made again', async () => {
    const state = join(await indexedFolder(), '.quarry');
    let looks = 0;
    const index = createProjectIndex(
      (await openProject(join(state, '..'), { settings })).settings,
      async () =>
        driverContext({
          stateFolder: state,
          // Asked after the folder was made, and before the file in it is opened.
          ownKey: async () => {
            looks += 1;
            if (looks === 1) await rm(state, { recursive: true });
            return (await ownKey(processEnvironment)).key;
          },
        }),
      async () => {
        await mkdir(state, { recursive: true, mode: 0o700 });
      },
    );
    onTestFinished(() => index.close());
    expect(await (await index.store()).paths()).toEqual([]);
    expect(looks).toBe(2);
  });

  test('does not wait for vectors that are being made, which may take hours', async () => {
    const folder = await indexedFolder();
    await writeFiles(join(folder, '.quarry'), { [candidate]: '' });
    const held = await tryLock(join(folder, '.quarry', 'vectors.lock'));
    onTestFinished(() => held?.release());
    const project = await openProject(folder, { settings });
    onTestFinished(() => project.close());
    expect((await project.clean()).removed).toEqual(['index-2']);
  });
});
