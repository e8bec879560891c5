import { cp, open as openFile, readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callQuarry } from './quarry-call.ts';
import { temporaryFolder, writeFiles } from './temporary-folder.ts';

const files = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => [
    `pages/${index}.md`,
    `# Page ${index}\n\n${`The page with the number ${index} speaks of topic${index}. `.repeat(20)}\n`,
  ]),
);

let folder: string;
let home: string;

async function run(...words: string[]) {
  const result = await callQuarry(folder, [...words, '--json'], {
    HOME: home,
    QUARRY_CACHE_MAX_BYTES: '100000000',
    QUARRY_EMBEDDER_DRIVER: 'hashing',
    QUARRY_RESOURCES_THREADS: '1',
  });
  const lines = result.stdout.trim().split('\n');
  return { ...result, last: lines.at(-1) ?? '', all: result.stdout };
}

const file = async () => {
  const state = join(folder, '.quarry');
  const index = (await readdir(state)).find((name) => name.startsWith('index-')) ?? '';
  return join(state, index, 'index.sqlite');
};

/** What is indexed: paths, hashes and the identities of chunks. */
async function indexedFiles(): Promise<unknown[]> {
  const { entries } = JSON.parse((await run('status', '--files', '--chunks')).all);
  return entries
    .filter(({ status }: { status: string }) => status === 'indexed')
    .map(({ path, sha256, chunks }: Record<string, unknown>) => ({ path, sha256, chunks }));
}

let indexed: string;
beforeAll(async () => {
  indexed = await temporaryFolder();
  folder = join(indexed, 'project');
  home = join(indexed, 'home');
  await writeFiles(folder, files);
  expect((await run('index')).code).toBe(0);
});

beforeEach(async () => {
  const copy = await temporaryFolder();
  await cp(indexed, copy, { recursive: true, preserveTimestamps: true });
  folder = join(copy, 'project');
  home = join(copy, 'home');
});

describe('an index that is damaged', () => {
  test.each([
    [
      'cut in half',
      async () => {
        const path = await file();
        await truncate(path, Math.floor((await stat(path)).size / 2));
      },
    ],
    [
      'overwritten at its beginning',
      async () => {
        const handle = await openFile(await file(), 'r+');
        await handle.write(Buffer.alloc(512, 0x5a), 0, 512, 0);
        await handle.close();
      },
    ],
  ])(
    'because it was %s is noticed, reported, and repaired from the files with vectors from the cache',
    async (_, damage) => {
      await damage();
      const verified = await run('verify');
      expect(verified.code).toBe(6);
      expect(JSON.parse(verified.all)).toMatchObject({ sound: false });
      const repaired = await run('repair');
      expect(repaired.code).toBe(0);
      expect(JSON.parse(repaired.all)).toMatchObject({ rebuilt: true });
      expect(JSON.parse((await run('verify')).all)).toMatchObject({ sound: true, documents: 30 });
      const status = JSON.parse((await run('status')).all);
      expect(status).toMatchObject({ documents: 30, pending: 0 });
      const cache = JSON.parse((await run('cache', 'stats')).all);
      expect(cache.hits).toBeGreaterThanOrEqual(30);
      const found = JSON.parse((await run('search', 'topic17', '--no-update')).all);
      expect(found.hits[0].path).toBe('pages/17.md');
    },
  );
});

test('a sound index is verified and repaired without a change', async () => {
  const before = await indexedFiles();
  expect(before).toHaveLength(30);
  expect((await run('verify')).code).toBe(0);
  expect(JSON.parse((await run('repair')).all)).toMatchObject({ rebuilt: false, mended: [], read_again: [] });
  expect(await indexedFiles()).toEqual(before);
});

test('clean leaves a working index, and clean all leaves nothing', async () => {
  expect(JSON.parse((await run('clean')).all)).toMatchObject({ removed: [] });
  expect(JSON.parse((await run('verify')).all)).toMatchObject({ sound: true, documents: 30 });
  expect(JSON.parse((await run('clean', '--all', '--yes')).all).removed).toContain('.quarry');
  expect(await readdir(folder)).not.toContain('.quarry');
});
