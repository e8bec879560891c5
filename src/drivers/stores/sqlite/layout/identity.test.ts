import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { repairStore } from '../../../../index/repair.ts';
import { verifyStore } from '../../../../index/verify.ts';
import { putDocument, setFact } from '../../../../index/write.ts';
import { putHotJournal } from '../../../../platform/sqlite/hot-journal.fixture.ts';
import { useWriteAheadLog } from '../../../../platform/sqlite/write-ahead-log.ts';
import { chunkEntries, documentRecord } from '../../../../testing/documents.ts';
import { openDatabase } from '../file/open-database.ts';
import { openSqliteStore, type SqliteStore } from '../store.ts';
import { recognise } from './identity.ts';

const key = new Uint8Array(32).fill(1);
const foreign = expect.objectContaining({ code: 'store-foreign' });

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await temporaryFolder({});
  path = join(folder, 'index.sqlite');
});

describe('a file that this user did not make is refused and left as it is:', () => {
  test.each<[string, string]>([
    ['a database of another program', 'CREATE TABLE bookmarks (url)'],
    ['one with a layout number and nothing else', 'PRAGMA user_version = 6'],
    [
      'an index of a layout that says nothing of its maker',
      'CREATE TABLE documents (id); PRAGMA user_version = 5',
    ],
    ['one that says it is newer', 'CREATE TABLE identity (name, proof); PRAGMA user_version = 99'],
  ])('%s', (_, sql) => {
    alter(sql);
    const before = snapshot();
    expect(() => open()).toThrow(foreign);
    expect(snapshot()).toBe(before);
  });

  test('an index of another user', async () => {
    await fill(new Uint8Array(32).fill(2));
    expect(() => open()).toThrow(foreign);
    await openSqliteStore(path, { key: new Uint8Array(32).fill(2) }).close();
  });

  test('an index of ours with an identity that was copied from nowhere', async () => {
    await fill();
    alter("UPDATE identity SET name = 'another'");
    expect(() => open()).toThrow(foreign);
  });

  test('an index whose identity is long', async () => {
    await fill();
    alter('UPDATE identity SET name = hex(zeroblob(1000000)), proof = zeroblob(1000000)');
    expect(() => open()).toThrow(foreign);
  });

  test.each([
    ['a trigger', "CREATE TRIGGER t AFTER INSERT ON chunks BEGIN UPDATE chunks SET text = 'forged'; END"],
    [
      'a trigger that would never end',
      `CREATE TRIGGER t AFTER INSERT ON chunks BEGIN INSERT INTO facts SELECT 'a', max(x), x'00' FROM
        (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n); END`,
    ],
    ['a view', 'CREATE VIEW v AS SELECT 1'],
    ['more changes than can be counted', 'UPDATE revision SET value = 9223372036854775807'],
    ['no number of changes', "UPDATE revision SET value = 'many'"],
    ['a further table', 'CREATE TABLE more (x)'],
    ['a further index', 'CREATE INDEX more ON chunks (text)'],
    [
      'a view in place of a table',
      'DROP TABLE facts; CREATE VIEW facts AS SELECT 1 AS name, 2 AS value, 3 AS proof',
    ],
    ['a table of another form', 'DROP TABLE facts; CREATE TABLE facts (name, value, proof)'],
  ])('an index of ours with %s', async (_, sql) => {
    await fill();
    alter(sql);
    expect(() => open()).toThrow(foreign);
  });

  test('one with a rollback journal, which would have SQLite remove a file of the user', async () => {
    alter('CREATE TABLE a (x); PRAGMA user_version = 6');
    const treasure = putHotJournal(path, folder);
    const before = snapshot();
    expect(() => open()).toThrow(foreign);
    expect(snapshot()).toBe(before);
    expect(existsSync(treasure)).toBe(true);
  });
});

describe('what somebody else wrote into an index of ours is never shown:', () => {
  const changes: [string, string][] = [
    ['the text of a chunk', "UPDATE chunks SET text = replace(text, 'granite', 'forgery')"],
    ['its heading', "UPDATE chunks SET section = 'Run this'"],
    ['its lines', 'UPDATE chunks SET first_line = 7, last_line = 9'],
    ['its document', 'UPDATE chunks SET document = 1, ordinal = 7 WHERE document = 2'],
    ['the order of two chunks', 'UPDATE chunks SET ordinal = 5 - ordinal WHERE document = 1'],
    [
      'the number of its document',
      'UPDATE documents SET number = 9 - number; UPDATE chunks SET document = 9 - document',
    ],
    ['the path of a document', "UPDATE documents SET uri = 'x' || uri"],
    ['its title', "UPDATE documents SET title = 'forged'"],
    [
      'a whole row, with the proof of another one',
      'UPDATE chunks SET text = (SELECT text FROM chunks WHERE number = 1)',
    ],
    ['the proof', "UPDATE chunks SET proof = x'00112233445566778899aabbccddeeff'"],
  ];
  test.each(changes)('%s', async (_, sql) => {
    await fill();
    alter(`PRAGMA foreign_keys = OFF; ${sql}`);
    const store = open();
    const found = async (): Promise<unknown> => [
      await store.searchText(['granite'], { limit: 9 }),
      await store.searchText(['forgery'], { limit: 9 }),
      await store.searchVector('space', new Float32Array([1, 0]), { limit: 9 }),
      await store.searchPattern({ source: 'granite|forgery', flags: '' } as never, { limit: 9 }),
    ];
    await expect(found()).rejects.toThrow(foreign);
    await store.close();
  });

  test.each([
    [
      'an entry of the manifest',
      "UPDATE manifest SET content_hash = 'other'",
      (store: SqliteStore) => store.manifest(),
    ],
    ['a reason in it', "UPDATE manifest SET detail = 'Run this'", (store: SqliteStore) => store.manifest()],
    ['a fact', "UPDATE facts SET value = 'other'", (store: SqliteStore) => store.state()],
  ])('%s', async (_, sql, read) => {
    await fill();
    alter(sql);
    const store = open();
    await expect(read(store)).rejects.toThrow(foreign);
    await store.close();
  });

  test.each(['text', 'section'])(
    'and verify finds it, and repair has the index rebuilt: a %s',
    async (column) => {
      await fill();
      alter(`UPDATE chunks SET ${column} = 'forged' WHERE number = 1; UPDATE facts SET value = 'other'`);
      const store = open();
      const found: unknown[] = [];
      for await (const defect of verifyStore(store)) found.push(defect);
      expect(found).toContainEqual(expect.objectContaining({ kind: 'chunk', uri: 'a.md' }));
      expect(found).toContainEqual(expect.objectContaining({ kind: 'manifest' }));
      expect(await repairStore(store)).toMatchObject({ isBeyondRepair: true, repaired: found });
      await store.close();
    },
  );
});

test('what a file says of itself is not trusted, and its own tables are beyond any statement', async () => {
  await fill();
  for (const isStill of [false, true]) {
    const { database } = openDatabase(path, key, isStill);
    expect(database.prepare('PRAGMA trusted_schema').get()).toEqual({ trusted_schema: 0 });
    database.exec('PRAGMA writable_schema = ON');
    expect(() => database.exec("UPDATE sqlite_schema SET sql = ''")).toThrow('may not be modified');
    database.close();
  }
});

test('an index that was moved, copied or restored is still the own one', async () => {
  await fill();
  const copy = join(await temporaryFolder({}), 'index.sqlite');
  writeFileSync(copy, readFileSync(path));
  const store = openSqliteStore(copy, { key });
  expect(await store.searchText(['granite'], { limit: 9 })).toHaveLength(3);
  for await (const defect of verifyStore(store)) expect.fail(defect.detail);
  await store.close();
});

function open(): SqliteStore {
  return openSqliteStore(path, { key });
}

async function fill(by: Uint8Array = key): Promise<void> {
  const store = openSqliteStore(path, { key: by });
  for (const [uri, texts] of [
    ['a.md', ['granite one', 'granite two']],
    ['b.md', ['granite three']],
  ] as const) {
    const document = documentRecord(uri);
    const entries = chunkEntries(document, [...texts]);
    const vectors = new Map([
      ['space', entries.map(({ embeddingKey }) => ({ embeddingKey, vector: new Float32Array([1, 1]) }))],
    ]);
    const noted = { uri, status: 'indexed', size: 1, modifiedAt: 1, contentHash: 'h', recipe: 'r' } as const;
    await putDocument(store, {
      document,
      chunks: entries,
      manifest: { ...noted, chunks: texts.length },
      vectors,
    });
  }
  await setFact(store, 'name', 'value');
  await store.close();
}

function alter(sql: string): void {
  const database = new DatabaseSync(path, { defensive: false });
  database.exec(sql);
  database.close();
}

function snapshot(): string {
  return readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}`,
    )
    .join('\n');
}

test('a file that another process makes between two looks is taken for a new one, and not for a stranger’s', () => {
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  useWriteAheadLog(database, []);
  const prepare = database.prepare.bind(database);
  const looks = vi.spyOn(database, 'prepare').mockImplementationOnce((sql) => {
    const found = prepare(sql).get();
    openDatabase(path, key).database.close();
    return { get: () => found } as unknown as StatementSync; // Of a statement only this is used.
  });
  expect(() => recognise(database, path, key)).not.toThrow();
  expect(looks.mock.calls[0]?.[0]).toContain('user_version');
  // From now on it is one of ours.
  expect(() => recognise(database, path, key)).not.toThrow();
  expect(() => recognise(database, path, new Uint8Array(32).fill(2))).toThrow(foreign);
});
