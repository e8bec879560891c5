import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { VectorCache } from '../../contracts/vector-cache.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
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
  const file = join(await temporaryFolder(), 'vectors.qv');
  await cache.exportTo(file);
  await cache.close();
  return file;
}

/** A file of this header and these records, with a checksum that is right. */
function forged(spaces: unknown, records: Uint8Array = Buffer.alloc(0), version = 1): Buffer {
  const header = Buffer.from(typeof spaces === 'string' ? spaces : JSON.stringify({ spaces }));
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32LE(version, 0);
  numbers.writeUInt32LE(header.length, 4);
  const body = Buffer.concat([Buffer.from('QVECTOR\n'), numbers, header, records]);
  return Buffer.concat([body, createHash('sha256').update(body).digest()]);
}

function record(key: number, vector: Float32Array): Buffer {
  return Buffer.concat([Buffer.alloc(32, key), Buffer.from(vector.buffer)]);
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

test('one space is exported alone, and a space that is not known is an error', async () => {
  const cache = await open();
  await cache.put('one', entriesFor(['a'], 4));
  await cache.put('two', entriesFor(['b'], 4));
  const folder = await temporaryFolder();
  expect(await cache.exportTo(join(folder, 'two'), { space: 'two' })).toMatchObject({
    entries: 1,
    bytes: (await stat(join(folder, 'two'))).size,
    spaces: [{ name: 'two', dimensions: 4, entries: 1 }],
  });
  await expect(cache.exportTo(join(folder, 'three'), { space: 'three' })).rejects.toMatchObject({
    code: 'usage-invalid',
  });
  expect(await readdir(folder)).toEqual(['two']);
  await cache.close();
});

test('damaged rows stay behind, and an empty cache gives an empty file', async () => {
  const folder = await temporaryFolder();
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  const file = join(folder, 'vectors.qv');
  expect(await cache.exportTo(file)).toMatchObject({ entries: 0, spaces: [] });
  expect(await cache.importFrom(file)).toEqual({ entries: 0, added: 0, known: 0, leftOut: 0 });
  await cache.put('space', entriesFor(texts));
  tamper(folder, 'UPDATE vectors SET content = zeroblob(1544) WHERE id = 7');
  expect(await cache.exportTo(file)).toMatchObject({ entries: texts.length - 1 });
  const other = await open();
  expect(await other.importFrom(file)).toMatchObject({ added: texts.length - 1 });
  await other.close();
  await cache.close();
});

test('an export takes the place of an earlier export and of nothing else', async () => {
  const file = await exported();
  const cache = await open();
  await cache.exportTo(file);
  const folder = await temporaryFolder({ 'notes.md': 'dear notes', empty: '' });
  for (const name of ['notes.md', 'empty', '.', 'missing/vectors.qv']) {
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
  const file = join(await temporaryFolder(), 'vectors.qv');
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

const plain = { fingerprint: 'space', dimensions: 2, count: 1 };
const sound = record(1, Float32Array.of(0, 1));

test.each<[string, Buffer]>([
  ['nothing', Buffer.alloc(0)],
  ['a few bytes', Buffer.from('QVECT')],
  ['text', Buffer.from('# Notes\n'.repeat(1000))],
  ['a later version', forged([plain], sound, 2)],
  ['a header that is no JSON', forged('{"spaces":')],
  ['a header that is no UTF-8', forged([{ ...plain, fingerprint: '\ud800' }], sound).fill(0xff, 20, 24)],
  ['a header with something else', forged({ spaces: 'all' })],
  [
    'a header longer than the file',
    Buffer.concat([forged([plain], sound).subarray(0, 12), Buffer.alloc(60, 255)]),
  ],
  ['a huge count', forged([{ ...plain, count: 2 ** 52 }], sound)],
  ['counts beyond counting', forged([{ ...plain, count: 1e300 }], sound)],
  ['a negative count', forged([{ ...plain, count: -1 }], sound)],
  ['huge dimensions', forged([{ ...plain, dimensions: 2 ** 31 }], sound)],
  ['no dimensions', forged([{ ...plain, dimensions: 0 }], Buffer.alloc(32))],
  ['a space without a name', forged([{ ...plain, fingerprint: '' }], sound)],
  ['a very long name', forged([{ ...plain, fingerprint: 'x'.repeat(5000) }], sound)],
  ['a space named twice', forged([plain, plain], Buffer.concat([sound, sound]))],
  [
    'thousands of spaces',
    forged(textsNamed('s', 2000).map((fingerprint) => ({ ...plain, fingerprint, count: 0 }))),
  ],
  ['fewer records than it claims', forged([{ ...plain, count: 2 }], sound)],
  ['more records than it claims', forged([plain], Buffer.concat([sound, sound]))],
  ['a value that is no number', forged([plain], record(1, Float32Array.of(Number.NaN, 1)))],
  ['a vector that is too long', forged([plain], record(1, Float32Array.of(1, 1)))],
  ['a text twice', forged([{ ...plain, count: 2 }], Buffer.concat([sound, sound]))],
])('a file with %s is refused with a remedy, and nothing of it is kept', async (_, content) => {
  const file = join(await temporaryFolder({ file: content }), 'file');
  const cache = await open();
  await expect(cache.importFrom(file)).rejects.toMatchObject({
    code: 'file-unreadable',
    message: expect.stringContaining('Cannot import'),
    remedy: expect.stringMatching(/\.$|FILE$/),
  });
  expect((await cache.stats()).entries).toBe(0);
  await cache.close();
});

test('the smallest file that is whole is taken in', async () => {
  const file = join(await temporaryFolder({ file: forged([plain], sound) }), 'file');
  const cache = await open();
  expect(await cache.importFrom(file)).toMatchObject({ added: 1 });
  await cache.close();
});

test('a file that is changed or cut anywhere is refused, and nothing of it is kept', async () => {
  const small = await open();
  await small.put('space', entriesFor(textsNamed('text', 20), 4));
  const file = join(await temporaryFolder(), 'vectors.qv');
  await small.exportTo(file);
  await small.close();
  const whole = await readFile(file);
  const cache = await open();
  const refused = async (content: Uint8Array): Promise<void> => {
    await writeFile(file, content);
    await expect(cache.importFrom(file)).rejects.toMatchObject({ code: 'file-unreadable' });
  };
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(7), async (place, bit) => {
      const changed = Buffer.from(whole);
      changed[place] = (changed[place] ?? 0) ^ (1 << bit);
      await refused(changed);
      await refused(whole.subarray(0, place));
    }),
    { numRuns: 60 },
  );
  await refused(Buffer.concat([whole, Buffer.alloc(1)]));
  expect((await cache.stats()).entries).toBe(0);
  await cache.close();
});

test('a folder or a missing file is refused', async () => {
  const cache = await open();
  const folder = await temporaryFolder();
  await expect(cache.importFrom(folder)).rejects.toMatchObject({ code: 'file-unreadable' });
  await expect(cache.importFrom(join(folder, 'none'))).rejects.toMatchObject({ code: 'file-unreadable' });
  await cache.close();
});
