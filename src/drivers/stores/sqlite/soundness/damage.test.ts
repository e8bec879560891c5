import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { draws } from '../../../../../test/property-draws.ts';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { QuarryError } from '../../../../core/errors.ts';
import { setFact } from '../../../../index/write.ts';
import { openSqliteStore, type SqliteStore } from '../store.ts';
import { defectsOf, fillLibrary, readLibrary, repairLibrary } from './library.fixture.ts';

const pageSize = 4096;

/** The number of the page that each table and index begins with. */
const firstPages = new Map<string, number>();
let sound: Buffer;
let before: Map<string, unknown>;
let path: string;

beforeAll(async () => {
  const file = join(await temporaryFolder(), 'index.sqlite');
  const store = openSqliteStore(file);
  await fillLibrary(store);
  before = await readLibrary(store);
  await store.close();
  const database = new DatabaseSync(file);
  for (const { name, rootpage } of database.prepare('SELECT name, rootpage FROM sqlite_schema').all()) {
    firstPages.set(String(name), Number(rootpage));
  }
  database.close();
  sound = readFileSync(file);
});

beforeEach(async () => {
  path = join(await temporaryFolder(), 'index.sqlite');
});

test.each([
  ...['documents', 'chunks', 'embeddings', 'spaces', 'vectors', 'manifest', 'facts', 'revision'],
  ...['chunks_by_id', 'vectors_by_space', 'chunk_terms_data', 'chunk_terms_docsize', 'text_upkeep'],
])('a store in which the first page of %s was lost is refused or continues once it was repaired', (name) =>
  damaged((bytes) => {
    const first = (firstPages.get(name) ?? 0) - 1;
    return bytes.fill(0, first * pageSize, (first + 1) * pageSize);
  }),
);

describe('a file whose layout SQLite does not understand any more is refused, or reported as damaged', () => {
  const layoutOf = (name: string) => `CREATE TABLE ${name} (\n    number INTEGER PRIMARY`;

  test.each([
    ['the tokenizer of the text index', 'porter ascii', 'pirter ascii'],
    ['an option of the text index', "content = ''", "contenc = ''"],
    ['the module of the text index', 'USING fts5 (', 'USING fts7 ('],
    ['the key of documents', `${layoutOf('documents')} KEY`, `${layoutOf('documents')}_KEY`],
    ['the key of spaces', `${layoutOf('spaces')} KEY`, `${layoutOf('spaces')}_KEY`],
  ])('where it is %s that was lost', (_, lost, found) =>
    damaged((bytes) => {
      expect(replaceText(bytes, lost, found)).toBe(1);
      // A chunk has to be removed too, by statements that SQLite judges by the layout it has in mind.
      replaceText(bytes, 'word3 harbour', 'word3 harbor!');
      return bytes;
    }),
  );

  test('where its header forbids to write it, though the system would not', async () => {
    const bytes = Buffer.from(sound);
    bytes.writeUInt8(24, 18);
    writeFileSync(path, bytes);
    const store = openSqliteStore(path);
    expect(await readLibrary(store)).toEqual(before);
    await expect(setFact(store, 'name', 'value')).rejects.toMatchObject({ code: 'store-corrupt' });
    const { answering } = await repairLibrary(store);
    expect(await readLibrary(answering)).toEqual(before);
    await setFact(answering, 'name', 'value');
    await store.close();
  });
});

describe('a file that was damaged is refused, or reported as damaged, or reads as it was', () => {
  test('whichever bits of it are flipped', async () => {
    const flips = fc.array(
      fc.record({ offset: fc.nat(sound.length - 1), mask: fc.integer({ min: 1, max: 255 }) }),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(flips, (chosen) =>
        damaged((bytes) => {
          for (const { offset, mask } of chosen) bytes.writeUInt8(bytes.readUInt8(offset) ^ mask, offset);
          return bytes;
        }),
      ),
      { numRuns: draws(30) },
    );
  });

  test('whichever page of it is lost', async () => {
    const pages = fc.record({
      page: fc.nat(sound.length / pageSize - 1),
      value: fc.constantFrom(0, 0xff, 0xa5),
    });
    await fc.assert(
      fc.asyncProperty(pages, ({ page, value }) =>
        damaged((bytes) => bytes.fill(value, page * pageSize, (page + 1) * pageSize)),
      ),
      { numRuns: 15 },
    );
  });

  test('whichever page stands in place of another', async () => {
    const page = fc.nat(sound.length / pageSize - 1);
    await fc.assert(
      fc.asyncProperty(page, page, (from, to) =>
        damaged((bytes) => {
          sound.copy(bytes, to * pageSize, from * pageSize, (from + 1) * pageSize);
          return bytes;
        }),
      ),
      { numRuns: 12 },
    );
  });

  test('wherever it is cut off', async () => {
    // To SQLite a file of no byte or one is empty, and becomes a new index.
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: sound.length - 1 }), (length) =>
        damaged((bytes) => bytes.subarray(0, length)),
      ),
      { numRuns: 10 },
    );
  });
});

/** Damages a copy of the file and sees that nothing wrong is read from what is called sound. */
async function damaged(damage: (bytes: Buffer) => Buffer): Promise<void> {
  const bytes = Buffer.from(sound);
  writeFileSync(path, damage(bytes));
  for (const rest of ['-wal', '-shm']) writeFileSync(`${path}${rest}`, '');
  const store = openOrRefuse();
  if (!store) return;
  try {
    const defects = await defectsOf(store);
    const read = await unlessDamaged(readLibrary(store));
    if (defects.length === 0) expect(read).toEqual(before);
    const repaired = await unlessDamaged(repairLibrary(store));
    if (repaired) await expectMended(repaired.answering);
  } finally {
    await store.close();
  }
}

/** Puts a text of the same length in place of another, wherever it stands; returns how often that was. */
function replaceText(bytes: Buffer, lost: string, found: string): number {
  let count = 0;
  for (let place = bytes.indexOf(lost); place >= 0; place = bytes.indexOf(lost, place + 1)) {
    bytes.write(found, place);
    count += 1;
  }
  return count;
}

async function expectMended(store: SqliteStore): Promise<void> {
  expect(await defectsOf(store)).toEqual([]);
  for (const [uri, read] of await readLibrary(store)) {
    // Vectors that were lost are made again by the next run.
    expect({ ...Object(read), byVector: [] }).toEqual({ ...Object(before.get(uri)), byVector: [] });
  }
}

/** A file in which nothing can be read is refused when it is opened, in words that the user can act on. */
function openOrRefuse(): SqliteStore | undefined {
  try {
    return openSqliteStore(path);
  } catch (error) {
    expect(error).toBeInstanceOf(QuarryError);
    expect(['store-corrupt', 'store-foreign', 'store-unusable', 'store-too-new']).toContain(
      (error as QuarryError).code,
    );
    return undefined;
  }
}

async function unlessDamaged<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    expect(['store-corrupt', 'store-foreign']).toContain((error as QuarryError).code);
    return undefined;
  }
}
