import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import type { StoreDefect } from '../../../../contracts/store.ts';
import { openSqliteStore, type SqliteStore } from '../store.ts';
import {
  defectsOf,
  fillLibrary,
  library,
  readLibrary,
  repairLibrary,
  space,
  tamper,
} from './library.fixture.ts';

interface Fault {
  readonly name: string;
  readonly sql: string;
  readonly kind: StoreDefect['kind'];
  /** The documents that cannot be trusted any more. */
  readonly removed?: readonly string[];
  /** Whether only vectors are lost, to be made again. */
  readonly losesVectors?: boolean;
}

const book3 = 'shelf/book3.md';
const ofBook3 = `(SELECT number FROM documents WHERE uri = '${book3}')`;
const firstOfBook3 = `(SELECT number FROM chunks WHERE document = ${ofBook3} AND ordinal = 0)`;

const faults: readonly Fault[] = [
  {
    name: 'a text with another letter',
    sql: `UPDATE chunks SET text = replace(text, 'Page', 'Sage') WHERE number = ${firstOfBook3}`,
    kind: 'chunk',
    removed: [book3],
  },
  {
    name: 'a chunk with other metadata',
    sql: `UPDATE chunks SET metadata = '{"a":1}' WHERE number = ${firstOfBook3}`,
    kind: 'chunk',
    removed: [book3],
  },
  {
    name: 'a symbol that is no JSON',
    sql: `UPDATE chunks SET symbol = '{' WHERE number = ${firstOfBook3}`,
    kind: 'chunk',
    removed: [book3],
  },
  {
    name: 'a chunk too few',
    sql: `DELETE FROM chunks WHERE number = ${firstOfBook3}`,
    kind: 'chunk',
    removed: [book3],
  },
  {
    name: 'a document with another title',
    sql: `UPDATE documents SET title = 'other' WHERE uri = '${book3}'`,
    kind: 'document',
    removed: [book3],
  },
  {
    name: 'chunks without their document',
    sql: `DELETE FROM documents WHERE uri = '${book3}'`,
    kind: 'orphan',
    removed: [],
  },
  {
    name: 'a chunk that refers to the vector of another one',
    sql: `UPDATE chunks SET embedding = (SELECT max(number) FROM embeddings) WHERE number = ${firstOfBook3}`,
    kind: 'chunk',
  },
  {
    name: 'a chunk that refers to no vector',
    sql: `UPDATE chunks SET embedding = 4711 WHERE number = ${firstOfBook3}`,
    kind: 'chunk',
  },
  {
    name: 'a key that no chunk has',
    sql: "INSERT INTO embeddings (key) VALUES ('stray')",
    kind: 'orphan',
  },
  {
    name: 'a wrong number of chunks that have their vector',
    sql: 'UPDATE spaces SET embedded = embedded + 1',
    kind: 'count',
  },
  {
    name: 'a vector of the wrong length',
    sql: 'UPDATE vectors SET components = zeroblob(3) WHERE number = 5',
    kind: 'vector',
    losesVectors: true,
  },
  {
    name: 'a vector of zeros',
    sql: 'UPDATE vectors SET components = zeroblob(16) WHERE number = 5',
    kind: 'vector',
    losesVectors: true,
  },
  {
    name: 'a vector that is not finite',
    sql: 'UPDATE vectors SET scale = 9e999 WHERE number = 5',
    kind: 'vector',
    losesVectors: true,
  },
  {
    name: 'a vector that is too long',
    sql: 'UPDATE vectors SET scale = scale * 1.001 WHERE number = 5',
    kind: 'vector',
    losesVectors: true,
  },
  {
    name: 'a vector that is text',
    sql: "UPDATE vectors SET components = 'sixteen letters!' WHERE number = 5",
    kind: 'vector',
    losesVectors: true,
  },
  {
    name: 'vectors of a space that is not there',
    sql: 'DELETE FROM spaces',
    kind: 'orphan',
    losesVectors: true,
  },
  {
    name: 'a space of impossible length',
    sql: 'UPDATE spaces SET dimensions = -1',
    kind: 'vector',
  },
  {
    name: 'a space of another length than its vectors',
    sql: 'UPDATE spaces SET dimensions = 17',
    kind: 'vector',
  },
  {
    name: 'a space whose length is text',
    sql: "UPDATE spaces SET dimensions = 'sixteen'",
    kind: 'vector',
  },
  {
    name: 'a space that agrees with none of its vectors, which do not agree either',
    sql: 'UPDATE spaces SET dimensions = 3; UPDATE vectors SET components = zeroblob(20 + number)',
    kind: 'vector',
    losesVectors: true,
  },
  {
    name: 'a manifest entry without its document',
    sql: `DELETE FROM chunks WHERE document = ${ofBook3}; DELETE FROM documents WHERE uri = '${book3}'`,
    kind: 'orphan',
  },
  {
    name: 'a manifest entry with a count that nobody noted',
    sql: `UPDATE manifest SET chunks = 99 WHERE uri = '${book3}'`,
    kind: 'manifest',
  },
  {
    name: 'a chunk whose words cannot be found',
    sql: 'DELETE FROM chunk_terms_docsize WHERE id = 5',
    kind: 'text',
  },
  {
    name: 'a text index that holds words of no chunk',
    sql: "INSERT INTO chunk_terms (rowid, body) VALUES (4711, 'harbour')",
    kind: 'text',
  },
  {
    name: 'a text index with a word too many',
    sql: "INSERT INTO chunk_terms (rowid, body) VALUES (5, 'zeppelin')",
    kind: 'text',
  },
  {
    name: 'a text index without a word that is there',
    sql: "INSERT INTO chunk_terms (chunk_terms, rowid, body) VALUES ('delete', 5, 'harbour')",
    kind: 'text',
  },
  {
    name: 'a text index that counts its rows wrongly',
    sql: "UPDATE chunk_terms_data SET block = x'6464646464' WHERE id = 1",
    kind: 'text',
  },
  {
    name: 'a text index whose structure is damaged',
    sql: 'UPDATE chunk_terms_data SET block = randomblob(length(block)) WHERE id > 10',
    kind: 'text',
  },
  {
    name: 'a text index that lost its structure',
    sql: 'DELETE FROM chunk_terms_data',
    kind: 'text',
  },
  { name: 'an index that is missing', sql: 'DROP INDEX chunks_by_id', kind: 'structure' },
  { name: 'a revision that is missing', sql: 'DELETE FROM revision', kind: 'structure' },
];

let path: string;
/** A sound library as a file, and what can be read of it. */
let sound: Buffer;
let before: Map<string, unknown>;

beforeAll(async () => {
  const file = join(await temporaryFolder(), 'index.sqlite');
  const store = openSqliteStore(file);
  await fillLibrary(store);
  before = await readLibrary(store);
  await store.close();
  sound = readFileSync(file);
});

beforeEach(async () => {
  path = join(await temporaryFolder(), 'index.sqlite');
});

describe.each(faults)('$name', ({ sql, kind, removed = [], losesVectors = false }) => {
  test(`is reported as a defect of the ${kind}, and repaired without losing anything else`, async () => {
    breakCopy(sql);
    const store = openSqliteStore(path);
    const defects = await defectsOf(store);
    expect(defects.map((defect) => defect.kind)).toContain(kind);
    expect(await defectsOf(store)).toEqual(defects);

    const { repair, answering } = await repairLibrary(store);
    expect(repair.removed).toEqual(removed);
    expect(repair.repaired).toEqual(expect.arrayContaining(defects));
    expect(await defectsOf(answering)).toEqual([]);
    await expectKept(answering, losesVectors);
    if (losesVectors) expect((await answering.missingVectors(space, 100)).length).toBeGreaterThan(0);
    await store.close();
  });
});

test('what was taken out can be put again', async () => {
  breakCopy(faults[0]?.sql ?? '');
  const store = openSqliteStore(path);
  await store.repair();
  expect((await store.manifest()).map(({ uri }) => uri)).not.toContain(book3);
  await fillLibrary(store);
  expect(await defectsOf(store)).toEqual([]);
  expect(await readLibrary(store)).toEqual(before);
  await store.close();
});

test.each([-1, 17, 'sixteen'])(
  'a space whose length was damaged to %s is no fault of the query',
  async (length) => {
    breakCopy(`UPDATE spaces SET dimensions = '${length}'`);
    const store = openSqliteStore(path);
    const damaged = { code: 'store-corrupt', remedy: 'Run: quarry repair' };
    await expect(readLibrary(store)).rejects.toMatchObject(damaged);
    await expect(fillLibrary(store)).rejects.toMatchObject(damaged);
    await store.repair();
    await fillLibrary(store);
    await store.close();
  },
);

test('many defects at once are reported and repaired together', async () => {
  const ones = faults.filter(({ kind }) => ['vector', 'manifest', 'count', 'chunk'].includes(kind));
  breakCopy(ones.map(({ sql }) => sql).join(';'));
  const store = openSqliteStore(path);
  await store.repair();
  expect(await defectsOf(store)).toEqual([]);
  expect(await store.paths()).toEqual([...library.keys()].filter((uri) => uri !== book3).sort());
  await store.close();
});

function breakCopy(sql: string): void {
  writeFileSync(path, sound);
  tamper(path, sql);
}

/** Every document that is still there reads as before, and no other is gone than may be. */
async function expectKept(store: SqliteStore, losesVectors: boolean): Promise<void> {
  const after = await readLibrary(store);
  const gone = [...before.keys()].filter((uri) => !after.has(uri));
  expect(gone.filter((uri) => uri !== book3)).toEqual([]);
  const comparable = losesVectors ? { byVector: [] } : {};
  for (const [uri, read] of after) {
    expect({ ...Object(read), ...comparable }).toEqual({ ...Object(before.get(uri)), ...comparable });
  }
}
