import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import type { ManifestEntry, Store } from '../../../../contracts/store.ts';
import { temporaryFolder } from '../../../../testing/temporary-folder.ts';
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

test('gives the very same lists while nobody changes the index, facts aside', async () => {
  const store = open(await indexFile());
  await store.putManifest([entry('a.md')]);
  const manifest = await store.manifest();
  const paths = await store.paths();
  await store.setFact('synced-at', '1');
  expect(await store.manifest()).toBe(manifest);
  expect(await store.paths()).toBe(paths);
});

test('sees its own changes, those of another connection and those that move no revision', async () => {
  const path = await indexFile();
  const store = open(path);
  const other = open(path);
  await store.putManifest([entry('a.md')]);
  expect(await urisOf(store)).toEqual(['a.md']);
  await other.putManifest([entry('b.md')]);
  expect(await urisOf(store)).toEqual(['a.md', 'b.md']);
  const raw = new DatabaseSync(path);
  raw.exec("DELETE FROM manifest WHERE uri = 'a.md'");
  raw.close();
  expect(await urisOf(store)).toEqual(['b.md']);
  await store.deletePaths(['b.md']);
  expect(await urisOf(store)).toEqual([]);
});

test('keeps no list over a fact that is written while another connection changes the list', async () => {
  const path = await indexFile();
  const store = open(path);
  const other = open(path);
  await store.putManifest([entry('a.md')]);
  await store.manifest();
  await other.putManifest([entry('b.md')]);
  await store.setFact('synced-at', '1');
  expect(await urisOf(store)).toEqual(['a.md', 'b.md']);
  await Promise.all([store.setFact('synced-at', '2'), store.putManifest([entry('c.md')])]);
  expect(await urisOf(store)).toEqual(['a.md', 'b.md', 'c.md']);
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
  await store.putManifest(entries);
  expect(await store.manifest()).toEqual(entries);
});
