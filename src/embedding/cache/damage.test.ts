import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../../../test/property-draws.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { VectorCache } from '../../contracts/vector-cache.ts';
import { openVectorCache } from './vector-cache.ts';
import { bitsFor, bitsOf, entriesFor, roomy, tamper, textsNamed } from './vectors.fixture.ts';

const texts = textsNamed('text', 40);
const expected = bitsFor(texts, 32);

async function filledFolder(): Promise<string> {
  const folder = await temporaryFolder();
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  await cache.put('space', entriesFor(texts, 32));
  await cache.put('other', entriesFor(texts, 32));
  await cache.close();
  return folder;
}

/** Each text's vector is the one that was put, or it is not there. */
async function countIntact(cache: VectorCache): Promise<number> {
  const found = bitsOf(await cache.get('space', texts));
  expect(found).toEqual(expected.map((bits, index) => found[index] && bits));
  return found.filter(Boolean).length;
}

test('a flipped bit anywhere in a row makes it a miss that is counted, removed and made again', async () => {
  const folder = await filledFolder();
  const length = 32 * 4 + 8;
  await fc.assert(
    fc.asyncProperty(fc.nat(texts.length - 1), fc.nat(length - 1), fc.nat(7), async (row, place, bit) => {
      const database = new DatabaseSync(join(folder, 'vectors.db'));
      const { id, content } = database
        .prepare('SELECT id, content FROM vectors WHERE space = 1 LIMIT 1 OFFSET ?')
        .get(row) as {
        id: number;
        content: Uint8Array;
      };
      content[place] = (content[place] ?? 0) ^ (1 << bit);
      database.prepare('UPDATE vectors SET content = ? WHERE id = ?').run(content, id);
      database.close();
      const cache = await openVectorCache({ folder, maxBytes: roomy });
      const before = (await cache.stats()).damaged;
      expect(await countIntact(cache)).toBe(texts.length - 1);
      expect(await cache.stats()).toMatchObject({ entries: 2 * texts.length - 1, damaged: before + 1 });
      await cache.put('space', entriesFor(texts, 32));
      expect(await countIntact(cache)).toBe(texts.length);
      await cache.close();
    }),
    { numRuns: draws(30) },
  );
});

test.each([
  [
    'holds the vector of another text',
    'UPDATE vectors SET content = (SELECT content FROM vectors WHERE id = 2) WHERE id = 1',
  ],
  ['is empty', "UPDATE vectors SET content = x'' WHERE id = 1"],
  ['is cut', 'UPDATE vectors SET content = substr(content, 1, 100) WHERE id = 1'],
  ['is very long', 'UPDATE vectors SET content = zeroblob(1000000) WHERE id = 1'],
])('a row that %s is a miss', async (_, statement) => {
  const folder = await filledFolder();
  tamper(folder, statement);
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  expect(await countIntact(cache)).toBe(texts.length - 1);
  expect((await cache.stats()).damaged).toBe(1);
  await cache.close();
});

test('rows that slipped into another space are misses', async () => {
  const folder = await filledFolder();
  tamper(folder, 'DELETE FROM vectors WHERE space = 1', 'UPDATE vectors SET space = 1');
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  expect(await countIntact(cache)).toBe(0);
  expect((await cache.stats()).damaged).toBe(texts.length);
  await cache.close();
});

test('bytes changed anywhere in the file never lead to a wrong vector or a failure', async () => {
  const folder = await filledFolder();
  const sound = await readFile(join(folder, 'vectors.db'));
  let survivors = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(sound.length - 1), fc.nat(255)), { minLength: 1, maxLength: 40 }),
      async (changes) => {
        const damaged = Buffer.from(sound);
        for (const [place, value] of changes) damaged[place] = value;
        const copy = await temporaryFolder({ 'vectors.db': damaged });
        const cache = await openVectorCache({ folder: copy, maxBytes: roomy });
        survivors += await countIntact(cache);
        await cache.put('space', entriesFor(texts, 32));
        expect(await countIntact(cache)).toBeLessThanOrEqual(texts.length);
        await cache.close();
      },
    ),
    { numRuns: draws(60) },
  );
  expect(survivors).toBeGreaterThan(0);
});

test.each([
  ['random bytes', async (file: string) => writeFile(file, Buffer.alloc(50_000, 'no database '))],
  ['half of the file', async (file: string) => truncate(file, Math.floor((await readFile(file)).length / 2))],
  ['a header alone', async (file: string) => truncate(file, 100)],
  [
    'a database of something else',
    async (file: string) => {
      await writeFile(file, '');
      const database = new DatabaseSync(file);
      database.exec('CREATE TABLE vectors (something TEXT)');
      database.close();
    },
  ],
])('with %s in its place it is set aside and begun again empty', async (_, damage) => {
  const folder = await filledFolder();
  await damage(join(folder, 'vectors.db'));
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  await cache.get('space', texts);
  await cache.put('space', entriesFor(texts, 32));
  expect(cache.problem).toMatchObject({ code: 'store-corrupt' });
  expect(await countIntact(cache)).toBe(texts.length);
  await cache.close();
  expect(await readdir(folder)).toContain('vectors.db.damaged');
  const next = await openVectorCache({ folder, maxBytes: roomy });
  expect([await countIntact(next), next.problem]).toEqual([texts.length, undefined]);
  await next.close();
});

test('tables that vanish while it is open cost no more than what was remembered', async () => {
  const folder = await filledFolder();
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  expect(await countIntact(cache)).toBe(texts.length);
  tamper(folder, 'DROP TABLE vectors');
  expect(await countIntact(cache)).toBe(0);
  await cache.put('space', entriesFor(texts, 32));
  expect(await countIntact(cache)).toBe(texts.length);
  expect(cache.problem).toMatchObject({ code: 'store-corrupt' });
  await cache.close();
});

test('a file of a newer version is left alone', async () => {
  const folder = await filledFolder();
  tamper(folder, 'PRAGMA user_version = 2');
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  await cache.put('space', entriesFor(texts, 32));
  expect(await countIntact(cache)).toBe(0);
  expect(cache.problem).toMatchObject({ code: 'store-too-new' });
  await expect(cache.stats()).rejects.toMatchObject({ code: 'store-too-new' });
  await cache.close();
  tamper(folder, 'PRAGMA user_version = 1');
  const again = await openVectorCache({ folder, maxBytes: roomy });
  expect(await countIntact(again)).toBe(texts.length);
  await again.close();
});

test.each([
  ['is a file', async (folder: string) => writeFile(folder, '')],
  [
    'has a folder in the place of the file',
    async (folder: string) => mkdir(join(folder, 'vectors.db'), { recursive: true }),
  ],
])('where the cache folder %s the work continues without a cache', async (_, spoil) => {
  const folder = join(await temporaryFolder(), 'cache');
  await spoil(folder);
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  await cache.put('space', entriesFor(texts, 32));
  expect(await countIntact(cache)).toBe(0);
  expect(cache.problem).toMatchObject({ code: 'store-unusable' });
  await expect(cache.clear()).rejects.toMatchObject({ code: 'store-unusable' });
  await cache.close();
});

test('while another one writes, reading continues and writing is skipped', async () => {
  const folder = await filledFolder();
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  const other = new DatabaseSync(join(folder, 'vectors.db'));
  other.exec('BEGIN IMMEDIATE');
  expect(await cache.put('space', entriesFor(['new'], 32))).toBe(false);
  expect(cache.problem).toMatchObject({ code: 'store-busy' });
  expect(await countIntact(cache)).toBe(texts.length);
  await expect(cache.clear()).rejects.toMatchObject({ code: 'store-busy' });
  other.exec('COMMIT');
  other.close();
  expect(await cache.clear()).toBe(2 * texts.length);
  await cache.close();
});

test('waits for another one that is done soon', async () => {
  const folder = await filledFolder();
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  const other = new DatabaseSync(join(folder, 'vectors.db'));
  other.exec('BEGIN IMMEDIATE');
  const putting = cache.put('space', entriesFor(['new'], 32));
  await new Promise((resolve) => setImmediate(resolve));
  other.exec('COMMIT');
  other.close();
  await putting;
  expect((await cache.get('space', ['new'])).map(Boolean)).toEqual([true]);
  expect(cache.problem).toBeUndefined();
  await cache.close();
});
