import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../../../test/property-draws.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { VectorCache } from '../../contracts/vector-cache.ts';
import type { QuarryError } from '../../core/errors.ts';
import { bytesOfVector, createVectorSeal } from './sealed-vector.ts';
import { openVectorCache } from './vector-cache.ts';
import { bitsFor, bitsOf, entriesFor, roomy, tamper, textsNamed, vectorOf } from './vectors.fixture.ts';

const texts = textsNamed('text', 700);

async function open(maxBytes = roomy): Promise<VectorCache> {
  return openVectorCache({ folder: await temporaryFolder(), maxBytes });
}

async function exported(): Promise<string> {
  const cache = await open();
  await cache.put('space', entriesFor(texts));
  await cache.put('small', entriesFor(texts.slice(0, 5), 3));
  const file = join(await temporaryFolder(), 'vectors.db');
  await cache.exportTo(file);
  await cache.close();
  return file;
}

/** A small export that was changed behind our back. */
async function forged(...statements: readonly string[]): Promise<string> {
  const cache = await open();
  await cache.put('space', entriesFor(textsNamed('text', 20), 4));
  const file = join(await temporaryFolder(), 'vectors.db');
  await cache.exportTo(file);
  await cache.close();
  const database = new DatabaseSync(file);
  for (const statement of statements) database.exec(statement);
  database.close();
  return file;
}

async function expectRefused(cache: VectorCache, file: string): Promise<void> {
  await expect(cache.importFrom(file)).rejects.toMatchObject({
    code: 'file-unreadable',
    message: expect.stringContaining('Cannot import'),
    remedy: expect.stringMatching(/\.$|FILE$/),
  });
}

test('what one machine exports another finds, bit for bit', async () => {
  const file = await exported();
  const cache = await open();
  await cache.put('space', entriesFor(['text 0', 'own']));
  expect(await cache.importFrom(file)).toEqual({ entries: 705, added: 704, known: 1, leftOut: 0 });
  expect(bitsOf(await cache.get('space', texts))).toEqual(bitsFor(texts));
  expect(await cache.get('small', ['text 4'])).toEqual([vectorOf('text 4', 3)]);
  expect((await cache.get('space', ['own'])).map(Boolean)).toEqual([true]);
  expect(await cache.importFrom(file)).toEqual({ entries: 705, added: 0, known: 705, leftOut: 0 });
  await cache.close();
});

test('equal caches export equal files, without text and readable by their owner only', async () => {
  const [first, second] = [await exported(), await exported()];
  const content = await readFile(first);
  expect(content.equals(await readFile(second))).toBe(true);
  expect(content.includes('text')).toBe(false);
  if (process.platform !== 'win32') expect((await stat(first)).mode & 0o777).toBe(0o600);
});

test('damaged rows stay behind, and an empty cache gives an empty file', async () => {
  const folder = await temporaryFolder();
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  const file = join(folder, 'export.db');
  const empty = await cache.exportTo(file);
  expect(empty).toEqual({ entries: 0, bytes: (await stat(file)).size, spaces: [] });
  expect(await cache.importFrom(file)).toEqual({ entries: 0, added: 0, known: 0, leftOut: 0 });
  await cache.put('space', entriesFor(texts));
  tamper(folder, 'UPDATE vectors SET content = zeroblob(1544) WHERE id = 7');
  const entries = texts.length - 1;
  expect(await cache.exportTo(file)).toMatchObject({
    entries,
    spaces: [{ name: 'space', dimensions: 384, entries }],
  });
  const other = await open();
  expect(await other.importFrom(file)).toMatchObject({ added: entries });
  await other.close();
  await cache.close();
});

test('an export takes the place of an earlier export and of nothing else', async () => {
  const file = await exported();
  const cache = await open();
  await cache.exportTo(file);
  const folder = await temporaryFolder({ 'notes.md': 'dear notes', empty: '' });
  for (const name of ['notes.md', 'empty', '.', 'missing/vectors.db']) {
    await expect(cache.exportTo(join(folder, name))).rejects.toMatchObject({ code: 'file-unreadable' });
  }
  expect(await readFile(join(folder, 'notes.md'), 'utf8')).toBe('dear notes');
  expect((await readdir(folder)).sort()).toEqual(['empty', 'notes.md']);
  await cache.close();
});

test('an export or import that is stopped leaves no file and no vector', async () => {
  const file = await exported();
  const cache = await open();
  await cache.put('space', entriesFor(['a']));
  const folder = await temporaryFolder();
  const signal = AbortSignal.abort();
  await expect(cache.exportTo(join(folder, 'x'), { signal })).rejects.toMatchObject({ code: 'interrupted' });
  await expect(cache.importFrom(file, { signal })).rejects.toMatchObject({ code: 'interrupted' });
  expect(await readdir(folder)).toEqual([]);
  expect((await cache.stats()).entries).toBe(1);
  await cache.close();
});

test('an import takes up what room there is and pushes nothing out', async () => {
  const file = await exported();
  const cache = await open(600_000);
  const own = textsNamed('own', 100);
  await cache.put('space', entriesFor(own));
  const report = await cache.importFrom(file);
  expect(report.leftOut).toBeGreaterThan(0);
  expect(report.added + report.known + report.leftOut).toBe(report.entries);
  expect((await cache.get('space', own)).every(Boolean)).toBe(true);
  expect((await cache.stats()).bytes).toBeLessThanOrEqual(600_000);
  await cache.close();
});

test('an import does not change a vector or the length of a space that is known', async () => {
  const cache = await open();
  await cache.put('space', entriesFor(['a'], 3));
  const file = join(await temporaryFolder(), 'vectors.db');
  const other = await open();
  await other.put('space', entriesFor(['a', 'b'], 8));
  await other.exportTo(file);
  await other.close();
  expect(await cache.importFrom(file)).toEqual({ entries: 2, added: 0, known: 0, leftOut: 2 });
  expect(await cache.get('space', ['a', 'b'])).toEqual([vectorOf('a', 3), undefined]);
  await cache.close();
});

test('an import into a cache that is turned off says so', async () => {
  const file = await exported();
  const cache = await open(0);
  await expect(cache.importFrom(file)).rejects.toMatchObject({ code: 'store-unusable' });
  await expect(cache.exportTo(`${file}.new`)).rejects.toMatchObject({ code: 'store-unusable' });
  await cache.close();
});

test.each<[string, string | Buffer]>([
  ['nothing', ''],
  ['a few bytes', 'SQLite'],
  ['text', '# Notes\n'.repeat(1000)],
  ['a header alone', Buffer.from('SQLite format 3\0'.padEnd(100, '\0'))],
])('a file with %s is refused with a remedy, and nothing of it is kept', async (_, content) => {
  const file = join(await temporaryFolder({ file: content }), 'file');
  const cache = await open();
  await expectRefused(cache, file);
  expect((await cache.stats()).entries).toBe(0);
  await cache.close();
});

const endless = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT';

test.each<[string, ...string[]]>([
  ['a later version', 'PRAGMA user_version = 2'],
  ['no version', 'PRAGMA user_version = 0'],
  ['another table', 'CREATE TABLE more (x)'],
  ['a trigger', 'CREATE TRIGGER t AFTER INSERT ON vectors BEGIN DELETE FROM spaces; END'],
  [
    'a view in the place of a table',
    'DROP TABLE vectors',
    `CREATE VIEW vectors (space, hash, content) AS ${endless} 1, i, i FROM n`,
  ],
  [
    'a table without its rules',
    'DROP TABLE vectors',
    'CREATE TABLE vectors (space INTEGER, hash BLOB, content BLOB)',
  ],
  ['a changed vector', 'UPDATE vectors SET content = zeroblob(length(content))'],
  ['the vector of another text', 'UPDATE vectors SET content = (SELECT content FROM vectors LIMIT 1)'],
  ['a space of another name', "UPDATE spaces SET fingerprint = 'other'"],
  ['vectors of no space', 'UPDATE vectors SET space = 99'],
  ['a hash that is too short', 'UPDATE vectors SET hash = substr(hash, 1, 31)'],
  [
    'a huge value',
    'UPDATE vectors SET content = zeroblob(50000000) WHERE hash = (SELECT min(hash) FROM vectors)',
  ],
  ['other dimensions', 'UPDATE spaces SET dimensions = 5'],
  ['huge dimensions', 'UPDATE spaces SET dimensions = 2147483648'],
  ['no dimensions', 'UPDATE spaces SET dimensions = 0'],
  ['a space without a name', "UPDATE spaces SET fingerprint = ''"],
  ['a very long name', 'UPDATE spaces SET fingerprint = hex(zeroblob(5000))'],
  ['thousands of spaces', `INSERT INTO spaces ${endless} i + 1000, 'space ' || i, 4 FROM n LIMIT 2000`],
])('an export with %s is refused, and nothing of it is kept', async (_, ...statements) => {
  const cache = await open();
  await expectRefused(cache, await forged(...statements));
  expect((await cache.stats()).entries).toBe(0);
  await cache.close();
});

test.each([
  ['of which a value is no number', Float32Array.of(Number.NaN, 1, 0, 0)],
  ['that is too long', Float32Array.of(1, 1, 0, 0)],
])('a vector %s is refused even with a checksum that is right', async (_, vector) => {
  const file = await forged('DELETE FROM vectors');
  const database = new DatabaseSync(file);
  const key = Buffer.alloc(32, 1);
  const sealed = createVectorSeal('space').close(key, bytesOfVector(vector));
  database.prepare('INSERT INTO vectors VALUES ((SELECT number FROM spaces), ?, ?)').run(key, sealed);
  database.close();
  const cache = await open();
  await expectRefused(cache, file);
  await cache.close();
});

test('a file that is cut is refused, and one that is changed anywhere gives no wrong vector', async () => {
  const file = await forged();
  const whole = await readFile(file);
  const names = textsNamed('text', 20);
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(7), async (place, bit) => {
      const cache = await open();
      await writeFile(file, whole.subarray(0, place));
      await expectRefused(cache, file);
      const changed = Buffer.from(whole);
      changed[place] = (changed[place] ?? 0) ^ (1 << bit);
      await writeFile(file, changed);
      const report = await cache.importFrom(file).catch((error: QuarryError) => error.code);
      const found = bitsOf(await cache.get('space', names));
      if (typeof report === 'string')
        expect([report, found.filter(Boolean)]).toEqual(['file-unreadable', []]);
      else expect(found).toEqual(bitsFor(names, 4));
      await cache.close();
    }),
    { numRuns: draws(40) },
  );
});

test('a folder or a missing file is refused', async () => {
  const cache = await open();
  const folder = await temporaryFolder();
  await expect(cache.importFrom(folder)).rejects.toMatchObject({ code: 'file-unreadable' });
  await expect(cache.importFrom(join(folder, 'none'))).rejects.toMatchObject({ code: 'file-unreadable' });
  await cache.close();
});
