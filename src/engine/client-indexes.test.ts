import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { putDocument } from '../index/write.ts';
import { documentRecord } from '../testing/documents.ts';
import type { ProjectEntry } from '../user/project-entry.ts';
import { type ClientIndexes, createClientIndexes } from './client-indexes.ts';

const opened: ClientIndexes[] = [];
afterEach(async () => {
  for (const indexes of opened.splice(0)) await indexes.close();
});

async function keeping(): Promise<{ indexes: ClientIndexes; entry: ProjectEntry }> {
  const folder = await temporaryFolder();
  const indexes = createClientIndexes(() => undefined);
  opened.push(indexes);
  return { indexes, entry: { id: 'kept', folder, files: 'remote', isRegistered: true } };
}

/** Work with an index that has begun, and ends when it is told to. */
function longWork(indexes: ClientIndexes, entry: ProjectEntry, name: string) {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const result = indexes.use(entry, name, async (store) => {
    begun.resolve();
    await end.promise;
    return store.paths();
  });
  return { begun: begun.promise, end: end.resolve, result };
}

/** Whatever does not wait for a caller has happened after so many turns. */
async function manyTurns(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await setImmediate();
}

test('an index is not closed under a caller, though it was idle when others began to be closed', async () => {
  const { indexes, entry } = await keeping();
  for (const name of ['index-1', 'index-2'])
    await indexes.use(entry, name, (store) =>
      putDocument(store, { document: documentRecord('a.md'), chunks: [] }),
    );
  const closing = indexes.closeIdle(-1);
  const work = longWork(indexes, entry, 'index-2');
  await closing;
  await work.begun;
  await manyTurns();
  work.end();
  expect(await work.result).toEqual(['a.md']);
});

test('an index is removed when those who work with it are done, and is empty for who comes later', async () => {
  const { indexes, entry } = await keeping();
  await indexes.use(entry, 'index-1', (store) =>
    putDocument(store, { document: documentRecord('a.md'), chunks: [] }),
  );
  await indexes.switchTo(entry, 'index-2');
  const work = longWork(indexes, entry, 'index-1');
  await work.begun;
  const done: string[] = [];
  const removing = indexes.remove(entry, ['index-1']).then(() => done.push('removed'));
  const later = indexes.use(entry, 'index-1', async (store) => {
    done.push('used again');
    return store.paths();
  });
  await manyTurns();
  work.end();
  expect(await work.result).toEqual(['a.md']);
  await removing;
  expect(await later).toEqual([]);
  expect(done).toEqual(['removed', 'used again']);
});

test('closing waits for those who work with an index', async () => {
  const { indexes, entry } = await keeping();
  await indexes.use(entry, 'index-1', (store) =>
    putDocument(store, { document: documentRecord('a.md'), chunks: [] }),
  );
  const work = longWork(indexes, entry, 'index-1');
  await work.begun;
  const closing = indexes.close();
  await manyTurns();
  work.end();
  expect(await work.result).toEqual(['a.md']);
  await closing;
});
