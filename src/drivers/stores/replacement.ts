import type { ChunkEntry, ManifestEntry, PutOptions, VectorEntry } from '../../contracts/store.ts';
import type { DocumentRecord } from '../../core/document.ts';

/** A document as it is put. */
export interface Replacement extends PutOptions {
  readonly document: DocumentRecord;
  readonly chunks: readonly ChunkEntry[];
  readonly manifest: ManifestEntry | undefined;
}

/** The vectors that come with documents, by space; each space has some. */
export function givenVectors(group: readonly Replacement[]): ReadonlyMap<string, readonly VectorEntry[]> {
  const given = new Map<string, VectorEntry[]>();
  for (const { vectors } of group)
    for (const [space, entries] of vectors ?? []) {
      const known = given.get(space) ?? [];
      known.push(...entries);
      if (known.length > 0) given.set(space, known);
    }
  return given;
}
