import { expect, test } from 'vitest';
import type { LeaseRecord } from '../../contracts/leases.ts';
import { documentId } from '../../core/identity.ts';
import { putDocument } from '../../index/write.ts';
import { documentRecord } from '../../testing/documents.ts';
import { driverContext } from '../../testing/driver-context.ts';
import { leaseConformance } from '../../testing/lease-conformance.ts';
import { storeConformance } from '../../testing/store-conformance.ts';
import { checkDamage, type Damage } from './damage.fixture.ts';
import { type StoredChunk, StoreMemory } from './memory/memory.ts';
import { openMemoryStore } from './memory/store.ts';
import driver from './memory.ts';

for (const { promise, check } of storeConformance) {
  test(promise, async () => {
    const memory = new StoreMemory();
    await check(async () => openMemoryStore(memory));
  });
}

test('keeps nothing once it is closed', async () => {
  const context = driverContext({ stateFolder: '/nowhere' });
  const store = await driver.open({}, context);
  await putDocument(store, { document: documentRecord('a.md'), chunks: [] });
  await store.close();
  expect((await (await driver.open({}, context)).state()).isEmpty).toBe(true);
});

test.each(leaseConformance)('keeps leases of each folder: $promise', async ({ check }) => {
  places += 1;
  const context = (place: string) => driverContext({ stateFolder: `/${place}-${places}` });
  const open = async (name: string, place = 'one') => await driver.lease?.({}, context(place), name);
  await check(async (name) => (await open(name)) as LeaseRecord);
  expect(await (await open('writer', 'other'))?.read()).toBeUndefined();
});
let places = 0;

const a = documentId('a.md');
/** Puts other chunks in place of those of `a.md`. */
const change =
  (changed: (chunk: StoredChunk, at: number) => StoredChunk[]) =>
  ({ documents }: StoreMemory) => {
    const known = documents.get(a);
    if (known) documents.set(a, { ...known, chunks: known.chunks.flatMap(changed) });
  };
const setVector =
  (vector: Float32Array) =>
  ({ documents, spaces }: StoreMemory) =>
    spaces.get('space/1')?.vectors.set(documents.get(a)?.chunks[0]?.embeddingKey ?? '', vector);

test.each<Damage<(memory: StoreMemory) => unknown>>([
  {
    name: 'a text with another letter',
    damage: change((each, at) => [
      at === 0 ? { ...each, chunk: { ...each.chunk, text: 'alpha Granite' } } : each,
    ]),
    found: ['chunk a.md'],
    removed: ['a.md'],
  },
  {
    name: 'a chunk too few',
    damage: change((each, at) => (at === 0 ? [] : [each])),
    found: ['chunk a.md'],
    removed: ['a.md'],
  },
  {
    name: 'the last chunk lost',
    damage: change((each, at) => (at === 1 ? [] : [each])),
    found: ['count a.md'],
    removed: ['a.md'],
  },
  {
    name: 'a chunk of another document',
    damage: ({ documents }) => {
      const [one, other] = [documents.get(a), documents.get(documentId('sub/b.md'))];
      if (one && other) documents.set(a, { ...one, chunks: other.chunks });
    },
    found: ['chunk sub/b.md', 'count a.md'],
    removed: ['a.md', 'sub/b.md'],
  },
  {
    name: 'a text without its words',
    damage: change((each) => [{ ...each, words: new Map() }]),
    found: ['text a.md'],
  },
  {
    name: 'a chunk under the key of another one',
    damage: change((each, at) => [at === 0 ? { ...each, embeddingKey: 'f'.repeat(32) } : each]),
    found: ['chunk a.md'],
  },
  {
    name: 'a document under an id that is not its own',
    damage: ({ documents }) => {
      const known = documents.get(a);
      if (known) documents.set(a, { ...known, document: { ...known.document, uri: 'c.md' } });
    },
    found: ['document c.md', 'orphan a.md'],
    removed: ['c.md'],
  },
  {
    name: 'an entry without its document',
    damage: ({ documents }) => documents.delete(a),
    found: ['orphan a.md'],
  },
  {
    name: 'a vector that is not finite',
    damage: setVector(new Float32Array(8).fill(Number.NaN)),
    found: ['vector a.md'],
    lost: 1,
  },
  { name: 'a vector of zeros', damage: setVector(new Float32Array(8)), found: ['vector a.md'], lost: 1 },
  {
    name: 'a vector of another length',
    damage: setVector(new Float32Array(7).fill(1)),
    found: ['vector a.md'],
    lost: 1,
  },
])('finds and repairs $name', async (damage) => {
  const memory = new StoreMemory();
  await checkDamage(
    () => openMemoryStore(memory),
    damage,
    (apply) => apply(memory),
  );
});
