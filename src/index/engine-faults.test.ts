import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Store } from '../contracts/store.ts';
import type { VectorEngine } from '../contracts/vector-engine.ts';
import { QuarryError } from '../core/errors.ts';
import { openSqliteStore } from '../drivers/stores/sqlite/store.ts';
import { angleVector, chunkEntries, documentRecord, unitVector } from '../testing/documents.ts';
import { type EngineMemory, memoryEngine } from './memory-engine.fixture.ts';
import { copyMovedVectors } from './moved-vectors.ts';
import { repairStore } from './repair.ts';
import { pendingIn } from './state.ts';
import { verifyStore } from './verify.ts';
import { withVectorEngine } from './with-vector-engine.ts';
import { addVectors, deletePaths, dropSpace, putDocument } from './write.ts';

const space = 'model/1';
const unreachable = () => new QuarryError('provider-unreachable', 'Nothing answers.', 'Start it.');

/** An index in this folder, with these parts of its engine changed. */
function open(folder: string, memory: EngineMemory, changes: Partial<VectorEngine> = {}): Store {
  const table = openSqliteStore(join(folder, 'text.sqlite'));
  const store = withVectorEngine(table, { ...memoryEngine(memory), ...changes }, folder);
  onTestFinished(() => store.close());
  return store;
}

async function put(store: Store, uri: string, texts: readonly string[]) {
  const document = documentRecord(uri);
  const entries = chunkEntries(document, texts);
  await putDocument(store, { document, chunks: entries });
  return entries.map(({ chunk, embeddingKey }) => ({ embeddingKey, vector: unitVector(chunk.text, 8) }));
}

async function nearest(store: Store, text: string, limit = 9): Promise<string[]> {
  const found = await store.searchVector(space, unitVector(text, 8), { limit });
  return found.map(({ chunk }) => chunk.text);
}

async function tidy(store: Store): Promise<void> {
  for await (const _ of store.prepareSearch?.(space) ?? []);
}

const pendingOf = async (store: Store) => pendingIn(await store.state(), space);
const keysIn = (memory: EngineMemory) => [...memory.values()].flatMap((known) => [...known.keys()]);

test('a process that is killed before it has marked its vectors leaves their texts pending, and what nobody marks is removed', async () => {
  const [folder, memory]: [string, EngineMemory] = [await temporaryFolder(), new Map()];
  const store = open(folder, memory);
  const [one, two] = await put(store, 'a.md', ['one', 'two']);
  await addVectors(
    store,
    space,
    [one, two].filter((entry) => entry !== undefined),
  );
  const killed = {
    upsert: async (...given: Parameters<VectorEngine['upsert']>) => {
      await memoryEngine(memory).upsert(...given);
      throw unreachable();
    },
  };
  const [, lost] = await put(store, 'b.md', ['one', 'three']);
  await expect(addVectors(open(folder, memory, killed), space, lost ? [lost] : [])).rejects.toThrow();
  expect(keysIn(memory)).toHaveLength(3);
  expect(await pendingOf(store)).toBe(1);
  await tidy(store);
  expect(keysIn(memory)).toHaveLength(2);
  expect(await nearest(store, 'one')).toEqual(['one', 'one', 'two']);
});

test('what leaves the index leaves the engine with the next run, and nothing else does', async () => {
  const [folder, memory]: [string, EngineMemory] = [await temporaryFolder(), new Map()];
  const store = open(folder, memory);
  await addVectors(store, space, await put(store, 'a.md', ['one', 'shared']));
  await addVectors(store, space, await put(store, 'b.md', ['two', 'shared', 'three']));
  await put(store, 'b.md', ['three']);
  await deletePaths(store, ['a.md']);
  expect(keysIn(memory)).toHaveLength(4);
  expect(await nearest(store, 'one')).toEqual(['three']);
  const other = open(folder, memory, {
    // biome-ignore lint/correctness/useYield: it must not be asked.
    async *keys() {
      throw new Error('All keys are read.');
    },
  });
  // Another process knows only that there are too many, and looks at all of them.
  await expect(tidy(other)).rejects.toThrow('All keys are read.');
  await tidy(store);
  expect(keysIn(memory)).toHaveLength(1);
  await tidy(other);
});

test('nothing is removed while another process sends vectors that it has not marked yet', async () => {
  const [folder, memory]: [string, EngineMemory] = [await temporaryFolder(), new Map()];
  const store = open(folder, memory);
  const vectors = await put(store, 'a.md', ['one', 'two']);
  await addVectors(store, space, vectors.slice(0, 1));
  const [isSent, mayMark] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const sending = addVectors(
    open(folder, memory, {
      async upsert(...given) {
        const isThere = await memoryEngine(memory).upsert(...given);
        isSent.resolve();
        await mayMark.promise;
        return isThere;
      },
    }),
    space,
    vectors.slice(1),
  );
  await isSent.promise;
  await tidy(store);
  mayMark.resolve();
  await sending;
  await tidy(store);
  expect(await nearest(store, 'two')).toEqual(['two', 'one']);
});

test.each([
  ['all', (memory: EngineMemory) => memory.clear()],
  ['one of them', (memory: EngineMemory) => [...memory.values()][0]?.delete(keysIn(memory)[0] ?? '')],
])('vectors that the engine has lost, %s, are noticed and made again', async (_, lose) => {
  const [folder, memory]: [string, EngineMemory] = [await temporaryFolder(), new Map()];
  const store = open(folder, memory);
  const vectors = await put(store, 'a.md', ['one', 'two']);
  await addVectors(store, space, vectors);
  lose(memory);
  const defects = [];
  for await (const defect of verifyStore(store)) defects.push(defect);
  expect(defects.length).toBeGreaterThan(0);
  for (const { kind, detail } of defects)
    expect([kind, detail]).toEqual(['vector', expect.stringContaining('is counted, but not there')]);
  const lost = { code: 'provider-refused', remedy: expect.stringContaining('quarry index') };
  await expect(tidy(store)).rejects.toMatchObject(lost);
  expect(await pendingOf(store)).toBe(2);
  await addVectors(store, space, vectors);
  expect(await nearest(store, 'two')).toEqual(['two', 'one']);
  await tidy(store);
  expect(memory.size).toBe(1);
});

test('repair keeps the vectors that the engine still has, and has only the lost ones made again', async () => {
  const [folder, memory]: [string, EngineMemory] = [await temporaryFolder(), new Map()];
  const store = open(folder, memory);
  await addVectors(store, space, await put(store, 'a.md', ['one', 'two']));
  [...memory.values()][0]?.delete(keysIn(memory)[0] ?? '');
  expect(await repairStore(store)).toMatchObject({ removed: [], isBeyondRepair: false });
  for await (const defect of verifyStore(store)) expect.fail(defect.detail);
  expect(await pendingOf(store)).toBe(1);
  expect(await nearest(store, 'two')).toHaveLength(1);
});

test('a search notices that the engine has lost all vectors, and so does who adds some', async () => {
  const [folder, memory]: [string, EngineMemory] = [await temporaryFolder(), new Map()];
  const store = open(folder, memory);
  const vectors = await put(store, 'a.md', ['one', 'two']);
  for (const notice of [() => nearest(store, 'one'), () => addVectors(store, space, vectors.slice(1))]) {
    await addVectors(store, space, vectors.slice(0, 1));
    expect(await pendingOf(store)).toBe(1);
    memory.clear();
    await expect(notice()).rejects.toMatchObject({ code: 'provider-refused' });
    expect(await pendingOf(store)).toBe(2);
    expect(await nearest(store, 'one')).toEqual([]);
  }
});

test('a copy of an index has vectors of its own, and neither takes any from the other', async () => {
  const [folder, memory]: [string, EngineMemory] = [await temporaryFolder(), new Map()];
  const store = open(folder, memory);
  const vectors = await put(store, 'a.md', ['one', 'two']);
  await addVectors(store, space, vectors);
  await store.close();
  const place = await temporaryFolder();
  await cp(folder, place, { recursive: true });
  const [first, copy] = [open(folder, memory), open(place, memory)];
  expect([await pendingOf(first), await pendingOf(copy)]).toEqual([0, 2]);
  await addVectors(copy, space, vectors.slice(1));
  await deletePaths(copy, ['a.md']);
  await tidy(copy);
  expect(await nearest(copy, 'one')).toEqual([]);
  expect(await nearest(first, 'one')).toEqual(['one', 'two']);
});

test('an engine that cannot be reached keeps no text from being stored, moved or removed', async () => {
  const [folder, memory]: [string, EngineMemory] = [await temporaryFolder(), new Map()];
  const fail = async () => {
    throw unreachable();
  };
  const store = open(folder, memory);
  const [one] = await put(store, 'a.md', ['one']);
  await addVectors(store, space, one ? [one] : []);
  const cut = open(folder, memory, { read: fail, count: fail, drop: fail, spaces: fail });
  const [two] = await put(cut, 'b.md', ['two']);
  await copyMovedVectors(cut, [{ from: one?.embeddingKey ?? '', to: two?.embeddingKey ?? '' }]);
  expect(await pendingOf(cut)).toBe(1);
  await deletePaths(cut, ['a.md']);
  await tidy(cut);
  await dropSpace(cut, space);
  expect([await cut.paths(), [...(await cut.state()).spaces.keys()], memory.size]).toEqual([['b.md'], [], 1]);
  // What could not be dropped goes when somebody reaches it.
  await addVectors(store, space, two ? [two] : []);
  await tidy(store);
  expect(memory.size).toBe(1);
});

test('a filter that admits few finds them without asking for all, and one that admits many asks for more until enough pass', async () => {
  const [folder, memory]: [string, EngineMemory] = [await temporaryFolder(), new Map()];
  const asked: number[] = [];
  const store = open(folder, memory, {
    async nearest(name, vector, limit) {
      asked.push(limit);
      return memoryEngine(memory).nearest(name, vector, limit);
    },
  });
  // The first thousand are the nearest, and of another type than the second.
  for (const [type, first] of [
    ['near', 0],
    ['far', 90],
  ] as const) {
    const document = documentRecord(`${type}.md`, { type });
    const entries = chunkEntries(
      document,
      Array.from({ length: 1000 }, (_, at) => `${type} ${at}`),
    );
    const vectors = entries.map(({ embeddingKey }, at) => ({
      embeddingKey,
      vector: angleVector(first + at / 20),
    }));
    await putDocument(store, { document, chunks: entries, vectors: new Map([[space, vectors]]) });
  }
  await addVectors(
    store,
    space,
    (await put(store, 'few.txt', ['few'])).map(({ embeddingKey }) => ({
      embeddingKey,
      vector: angleVector(170),
    })),
  );
  const search = async (filter: { types?: string[]; paths?: string[] }) =>
    (await store.searchVector(space, angleVector(0), { limit: 3, filter })).map(({ chunk }) => chunk.text);
  expect(await search({ paths: ['*.txt'] })).toEqual(['few']);
  expect(asked).toEqual([]);
  expect(await search({ types: ['near'] })).toEqual(['near 0', 'near 1', 'near 2']);
  expect(asked.splice(0)).toEqual([3]);
  expect(await search({ types: ['far'] })).toEqual(['far 0', 'far 1', 'far 2']);
  expect(asked).toEqual([3, 12, 48, 192, 768, 3072]);
});

test('documents that are put at once share calls to the engine, and come into the index in their order', async () => {
  const [folder, memory]: [string, EngineMemory] = [await temporaryFolder(), new Map()];
  let calls = 0;
  const store = open(folder, memory, {
    async upsert(...given) {
      calls += 1;
      await new Promise((resolve) => setImmediate(resolve));
      return memoryEngine(memory).upsert(...given);
    },
  });
  const uris = Array.from({ length: 20 }, (_, number) => `f${number}.md`);
  await Promise.all(
    uris.map((uri, number) => {
      const document = documentRecord(uri);
      const entries = chunkEntries(document, [`heron ${number + 100}`]);
      const vectors = entries.map(({ embeddingKey }) => ({ embeddingKey, vector: unitVector(uri, 8) }));
      // Every third one has no vectors to wait for.
      return putDocument(store, {
        document,
        chunks: entries,
        vectors: new Map(number % 3 === 0 ? [] : [[space, vectors]]),
      });
    }),
  );
  expect(calls).toBeLessThan(5);
  const found = await store.searchText(['heron'], { limit: 20 });
  expect(found.map(({ document }) => document.uri)).toEqual(uris);
});

test('a search says why the engine may not be asked, or does not answer, also where it has no vector yet', async () => {
  const store = open(await temporaryFolder(), new Map(), { count: () => Promise.reject(unreachable()) });
  await put(store, 'a.md', ['one']);
  await expect(nearest(store, 'one')).rejects.toThrow('Nothing answers.');
  const answering = open(await temporaryFolder(), new Map());
  await put(answering, 'a.md', ['one']);
  expect(await nearest(answering, 'one')).toEqual([]);
});
