import type { ChunkEntry } from '../contracts/store.ts';
import type { DocumentRecord } from '../core/document.ts';
import { QuarryError } from '../core/errors.ts';

/** Throws unless the chunks belong to the document and neither their ids nor their ordinals repeat. */
export function assertEntries(document: DocumentRecord, entries: readonly ChunkEntry[]): void {
  const ids = new Set<string>();
  const ordinals = new Set<number>();
  for (const { chunk } of entries) {
    if (chunk.documentId !== document.id) refuse(document, `chunk ${chunk.id} belongs to another document`);
    if (ids.has(chunk.id)) refuse(document, `two chunks have the id ${chunk.id}`);
    if (ordinals.has(chunk.ordinal)) refuse(document, `two chunks stand at position ${chunk.ordinal}`);
    ids.add(chunk.id);
    ordinals.add(chunk.ordinal);
  }
}

function refuse(document: DocumentRecord, what: string): never {
  throw new QuarryError(
    'usage-invalid',
    `${document.uri} cannot be stored: ${what}.`,
    'Report this with the command that led to it.',
  );
}
