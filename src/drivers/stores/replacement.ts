import type { ChunkEntry, ManifestEntry, PutOptions } from '../../contracts/store.ts';
import type { DocumentRecord } from '../../core/document.ts';

/** A document as it is put. */
export interface Replacement extends PutOptions {
  readonly document: DocumentRecord;
  readonly chunks: readonly ChunkEntry[];
  readonly manifest: ManifestEntry | undefined;
}
