import { rightKey } from '../contracts/record-faults.ts';
import type { Store, StoreDefect, VectorEntry } from '../contracts/store.ts';
import type { DocumentRecord } from '../core/document.ts';
import { messageOf } from '../core/errors.ts';
import { chunksOf } from './chunks-of.ts';
import { type Cure, type Finding, isUnreadable, rebuilding, requireGoing } from './findings.ts';
import { vectorFault } from './inspect-vectors.ts';
import { storedTexts } from './stored-texts.ts';
import { findings } from './verify.ts';
import { addVectors, deletePaths, dropSpace, putDocument, setFact } from './write.ts';

/** One look at what is wrong, further ones at what the first repair brought to light, and one to see that all is well. */
const maxLooks = 5;

/** What repairing an index did. */
export interface StoreRepair {
  /** Defects that were found; all of them are repaired unless it is beyond repair. */
  readonly repaired: readonly StoreDefect[];
  /** Damaged documents that were removed: the next run reads them again. */
  readonly removed: readonly string[];
  /** Whether another index has to be filled in its place. */
  readonly isBeyondRepair: boolean;
}

/** Repairs an index until nothing is wrong with it any more; nobody else may write it meanwhile. */
export async function repairStore(
  store: Store,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<StoreRepair> {
  const repaired = new Map<string, StoreDefect>();
  const removed = new Set<string>();
  const outcome = (isBeyondRepair: boolean): StoreRepair => ({
    repaired: [...repaired.values()],
    removed: [...removed].sort(),
    isBeyondRepair,
  });
  for (let look = 0; look < maxLooks; look += 1) {
    const found: Finding[] = [];
    for await (const finding of findings(store, signal)) found.push(finding);
    if (found.length === 0) found.push(...(await unwritable(store)));
    if (found.length === 0) return outcome(false);
    for (const { defect } of found) repaired.set(JSON.stringify(defect), defect);
    const cures = found.map(({ cure }) => cure).filter(({ step }) => step !== 'rebuild');
    // What the index counts wrongly may be right once the documents are.
    if (cures.length === 0) break;
    try {
      for (const uri of await applyCures(store, cures, signal)) removed.add(uri);
    } catch (thrown) {
      if (!isUnreadable(thrown)) throw thrown;
      break;
    }
  }
  return outcome(true);
}

/** Damage that shows only when a write is tried. */
async function unwritable(store: Store): Promise<Finding[]> {
  try {
    await setFact(store, 'nothing', undefined);
    return [];
  } catch (thrown) {
    if (!isUnreadable(thrown)) throw thrown;
    return [rebuilding({ kind: 'structure', detail: messageOf(thrown) })];
  }
}

/** Returns the uris of the documents that were taken out. */
async function applyCures(
  store: Store,
  cures: readonly Cure[],
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  const removed = new Set<string>();
  const forgotten = new Set<string>();
  const rewritten = new Map<string, DocumentRecord>();
  const spaces = new Set<string>();
  for (const cure of cures) {
    if (cure.step === 'remove') removed.add(cure.uri);
    if (cure.step === 'forget') forgotten.add(cure.uri);
    if (cure.step === 'rewrite') rewritten.set(cure.document.uri, cure.document);
    if (cure.step === 'space') spaces.add(cure.space);
  }
  await deletePaths(store, [...removed, ...forgotten]);
  for (const uri of removed) rewritten.delete(uri);
  await rewriteDocuments(store, [...rewritten.values()], signal);
  for (const space of spaces) await renewSpace(store, space, signal);
  return removed;
}

/** Removes documents and stores them again as they were read, each text under its own key, with the vectors it has there. */
async function rewriteDocuments(
  store: Store,
  documents: readonly DocumentRecord[],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (documents.length === 0) return;
  const noted = new Map((await store.manifest()).map((entry) => [entry.uri, entry]));
  const { spaces } = await store.state();
  for (const document of documents) {
    requireGoing(signal);
    const entries = (await chunksOf(store, document.id)).map((chunk) => ({
      chunk,
      embeddingKey: rightKey(chunk),
    }));
    const keys = entries.map(({ embeddingKey }) => embeddingKey);
    const vectors = new Map<string, VectorEntry[]>();
    for (const space of spaces.keys()) vectors.set(space, await goodVectors(store, space, keys));
    // Not in place of what is there: what is as it was may be kept, wrong as it is.
    await deletePaths(store, [document.uri]);
    await putDocument(store, { document, chunks: entries, manifest: noted.get(document.uri), vectors });
  }
}

/** Copies the good vectors of a space aside and back: its counts are right then, and the others are made again. */
async function renewSpace(store: Store, space: string, signal: AbortSignal | undefined): Promise<void> {
  const aside = `${space} (aside)`;
  await dropSpace(store, aside);
  await copyVectors({ store, space }, { store, space: aside }, signal);
  await dropSpace(store, space);
  // Whatever is asked meanwhile, this is brought to its end: what was copied would be lost.
  await copyVectors({ store, space: aside }, { store, space }, undefined);
  await dropSpace(store, aside);
}

/** A space of vectors in a store. */
interface Place {
  readonly store: Store;
  readonly space: string;
}

/** Gives the texts of an index the good vectors that they have in another one, which may be damaged. */
export async function salvageVectors(from: Store, to: Store, signal?: AbortSignal): Promise<void> {
  const state = await from.state().catch((thrown: unknown) => {
    if (!isUnreadable(thrown)) throw thrown;
    return undefined;
  });
  for (const space of state?.spaces.keys() ?? [])
    await copyVectors({ store: from, space }, { store: to, space }, signal);
}

async function copyVectors(from: Place, to: Place, signal: AbortSignal | undefined): Promise<void> {
  for await (const texts of storedTexts(to.store, signal)) {
    const keys = texts.map(({ embeddingKey }) => embeddingKey);
    const vectors = await goodVectors(from.store, from.space, keys);
    if (vectors.length > 0) await addVectors(to.store, to.space, vectors);
  }
}

async function goodVectors(store: Store, space: string, keys: readonly string[]): Promise<VectorEntry[]> {
  try {
    const dimensions = (await store.state()).spaces.get(space)?.dimensions ?? 0;
    const found = await store.vectorsOf(space, keys);
    return found.filter((entry) => vectorFault(entry, dimensions) === undefined);
  } catch (thrown) {
    if (!isUnreadable(thrown)) throw thrown;
    if (keys.length === 1) return [];
    const single: VectorEntry[] = [];
    for (const key of keys) single.push(...(await goodVectors(store, space, [key])));
    return single;
  }
}
