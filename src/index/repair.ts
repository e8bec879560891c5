import { rightKey } from '../contracts/record-faults.ts';
import type { RepairOptions, Store, StoreDefect, StoreRepair, VectorEntry } from '../contracts/store.ts';
import type { DocumentRecord } from '../core/document.ts';
import { QuarryError } from '../core/errors.ts';
import { chunksOf } from './chunks-of.ts';
import { type Cure, type Finding, isUnreadable, requireGoing } from './findings.ts';
import { vectorFault } from './inspect-vectors.ts';
import { storedTexts } from './stored-texts.ts';
import { findings } from './verify.ts';

/** One look at what is wrong, further ones at what the first repair brought to light, and one to see that all is well. */
const maxLooks = 5;

/**
 * Repairs an index until nothing is wrong with it any more; nobody else may write it meanwhile. Throws `store-corrupt` where that
 * cannot be had: the index then has to be filled again.
 */
export async function repairStore(store: Store, options: RepairOptions = {}): Promise<StoreRepair> {
  if (store.repair) return store.repair(options);
  const { signal } = options;
  const repaired = new Map<string, StoreDefect>();
  const removed = new Set<string>();
  for (let look = 0; look < maxLooks; look += 1) {
    const found: Finding[] = [];
    for await (const finding of findings(store, signal)) found.push(finding);
    if (found.length === 0) return { repaired: [...repaired.values()], removed: [...removed].sort() };
    for (const { defect } of found) repaired.set(JSON.stringify(defect), defect);
    const cures = found.map(({ cure }) => cure).filter(({ step }) => step !== 'rebuild');
    // What the index counts wrongly may be right once the documents are.
    if (cures.length === 0) break;
    for (const uri of await applyCures(store, cures, signal)) removed.add(uri);
  }
  throw new QuarryError(
    'store-corrupt',
    'The index is damaged beyond repair.',
    'Rebuild the index from the files, with: quarry index --full',
  );
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
  await store.deletePaths([...removed, ...forgotten]);
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
    await store.deletePaths([document.uri]);
    await store.put(document, entries, noted.get(document.uri), { vectors });
  }
}

/** Copies the good vectors of a space aside and back: its counts are right then, and the others are made again. */
async function renewSpace(store: Store, space: string, signal: AbortSignal | undefined): Promise<void> {
  const aside = `${space} (aside)`;
  await store.dropSpace(aside);
  await copySpace(store, space, aside, signal);
  await store.dropSpace(space);
  // Whatever is asked meanwhile, this is brought to its end: what was copied would be lost.
  await copySpace(store, aside, space, undefined);
  await store.dropSpace(aside);
}

async function copySpace(
  store: Store,
  from: string,
  to: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  for await (const texts of storedTexts(store, signal)) {
    const vectors = await goodVectors(
      store,
      from,
      texts.map(({ embeddingKey }) => embeddingKey),
    );
    if (vectors.length > 0) await store.addVectors(to, vectors);
  }
}

async function goodVectors(store: Store, space: string, keys: readonly string[]): Promise<VectorEntry[]> {
  const dimensions = (await store.state()).spaces.get(space)?.dimensions ?? 0;
  try {
    const found = await store.vectorsOf(space, keys);
    return found.filter((entry) => vectorFault(entry, dimensions) === undefined);
  } catch (thrown) {
    if (!isUnreadable(thrown)) throw thrown;
    return [];
  }
}
