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
  /** Whether the index is repaired in its place; otherwise it is filled again. */
  readonly isMended?: boolean;
  /** Whether vectors are lost, to be made again. */
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
  },
  {
    name: 'a chunk with other metadata',
    sql: `UPDATE chunks SET metadata = '{"a":1}' WHERE number = ${firstOfBook3}`,
    kind: 'chunk',
  },
  {
    name: 'a symbol that is no JSON',
    sql: `UPDATE chunks SET symbol = '{' WHERE number = ${firstOfBook3}`,
    kind: 'chunk',
  },
  {
    name: 'a chunk too few',
    sql: `DELETE FROM chunks WHERE number = ${firstOfBook3}`,
    kind: 'text',
  },
  {
    name: 'a document with another title',
    sql: `UPDATE documents SET title = 'other' WHERE uri = '${book3}'`,
    kind: 'document',
  },
  {
    name: 'chunks without their document',
    sql: `DELETE FROM documents WHERE uri = '${book3}'`,
    kind: 'orphan',
  },
  {
    name: 'a chunk that refers to the vector of another one',
    sql: `UPDATE chunks SET embedding = (SELECT max(number) FROM embeddings) WHERE number = ${firstOfBook3}`,
    kind: 'orphan',
  },
  {
    name: 'a chunk that refers to no vector',
    sql: `UPDATE chunks SET embedding = 4711 WHERE number = ${firstOfBook3}`,
    kind: 'orphan',
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
    isMended: true,
  },
  {
    name: 'a vector of the wrong length',
    sql: 'UPDATE vectors SET components = zeroblob(3) WHERE number = 5',
    kind: 'vector',
    losesVectors: true,
    isMended: true,
  },
  {
    name: 'a vector of zeros',
    sql: 'UPDATE vectors SET components = zeroblob(16) WHERE number = 5',
    kind: 'vector',
    losesVectors: true,
    isMended: true,
  },
  {
    name: 'a vector that is not finite',
    sql: 'UPDATE vectors SET scale = 9e999 WHERE number = 5',
    kind: 'vector',
    losesVectors: true,
    isMended: true,
  },
  {
    name: 'a vector that is too long',
    sql: 'UPDATE vectors SET scale = scale * 1.001 WHERE number = 5',
    kind: 'vector',
    losesVectors: true,
    isMended: true,
  },
  {
    name: 'a vector that is text',
    sql: "UPDATE vectors SET components = 'sixteen letters!' WHERE number = 5",
    kind: 'vector',
    losesVectors: true,
    isMended: true,
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
    kind: 'structure',
    losesVectors: true,
  },
  {
    name: 'a space of another length than its vectors',
    sql: 'UPDATE spaces SET dimensions = 17',
    kind: 'vector',
    isMended: true,
    losesVectors: true,
  },
  {
    name: 'a space whose length is text',
    sql: "UPDATE spaces SET dimensions = 'sixteen'",
    kind: 'structure',
    losesVectors: true,
  },
  {
    name: 'a space that agrees with none of its vectors, which do not agree either',
    sql: 'UPDATE spaces SET dimensions = 3; UPDATE vectors SET components = zeroblob(20 + number)',
    kind: 'vector',
    losesVectors: true,
    isMended: true,
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
    kind: 'structure',
  },
  {
    name: 'a text index that lost its structure',
    sql: 'DELETE FROM chunk_terms_data',
    kind: 'structure',
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

describe.each(faults)('$name', ({ sql, kind, isMended = false, losesVectors = false }) => {
  test(`is reported as a defect of the ${kind}, and repaired without losing anything else`, async () => {
    breakCopy(sql);
    const store = openSqliteStore(path);
    const defects = await defectsOf(store);
    expect(defects.map((defect) => defect.kind)).toContain(kind);
    expect(await defectsOf(store)).toEqual(defects);

    const { repair, answering } = await repairLibrary(store);
    expect(repair).toMatchObject({ removed: [], isBeyondRepair: !isMended });
    expect(repair.repaired).toEqual(expect.arrayContaining(defects));
    expect(await defectsOf(answering)).toEqual([]);
    await expectKept(answering, losesVectors);
    expect((await answering.missingVectors(space, 100)).length > 0).toBe(losesVectors);
    await store.close();
  });
});

test.each([-1, 17, 'sixteen'])(
  'a space whose length was damaged to %s is no fault of the query',
  async (length) => {
    breakCopy(`UPDATE spaces SET dimensions = '${length}'`);
    const store = openSqliteStore(path);
    const damaged = { code: 'store-corrupt', remedy: 'Run: quarry repair' };
    await expect(readLibrary(store)).rejects.toMatchObject(damaged);
    await expect(fillLibrary(store)).rejects.toMatchObject(damaged);
    const { answering } = await repairLibrary(store);
    await fillLibrary(answering);
    expect(await defectsOf(answering)).toEqual([]);
    await store.close();
  },
);

test('many defects at once are reported and repaired together', async () => {
  const ones = faults.filter(({ kind }) => ['vector', 'manifest', 'count', 'chunk'].includes(kind));
  breakCopy(ones.map(({ sql }) => sql).join(';'));
  const store = openSqliteStore(path);
  const { answering } = await repairLibrary(store);
  expect(await defectsOf(answering)).toEqual([]);
  expect(await answering.paths()).toEqual([...library.keys()].sort());
  await store.close();
});

function breakCopy(sql: string): void {
  writeFileSync(path, sound);
  tamper(path, sql);
}

/** Every document is there and reads as before. */
async function expectKept(store: SqliteStore, losesVectors: boolean): Promise<void> {
  const after = await readLibrary(store);
  expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
  const comparable = losesVectors ? { byVector: [] } : {};
  for (const [uri, read] of after) {
    expect({ ...Object(read), ...comparable }).toEqual({ ...Object(before.get(uri)), ...comparable });
  }
}
