import { expect } from 'vitest';
import type { Store, StoreDefect } from '../../contracts/store.ts';
import { repairStore } from '../../index/repair.ts';
import { verifyStore } from '../../index/verify.ts';
import { putDocument } from '../../index/write.ts';
import { chunkEntries, documentRecord, manifestEntry, unitVector } from '../../testing/documents.ts';

const space = 'space/1';
const texts: ReadonlyMap<string, readonly string[]> = new Map([
  ['a.md', ['alpha granite', 'beta']],
  ['sub/b.md', ['gamma', 'delta']],
]);

/** Something that is done to a store behind its back, and what is then to be found and mended. */
export interface Damage<Doing> {
  readonly name: string;
  readonly damage: Doing;
  /** Kind and path of each defect. */
  readonly found: readonly string[];
  readonly removed?: readonly string[];
  /** Vectors that have to be made again. */
  readonly lost?: number;
  /** Whether it can only be filled again. */
  readonly isBeyondRepair?: boolean;
}

/** Fills a store, has it damaged, and sees that all of the damage is found, repaired, and nothing else lost. */
export async function checkDamage<Doing>(
  open: () => Store | Promise<Store>,
  { damage, found, removed = [], lost = 0, isBeyondRepair = false }: Damage<Doing>,
  apply: (damage: Doing) => unknown,
): Promise<void> {
  const store = await open();
  try {
    for (const [uri, each] of texts) {
      const document = documentRecord(uri);
      const entries = chunkEntries(document, each);
      const vectors = entries.map(({ chunk, embeddingKey }) => ({
        embeddingKey,
        vector: unitVector(chunk.text, 8),
      }));
      const manifest = manifestEntry(uri, { chunks: each.length });
      await putDocument(store, { document, chunks: entries, manifest, vectors: new Map([[space, vectors]]) });
    }
    expect(await defectsOf(verifyStore(store))).toEqual([]);
    await apply(damage);
    const defects = await defectsOf(verifyStore(store));
    const named = defects.map(({ kind, uri }) => (uri === undefined ? kind : `${kind} ${uri}`));
    expect([...new Set(named)], JSON.stringify(defects)).toEqual(found);
    const repair = await repairStore(store);
    expect(repair).toMatchObject({ isBeyondRepair });
    if (isBeyondRepair) return;
    expect(repair.removed).toEqual(removed);
    expect(repair.repaired).toEqual(expect.arrayContaining(defects));
    expect(await defectsOf(verifyStore(store))).toEqual([]);
    expect(await store.missingVectors(space, 10)).toHaveLength(lost);
    for (const [uri, each] of texts) {
      const isThere = (await store.paths()).includes(uri);
      for (const text of each) {
        const match = await store.searchText(text.split(' '), { limit: 5 });
        expect(match.map(({ document }) => document.uri)).toEqual(isThere ? [uri] : []);
      }
    }
  } finally {
    await store.close();
  }
}

/** Every defect that is emitted. */
export async function defectsOf(emitted: AsyncIterable<StoreDefect>): Promise<StoreDefect[]> {
  const defects: StoreDefect[] = [];
  for await (const defect of emitted) defects.push(defect);
  return defects;
}
