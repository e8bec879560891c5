import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../contracts/store.ts';
import { openSqliteStore } from '../../drivers/stores/sqlite/store.ts';
import { chunkEntries, documentRecord } from '../../testing/documents.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { carryOver } from './carry-over.ts';

let former: Store;
let next: Store;

beforeEach(async () => {
  const folder = await temporaryFolder();
  [former, next] = ['former', 'next'].map((name) => openSqliteStore(join(folder, `${name}.sqlite`))) as [
    Store,
    Store,
  ];
  onTestFinished(async () => {
    await former.close();
    await next.close();
  });
});

async function add(store: Store, name: string, text: string, modifiedAt = 1): Promise<void> {
  const document = documentRecord(`virtual:${name}`, { origin: 'virtual', revision: text, modifiedAt });
  await store.put(document, chunkEntries(document, [text]));
}

/** Names and texts of what was added to a store. */
async function contentOf(store: Store): Promise<Record<string, string>> {
  const documents = await store.documents({ origins: ['virtual'] });
  return Object.fromEntries(documents.map(({ uri, revision }) => [uri.slice('virtual:'.length), revision]));
}

test('what came, changed or went in the former index does so in the new one', async () => {
  for (const store of [former, next]) {
    await add(store, 'same', 'one');
    await add(store, 'changed', 'one');
    await add(store, 'gone', 'one');
  }
  await add(former, 'changed', 'two', 2);
  await add(former, 'new', 'one');
  await former.deletePaths(['virtual:gone']);
  await carryOver(former, next);
  expect(await contentOf(next)).toEqual({ same: 'one', changed: 'two', new: 'one' });
  expect((await next.searchText(['two'], { limit: 5 })).map(({ document }) => document.uri)).toEqual([
    'virtual:changed',
  ]);
});

describe('a second look', () => {
  test('brings what has changed in the former index since the first one', async () => {
    await add(former, 'gone', 'one');
    const carried = await carryOver(former, next);
    await add(former, 'new', 'one');
    await former.deletePaths(['virtual:gone']);
    await carryOver(former, next, carried);
    expect(await contentOf(next)).toEqual({ new: 'one' });
  });

  test('undoes nothing that somebody did to the new index meanwhile', async () => {
    for (const name of ['removed', 'changed', 'both']) await add(former, name, 'one');
    const carried = await carryOver(former, next);
    await next.deletePaths(['virtual:removed']);
    await add(next, 'changed', 'two', 2);
    await add(next, 'own', 'one');
    await add(former, 'both', 'two', 2);
    await add(next, 'both', 'three', 3);
    await carryOver(former, next, carried);
    expect(await contentOf(next)).toEqual({ changed: 'two', own: 'one', both: 'three' });
  });
});
