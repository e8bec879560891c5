import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { openVectorCache } from './vector-cache.ts';
import { bitsOf, entriesFor, roomy, textsNamed, unit, vectorOf } from './vectors.fixture.ts';

const hour = 3_600_000;

test('what comes out is bit for bit what went in, in this process and the next', async () => {
  const folder = await temporaryFolder();
  const value = fc.float({ noNaN: true, min: -1, max: 1 });
  const values = fc.float32Array({
    noNaN: true,
    noDefaultInfinity: true,
    min: -1,
    max: 1,
    minLength: 3,
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.string({ unit: 'binary' })),
      values,
      value,
      async (texts, seed, more) => {
        const vector = unit(Float32Array.of(...seed, more, -0, 1e-42, 1));
        const cache = await openVectorCache({ folder, maxBytes: roomy });
        await cache.put(
          'space',
          texts.map((text) => ({ text, vector })),
        );
        const found = await cache.get('space', texts);
        await cache.close();
        const again = await openVectorCache({ folder, maxBytes: roomy });
        const foundAgain = await again.get('space', texts);
        await again.close();
        for (const [index, text] of texts.entries()) {
          if (!text.isWellFormed()) continue;
          expect(bitsOf([found[index]])).toEqual(bitsOf([vector]));
          expect(bitsOf([foundAgain[index]])).toEqual(bitsOf([vector]));
        }
      },
    ),
    { numRuns: 10 },
  );
});

test('a vector is found under its own text and its own space only', async () => {
  const cache = await openVectorCache({ folder: await temporaryFolder(), maxBytes: roomy });
  await cache.put('one', entriesFor(['a', '']));
  expect((await cache.get('one', ['a', 'b', '', 'a '])).map(Boolean)).toEqual([true, false, true, false]);
  expect(await cache.get('two', ['a'])).toEqual([undefined]);
  expect(await cache.get('one', [])).toEqual([]);
  await cache.close();
});

test('thousands of texts in one call come back in order', async () => {
  const cache = await openVectorCache({ folder: await temporaryFolder(), maxBytes: roomy });
  const texts = textsNamed('text', 1500);
  await cache.put('space', entriesFor(texts, 16));
  const found = await cache.get('space', ['none', ...texts]);
  expect(found).toEqual([undefined, ...texts.map((text) => vectorOf(text, 16))]);
  await cache.close();
});

test('texts that UTF-8 cannot tell apart are not remembered', async () => {
  const cache = await openVectorCache({ folder: await temporaryFolder(), maxBytes: roomy });
  await cache.put('space', [{ text: 'half \ud800', vector: vectorOf('half') }]);
  expect(await cache.get('space', ['half \ud800', 'half \ud801', 'half \ufffd'])).toEqual(
    Array(3).fill(undefined),
  );
  await cache.close();
});

test.each([
  ['a value that is no number', Float32Array.of(Number.NaN, 1)],
  ['an infinite value', Float32Array.of(Number.POSITIVE_INFINITY, 0)],
  ['only zeros', Float32Array.of(0, 0)],
  ['another length than 1', Float32Array.of(1, 1)],
  ['no values', new Float32Array(0)],
])('a vector with %s is never kept, and its neighbours are', async (_, vector) => {
  const cache = await openVectorCache({ folder: await temporaryFolder(), maxBytes: roomy });
  await cache.put('space', [{ text: 'bad', vector }, ...entriesFor(['good'], 2)]);
  expect((await cache.get('space', ['bad', 'good'])).map(Boolean)).toEqual([false, true]);
  expect(cache.problem).toBeUndefined();
  await cache.close();
});

test('a later vector of the same text takes the place of the earlier one', async () => {
  const cache = await openVectorCache({ folder: await temporaryFolder(), maxBytes: roomy });
  await cache.put('space', entriesFor(['a']));
  await cache.put('space', [{ text: 'a', vector: vectorOf('other') }]);
  expect(await cache.get('space', ['a'])).toEqual([vectorOf('other')]);
  expect((await cache.stats()).entries).toBe(1);
  await cache.close();
});

test('vectors of another length make the space theirs: the old ones are no longer found', async () => {
  const cache = await openVectorCache({ folder: await temporaryFolder(), maxBytes: roomy });
  await cache.put('space', entriesFor(['a', 'b'], 8));
  await cache.put('space', [...entriesFor(['c'], 16), ...entriesFor(['d'], 8)]);
  expect((await cache.get('space', ['a', 'b', 'c', 'd'])).map((vector) => vector?.length)).toEqual([
    undefined,
    undefined,
    16,
    undefined,
  ]);
  const { spaces, damaged } = await cache.stats();
  expect(spaces).toEqual([{ name: 'space', dimensions: 16, entries: 1 }]);
  expect(damaged).toBe(0);
  await cache.close();
});

test('counts of hits and misses add up over all who open it', async () => {
  const folder = await temporaryFolder();
  for (const _ of [1, 2]) {
    const cache = await openVectorCache({ folder, maxBytes: roomy, now: () => 1000 * hour });
    await cache.get('space', ['a', 'b', 'c']);
    await cache.put('space', entriesFor(['a', 'b'], 8));
    await cache.close();
  }
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  expect(await cache.stats()).toMatchObject({
    file: join(folder, 'vectors.db'),
    entries: 2,
    limit: roomy,
    spaces: [{ name: 'space', dimensions: 8, entries: 2 }],
    oldestUse: 1000 * hour,
    hits: 2,
    misses: 4,
    damaged: 0,
  });
  await cache.close();
});

test('the file holds neither texts nor paths, and only its owner may read it', async () => {
  const folder = join(await temporaryFolder(), 'user', 'cache');
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  await cache.put('space', entriesFor(['src/telltale/passage.ts']));
  await cache.close();
  const content = await readFile(join(folder, 'vectors.db'));
  expect(content.includes('telltale')).toBe(false);
  expect(content.includes('space')).toBe(true);
  if (process.platform === 'win32') return;
  expect((await stat(join(folder, 'vectors.db'))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test('stays within its limit and forgets what was used least recently', async () => {
  const folder = await temporaryFolder();
  const maxBytes = 2_000_000;
  let now = 1000 * hour;
  const cache = await openVectorCache({ folder, maxBytes, now: () => now });
  const favourites = textsNamed('favourite', 100);
  await cache.put('space', entriesFor(favourites));
  for (let round = 0; round < 20; round += 1) {
    now += hour;
    await cache.put('space', entriesFor(textsNamed(`round ${round}`, 300)));
    expect((await cache.stats()).bytes).toBeLessThanOrEqual(maxBytes * 1.3);
    expect((await cache.get('space', favourites)).every(Boolean)).toBe(true);
    // What was found is written down in batches; this is the end of one.
    await cache.stats();
  }
  const last = await cache.get('space', textsNamed('round 19', 300));
  const first = await cache.get('space', textsNamed('round 0', 300));
  expect([last.every(Boolean), first.some(Boolean)]).toEqual([true, false]);
  expect((await cache.stats()).bytes).toBeLessThanOrEqual(maxBytes);
  expect(cache.problem).toBeUndefined();
  await cache.close();
});

test('a lower limit shrinks the file when it is next opened', async () => {
  const folder = await temporaryFolder();
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  await cache.put('space', entriesFor(textsNamed('text', 2000)));
  await cache.close();
  expect((await stat(join(folder, 'vectors.db'))).size).toBeGreaterThan(3_000_000);
  const lower = await openVectorCache({ folder, maxBytes: 1_000_000 });
  expect((await lower.stats()).entries).toBeGreaterThan(100);
  await lower.close();
  expect((await stat(join(folder, 'vectors.db'))).size).toBeLessThanOrEqual(1_000_000);
});

test('reading writes nothing as long as the last use is of the same hour', async () => {
  const folder = await temporaryFolder();
  const texts = textsNamed('text', 600);
  let now = 1000 * hour;
  const cache = await openVectorCache({ folder, maxBytes: roomy, now: () => now });
  await cache.put('space', entriesFor(texts, 8));
  const observer = new DatabaseSync(join(folder, 'vectors.db'), { readOnly: true });
  const version = () => observer.prepare('PRAGMA data_version').get()?.data_version;
  const before = version();
  await cache.get('space', texts);
  expect(version()).toBe(before);
  now += hour;
  await cache.get('space', texts);
  expect(version()).not.toBe(before);
  observer.close();
  await cache.close();
});

test('a limit of 0 turns it off: nothing is made, found or kept', async () => {
  const folder = await temporaryFolder();
  const off = await openVectorCache({ folder, maxBytes: 0 });
  await off.put('space', entriesFor(['a']));
  expect(await off.get('space', ['a'])).toEqual([undefined]);
  expect(await off.stats()).toMatchObject({ entries: 0, bytes: 0, limit: 0 });
  expect(await off.clear()).toBe(0);
  await off.close();
  await expect(stat(join(folder, 'vectors.db'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('what is left of a cache that was turned off can be counted and cleared', async () => {
  const folder = await temporaryFolder();
  const on = await openVectorCache({ folder, maxBytes: roomy });
  await on.put('space', entriesFor(['a', 'b']));
  await on.close();
  const off = await openVectorCache({ folder, maxBytes: 0 });
  expect(await off.get('space', ['a'])).toEqual([undefined]);
  expect((await off.stats()).entries).toBe(2);
  expect(await off.clear()).toBe(2);
  await off.close();
});

test('opened for reading it finds what is there and changes nothing', async () => {
  const folder = await temporaryFolder();
  const empty = await openVectorCache({ folder, maxBytes: roomy, readOnly: true });
  expect(await empty.get('space', ['a'])).toEqual([undefined]);
  expect((await empty.stats()).entries).toBe(0);
  await empty.close();
  await expect(stat(join(folder, 'vectors.db'))).rejects.toMatchObject({ code: 'ENOENT' });

  await writeFile(join(folder, 'vectors.db'), '');
  const begun = await openVectorCache({ folder, maxBytes: roomy, readOnly: true });
  expect([await begun.get('space', ['a']), begun.problem]).toEqual([[undefined], undefined]);
  await begun.close();

  const cache = await openVectorCache({ folder, maxBytes: roomy });
  await cache.put('space', entriesFor(['a']));
  await cache.close();
  const reader = await openVectorCache({ folder, maxBytes: roomy, readOnly: true });
  await reader.put('space', entriesFor(['b']));
  expect((await reader.get('space', ['a', 'b'])).map(Boolean)).toEqual([true, false]);
  expect(await reader.stats()).toMatchObject({ entries: 1, hits: 0 });
  await reader.close();
});

test('clearing removes everything and gives the space back', async () => {
  const folder = await temporaryFolder({ 'vectors.db.damaged': 'an old one' });
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  const texts = textsNamed('text', 2000);
  await cache.put('space', entriesFor(texts));
  expect(await cache.clear()).toBe(2000);
  expect((await cache.get('space', texts)).some(Boolean)).toBe(false);
  expect(await cache.stats()).toMatchObject({ entries: 0, spaces: [], misses: 2000 });
  await cache.put('space', entriesFor(['a'], 8));
  expect((await cache.get('space', ['a'])).map(Boolean)).toEqual([true]);
  await cache.close();
  expect((await stat(join(folder, 'vectors.db'))).size).toBeLessThan(200_000);
  await expect(stat(join(folder, 'vectors.db.damaged'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a closed cache finds and keeps nothing, and closing twice is no error', async () => {
  const cache = await openVectorCache({ folder: await temporaryFolder(), maxBytes: roomy });
  await cache.put('space', entriesFor(['a']));
  await cache.close();
  await cache.close();
  await cache.put('space', entriesFor(['b']));
  expect(await cache.get('space', ['a'])).toEqual([undefined]);
});
