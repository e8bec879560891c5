import type { DocumentChange, ManifestEntry, Store, VectorEntry } from '../contracts/store.ts';
import { commit } from './commit.ts';

/**
 * Replaces the document, all its chunks and its manifest entry in one step. False where the path no longer has the manifest
 * entry that was to be replaced. Several may be under way at once, and one that is refused makes no other fail.
 */
export async function putDocument(store: Store, change: DocumentChange): Promise<boolean> {
  const { stored } = await commit(store, { documents: [change] });
  return stored[0] === true;
}

/** Removes what is stored under these uris, manifest entries included. Returns how many documents were there. */
export async function deletePaths(store: Store, uris: readonly string[]): Promise<number> {
  return uris.length === 0 ? 0 : (await commit(store, { removed: uris })).removed;
}

/** Adds vectors of a space. */
export async function addVectors(
  store: Store,
  space: string,
  entries: readonly VectorEntry[],
): Promise<void> {
  if (entries.length > 0) await commit(store, { vectors: new Map([[space, entries]]) });
}

/** Forgets a space and its vectors. */
export async function dropSpace(store: Store, space: string): Promise<void> {
  await commit(store, { droppedSpaces: [space] });
}

/** Writes entries of paths without a document, or of documents whose content is unchanged. */
export async function putManifest(store: Store, entries: readonly ManifestEntry[]): Promise<void> {
  if (entries.length > 0) await commit(store, { manifest: entries });
}

/** Remembers a fact about the index as a whole, or forgets it where there is no value. */
export async function setFact(store: Store, name: string, value: string | undefined): Promise<void> {
  await commit(store, { facts: new Map([[name, value]]) });
}
