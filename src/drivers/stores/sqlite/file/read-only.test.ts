import { chmodSync, copyFileSync, renameSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asOrdinaryUser } from '../../../../../test/ordinary-user.ts';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { verifyStore } from '../../../../index/verify.ts';
import { addVectors, putDocument, setFact } from '../../../../index/write.ts';
import { angleVector, chunkEntries, documentRecord } from '../../../../testing/documents.ts';
import { openSqliteStore, type SqliteStore } from '../store.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder, 'index.sqlite');
  const store = openSqliteStore(path);
  await putAlpha(store);
  await store.close();
});

// Windows keeps folders writable.
describe.skipIf(process.platform === 'win32')('an index that may not be written', () => {
  afterEach(() => {
    chmodSync(folder, 0o755);
    chmodSync(path, 0o644);
  });

  test.each([
    { what: 'in a folder that may not be written either', file: 0o444, around: 0o555 },
    { what: 'in a folder that may be written', file: 0o444, around: 0o777 },
  ])('can be searched and verified $what', async ({ file, around }) => {
    chmodSync(path, file);
    chmodSync(folder, around);
    await asOrdinaryUser(folder, async () => {
      const store = openSqliteStore(path);
      await expectAlpha(store);
      await expectRefusedWriting(store);
      await store.close();
    });
  });

  test('shows what a process that may write it commits meanwhile', async () => {
    const writer = openSqliteStore(path);
    chmodSync(path, 0o444);
    chmodSync(folder, 0o555);
    const reader = await asOrdinaryUser(folder, async () => openSqliteStore(path));
    await setFact(writer, 'name', 'new');
    await asOrdinaryUser(folder, async () => {
      expect((await reader.state()).facts.get('name')).toBe('new');
      await expectRefusedWriting(reader);
      await reader.close();
    });
    await writer.close();
  });

  test('keeps no answer of a file that another one replaced, though that was changed as often', async () => {
    const [mine, other] = [join(folder, 'mine.sqlite'), join(folder, 'other.sqlite')];
    for (const [place, uri, angle] of [[mine, 'a.md', 10] as const, [other, 'b.md', 80] as const]) {
      const store = openSqliteStore(place);
      await putText(store, uri, angle);
      await store.close();
      chmodSync(place, 0o444);
    }
    chmodSync(folder, 0o555);
    const reader = await asOrdinaryUser(folder, async () => openSqliteStore(mine));
    const read = () =>
      asOrdinaryUser(folder, async () => {
        const [nearest] = await reader.searchVector('space', angleVector(0), { limit: 1 });
        return { paths: await reader.paths(), isNear: (nearest?.score ?? 0) > 0.9 };
      });
    expect(await read()).toEqual({ paths: ['a.md'], isNear: true });
    // A time of its own, on file systems that keep whole seconds.
    chmodSync(folder, 0o755);
    utimesSync(other, 1, 1);
    renameSync(other, mine);
    chmodSync(folder, 0o555);
    expect(await read()).toEqual({ paths: ['b.md'], isNear: false });
    await reader.close();
  });

  test('is not made where there is none', async () => {
    chmodSync(folder, 0o555);
    await asOrdinaryUser(folder, async () => {
      expect(() => openSqliteStore(join(folder, 'other.sqlite'))).toThrow(
        expect.objectContaining({ code: 'store-unusable' }),
      );
    });
  });
});

describe('an index opened as one that nobody writes', () => {
  test('can be searched and verified, and refuses to be written', async () => {
    const store = openSqliteStore(path, { still: true });
    await expectAlpha(store);
    await expectRefusedWriting(store);
    await store.close();
  });

  test('is opened again as soon as somebody writes it after all', async () => {
    const reader = openSqliteStore(path, { still: true });
    expect((await reader.state()).facts.get('name')).toBeUndefined();
    const writer = openSqliteStore(path);
    await setFact(writer, 'name', 'new');
    expect((await reader.state()).facts.get('name')).toBe('new');
    await setFact(writer, 'name', 'newer');
    await writer.close();
    expect((await reader.state()).facts.get('name')).toBe('newer');
    await reader.close();
  });

  test('is refused where a killed writer left something unfinished', async () => {
    const writer = openSqliteStore(path);
    await setFact(writer, 'name', 'new');
    const copy = join(await temporaryFolder(), 'index.sqlite');
    copyFileSync(path, copy);
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    await writer.close();
    expect(() => openSqliteStore(copy, { still: true })).toThrow(
      expect.objectContaining({
        code: 'store-unusable',
        remedy: 'Make the folder writable and run: quarry status',
      }),
    );
    const store = openSqliteStore(copy);
    expect((await store.state()).facts.get('name')).toBe('new');
    await store.close();
  });
});

function putAlpha(store: SqliteStore): Promise<void> {
  return putText(store, 'a.md', 10);
}

async function putText(store: SqliteStore, uri: string, angle: number): Promise<void> {
  const document = documentRecord(uri);
  const entries = chunkEntries(document, ['alpha']);
  await putDocument(store, { document, chunks: entries });
  await addVectors(
    store,
    'space',
    entries.map(({ embeddingKey }) => ({ embeddingKey, vector: angleVector(angle) })),
  );
}

async function expectAlpha(store: SqliteStore): Promise<void> {
  const byText = await store.searchText(['alpha'], { limit: 5 });
  const byVector = await store.searchVector('space', angleVector(0), { limit: 5 });
  expect([...byText, ...byVector].map(({ chunk }) => chunk.text)).toEqual(['alpha', 'alpha']);
  for await (const defect of verifyStore(store)) expect.fail(defect.detail);
}

async function expectRefusedWriting(store: SqliteStore): Promise<void> {
  await expect(putAlpha(store)).rejects.toMatchObject({
    code: 'store-unusable',
    remedy: 'Make the file and its folder writable, then try again.',
  });
}
