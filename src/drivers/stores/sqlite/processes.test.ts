import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chunksOf } from '../../../index/chunks-of.ts';
import { addVectors, putDocument, setFact } from '../../../index/write.ts';
import { angleVector, chunkEntries, documentRecord } from '../../../testing/documents.ts';
import { checkPausedWriter } from '../paused-writer.fixture.ts';
import { openSqliteStore } from './store.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-processes-'));
  path = join(folder, 'index.sqlite');
});
afterEach(() => rm(folder, { recursive: true }));

test.each([3, 20, 45])(
  'a writer killed after %i documents loses none of them, and leaves none in half',
  async (count) => {
    const child = startWriter(`
    for (let number = 0; ; number += 1) {
      const document = documentRecord('file' + number + '.md');
      await putDocument(store, { document, chunks: chunkEntries(document, texts(number)) });
      say(document.uri);
    }`);
    const committed: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      committed.push(line);
      if (committed.length === count) child.kill('SIGKILL');
    }
    const store = openSqliteStore(path);
    const paths = new Set(await store.paths());
    expect(committed.filter((uri) => !paths.has(uri))).toEqual([]);
    for (const uri of paths) {
      const chunks = await chunksOf(store, documentRecord(uri).id);
      expect(chunks).toHaveLength(8);
    }
    expect(await store.searchText(['common'], { limit: 100_000 })).toHaveLength(paths.size * 8);
    await setFact(store, 'still', 'writable');
    await store.close();
    expect(integrity()).toBe('ok');
  },
);

test('a writer that was paused until another took over gets nothing in', async () => {
  await checkPausedWriter({ driver: 'sqlite' });
});

test('a reader sees the whole old or the whole new document while another process replaces it', async () => {
  const reader = openSqliteStore(path);
  const child = startWriter(`
    for (let number = 0; number < 60; number += 1) {
      const document = documentRecord('a.md');
      await putDocument(store, { document, chunks: chunkEntries(document, texts(number)) });
      say('put');
    }
    await store.close();`);
  const document = documentRecord('a.md');
  const seen = new Set<string>();
  const exit = once(child, 'exit');
  await once(child.stdout, 'data');
  child.stdout.resume();
  while (child.exitCode === null && child.signalCode === null) {
    const chunks = await chunksOf(reader, document.id);
    const versions = new Set(chunks.map(({ text }) => text.split(' ')[0]));
    expect([chunks.length, versions.size]).toEqual([8, 1]);
    seen.add([...versions].join());
    await new Promise((resolve) => setImmediate(resolve));
  }
  await exit;
  expect(child.exitCode).toBe(0);
  expect(seen.size).toBeGreaterThan(0);
  await reader.close();
});

test('a search sees the vectors that another process adds and removes', async () => {
  const store = openSqliteStore(path);
  const document = documentRecord('a.md');
  const entries = chunkEntries(document, ['first', 'second']);
  await putDocument(store, { document, chunks: entries });
  const [first, second] = entries.map(({ embeddingKey }) => embeddingKey);
  await addVectors(store, 'space', [{ embeddingKey: first ?? '', vector: angleVector(90) }]);
  const search = async () =>
    (await store.searchVector('space', angleVector(0), { limit: 5 })).map(({ chunk }) => chunk.text);
  expect(await search()).toEqual(['first']);
  await runWriter(`
    await addVectors(store, 'space', [{ embeddingKey: '${second}', vector: Float32Array.of(1, 0) }]);`);
  expect(await search()).toEqual(['second', 'first']);
  await runWriter(`
    const document = documentRecord('a.md');
    await putDocument(store, { document, chunks: chunkEntries(document, ['second']) });`);
  expect(await search()).toEqual(['second']);
  await store.close();
});

test('processes that make the same store at once all succeed', async () => {
  const numbers = [0, 1, 2, 3];
  await Promise.all(
    numbers.map((number) =>
      runWriter(`
        const document = documentRecord('file${number}.md');
        await putDocument(store, { document, chunks: chunkEntries(document, texts(${number})) });`),
    ),
  );
  const store = openSqliteStore(path);
  expect(await store.paths()).toEqual(numbers.map((number) => `file${number}.md`));
  await store.close();
});

function startWriter(body: string): ChildProcessByStdio<null, Readable, null> {
  const script = `
    import { writeSync } from 'node:fs';
    import { openSqliteStore } from ${moduleUrl('./store.ts')};
    import { chunkEntries, documentRecord } from ${moduleUrl('../../../testing/documents.ts')};
    const say = (line) => writeSync(1, line + '\\n');
    import { addVectors, putDocument } from ${moduleUrl('../../../index/write.ts')};
    const texts = (number) => Array.from({ length: 8 }, (_, part) => 'version' + number + ' part ' + part + ' common');
    const store = openSqliteStore(${JSON.stringify(path)});
    ${body}`;
  const flags = [
    '--experimental-strip-types',
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
  ];
  return spawn(process.execPath, [...flags, '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function runWriter(body: string): Promise<void> {
  const [code] = await once(startWriter(`${body}\nawait store.close();`), 'exit');
  expect(code).toBe(0);
}

function moduleUrl(relative: string): string {
  return JSON.stringify(new URL(relative, import.meta.url).href);
}

function integrity(): unknown {
  const database = new DatabaseSync(path);
  const row = database.prepare('PRAGMA integrity_check').get();
  database.close();
  return row?.integrity_check;
}
