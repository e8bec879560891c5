import { type Chunk, embeddedText } from '../core/chunk.ts';
import { chunkNaming, embeddingKey } from '../core/identity.ts';
import type { ManifestEntry } from './store.ts';

/**
 * Looks at the chunks of a document, one after the other, and says in words what is wrong with each; nothing where they are as
 * indexing makes them.
 */
export function chunkInspection(uri: string): (chunk: Chunk) => string[] {
  const idOf = chunkNaming(uri);
  let place = 0;
  let reached = 0;
  return ({ id, ordinal, span, text }) => {
    const faults: string[] = [];
    const expected = idOf(text);
    if (ordinal !== place) faults.push(`stands at position ${ordinal} where ${place} is expected`);
    if (id !== expected) faults.push(`has the text of chunk ${expected}`);
    if (span.end - span.start !== text.length) faults.push('is not as long as its span');
    if (!(span.start >= reached)) faults.push('begins before the chunk in front of it');
    if (!(span.firstLine >= 1 && span.firstLine <= span.lastLine)) faults.push('has impossible lines');
    place += 1;
    reached = span.start;
    return faults.map((fault) => `Chunk ${id} ${fault}.`);
  };
}

/** The key that the chunk's vector must be kept under. */
export function rightKey(chunk: Pick<Chunk, 'header' | 'text'>): string {
  return embeddingKey(embeddedText(chunk));
}

/** What is wrong with a manifest entry, given how many chunks its document has (undefined where there is none). */
export function manifestFault(
  entry: Pick<ManifestEntry, 'status' | 'chunks'>,
  chunks: number | undefined,
): { kind: 'orphan' | 'count' | 'manifest'; detail: string } | undefined {
  const { status } = entry;
  if (!['indexed', 'skipped', 'failed'].includes(status)) {
    return { kind: 'manifest', detail: `The manifest gives it the unknown status ${status}.` };
  }
  if (status !== 'indexed') return undefined;
  if (chunks === undefined) {
    return { kind: 'orphan', detail: 'The manifest calls it indexed, but there is no document.' };
  }
  if (chunks === entry.chunks) return undefined;
  return { kind: 'count', detail: `The manifest counts ${entry.chunks} chunks where there are ${chunks}.` };
}
