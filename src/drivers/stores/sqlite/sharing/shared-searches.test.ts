import { renameSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { test as anywhere, beforeEach, expect, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { putDocument } from '../../../../index/write.ts';
import { systemClock } from '../../../../platform/clock.ts';
import { threadFile } from '../../../../platform/package-folder.ts';
import { createThread } from '../../../../platform/threads/thread.ts';
import { chunkEntries, documentRecord } from '../../../../testing/documents.ts';
import { Connection } from '../file/connection.ts';
import { openSqliteStore } from '../store.ts';
import { searchText } from '../text/text-index.ts';
import { type SharedRequest, SharedSearches } from './shared-searches.ts';

// One core alone has no use for a second thread.
const test = anywhere.skipIf(availableParallelism() < 2);
const key = new Uint8Array(32);
const bounds = { limit: 10 };

let folder: string;
/** What the second thread was asked. */
let asked: SharedRequest[];
/** Whether it fails from now on. */
let isBroken: boolean;
let searches: SharedSearches;

beforeEach(async () => {
  folder = await temporaryFolder();
  asked = [];
  isBroken = false;
  const thread = createThread<SharedRequest, string>({
    file: threadFile('drivers/stores/sqlite/sharing/search-thread'),
  });
  onTestFinished(() => thread.end());
  const watched = {
    end: () => thread.end(),
    call: (request: SharedRequest) => {
      asked.push(request);
      return isBroken ? Promise.reject(new Error('broken')) : thread.call(request);
    },
  };
  // Each look at it is a second later, so that searches which wait for each other take long.
  let time = 0;
  const clock = { ...systemClock, now: () => (time += 1_000) };
  searches = new SharedSearches(async () => watched, clock);
});

async function filled(name: string, uri: string): Promise<Connection> {
  const path = join(folder, name);
  await write(path, uri, 'a heron on the shore');
  const connection = new Connection(path, { key });
  onTestFinished(() => connection.close());
  return connection;
}

async function write(path: string, uri: string, text: string): Promise<void> {
  const store = openSqliteStore(path, { key });
  const document = documentRecord(uri);
  await putDocument(store, { document, chunks: chunkEntries(document, [text]) });
  await store.close();
}

const search = (file: Connection, words = ['heron']) =>
  searches.run(file, { words, bounds }, () => searchText(file, words, bounds));
const lent = () => asked.filter((request) => 'file' in request).length;

/** Asks all of them at once until the second thread has taken some. */
async function askedTogether(files: readonly Connection[]): Promise<string[][]> {
  for (let round = 0; round < 500; round += 1) {
    const before = lent();
    const answers = await Promise.all(files.map((file) => search(file)));
    if (lent() > before) return answers.map((matches) => matches.map(({ document }) => document.uri));
    await systemClock.wait(10);
  }
  throw new Error('the second thread took none');
}

test('answers alike in both threads, and sees what was written before', async () => {
  const uris = ['a.md', 'b.md', 'c.md', 'd.md'];
  const files = await Promise.all(uris.map((uri) => filled(`${uri}.sqlite`, uri)));
  expect(await askedTogether(files)).toEqual(uris.map((uri) => [uri]));
  for (const file of files) await write(file.path, 'new.md', 'another heron');
  for (const uris of await askedTogether(files)) expect(uris).toContain('new.md');
  const [file] = files;
  if (!file) throw new Error('no file');
  const [[here], [there]] = await Promise.all([
    file.read(() => searchText(file, ['heron'], bounds)),
    search(file),
  ]);
  expect(there).toEqual(here);
});

test('does here what the second thread cannot', async () => {
  const files = await Promise.all(['a.md', 'b.md', 'c.md'].map((uri) => filled(`${uri}.sqlite`, uri)));
  await askedTogether(files);
  isBroken = true;
  expect(await askedTogether(files)).toEqual([['a.md'], ['b.md'], ['c.md']]);
});

test('gives a failure to who asked, and others their answers', async () => {
  const [torn, other] = await Promise.all([filled('torn.sqlite', 'a.md'), filled('other.sqlite', 'b.md')]);
  const failing = searches.run(torn, { words: [], bounds }, () => {
    throw new Error('torn');
  });
  const answers = [failing, search(other)];
  await expect(failing).rejects.toThrow('torn');
  expect(await answers[1]).toHaveLength(1);
});

test('has the second thread close a file with its store, and never answers from another one in its place', async () => {
  const files = await Promise.all(['a.md', 'b.md', 'c.md'].map((uri) => filled(`${uri}.sqlite`, uri)));
  await askedTogether(files);
  const last = files[2];
  if (!last) throw new Error('no file');
  await searches.release(last);
  expect(asked).toContainEqual({ close: last.path });
  if (process.platform === 'win32') return;
  // Its connection reads on from the file that it has; a new one sees the other.
  for (const end of ['', '-wal', '-shm']) rmSync(`${last.path}.away${end}`, { force: true });
  renameSync(last.path, `${last.path}.away`);
  for (const end of ['-wal', '-shm']) rmSync(`${last.path}${end}`, { force: true });
  const replaced = await filled('c.md.sqlite', 'other.md');
  expect(await askedTogether([...files.slice(0, 2), replaced])).toEqual([['a.md'], ['b.md'], ['other.md']]);
});

test('sends the key of a file alone, and nothing that happens to lie beside it in memory', async () => {
  const pool = new Uint8Array(4_096);
  const path = join(folder, 'pooled');
  await write(path, 'a.md', 'a heron on the shore');
  const file = new Connection(path, { key: pool.subarray(64, 96) });
  onTestFinished(() => file.close());
  await askedTogether([file, await filled('other', 'b.md'), await filled('third', 'c.md')]);
  const keys = asked.flatMap((request) => ('file' in request ? request.file.key : []));
  expect(new Set(keys.map(({ buffer }) => buffer.byteLength))).toEqual(new Set([32]));
});
