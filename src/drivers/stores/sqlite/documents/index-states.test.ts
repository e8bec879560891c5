import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import type { ManifestEntry, Store } from '../../../../contracts/store.ts';
import { deletePaths, putManifest, setFact } from '../../../../index/write.ts';
import { openSqliteStore } from '../store.ts';

function entry(uri: string, extra: Partial<ManifestEntry> = {}): ManifestEntry {
  const file = { size: 3, modifiedAt: 7, contentHash: 'ab', recipe: 'plain', chunks: 0 };
  return { uri, status: 'skipped', ...file, ...extra };
}

async function indexFile(): Promise<string> {
  return join(await temporaryFolder({}), 'index.sqlite');
}

function open(path: string): Store {
  const store = openSqliteStore(path);
  onTestFinished(() => store.close());
  return store;
}

const urisOf = async (store: Store) => (await store.manifest()).map(({ uri }) => uri);

test('gives the very same state while nobody changes the index', async () => {
  const path = await indexFile();
  const store = open(path);
  await setFact(store, 'name', 'value');
  const state = await store.state();
  expect(state).toMatchObject({ isEmpty: true, chunks: 0, facts: new Map([['name', 'value']]) });
  expect(await store.state()).toBe(state);
  const raw = new DatabaseSync(path);
  // What moves no revision is seen too.
  raw.exec("DELETE FROM facts WHERE name = 'name'");
  raw.close();
  expect((await store.state()).facts.size).toBe(0);
});

test('sees its own changes, those of another connection and those that move no revision', async () => {
  const path = await indexFile();
  const store = open(path);
  const other = open(path);
  await putManifest(store, [entry('a.md')]);
  expect(await urisOf(store)).toEqual(['a.md']);
  await putManifest(other, [entry('b.md')]);
  expect(await urisOf(store)).toEqual(['a.md', 'b.md']);
  const raw = new DatabaseSync(path);
  raw.exec("DELETE FROM manifest WHERE uri = 'a.md'");
  raw.close();
  expect(await urisOf(store)).toEqual(['b.md']);
  await deletePaths(store, ['b.md']);
  expect(await urisOf(store)).toEqual([]);
});

test('gives entries of several recipes, with and without a reason, as they were noted', async () => {
  const store = open(await indexFile());
  const entries = [
    entry('a.md', { status: 'indexed', recipe: 'usual', chunks: 2 }),
    entry('b.md', { status: 'indexed', recipe: 'other', reason: 'degraded', detail: 'no \0 text' }),
    entry('c.md', { status: 'failed', recipe: '', reason: 'worker-failed' }),
    entry('d.md', { status: 'indexed', recipe: 'usual', modifiedAt: 1.5 }),
    entry('e\0.md', { recipe: 'with \0 in it' }),
  ];
  await putManifest(store, entries);
  expect(await store.manifest()).toEqual(entries);
});
