import type { ManifestEntry } from '../../../../contracts/store.ts';
import { type Chunk, embeddedText } from '../../../../core/chunk.ts';
import { chunkIds, embeddingKey } from '../../../../core/identity.ts';

/** What is wrong with the chunks of a document, in words; nothing where they are as indexing makes them. */
export function* chunkFaults(uri: string, chunks: readonly Chunk[]): Generator<string> {
  const ids = chunkIds(
    uri,
    chunks.map(({ text }) => text),
  );
  let reached = 0;
  for (const [place, { id, ordinal, span, text }] of chunks.entries()) {
    const name = `Chunk ${id}`;
    if (ordinal !== place) yield `${name} stands at position ${ordinal} where ${place} is expected.`;
    if (id !== ids[place]) yield `${name} has the text of chunk ${ids[place]}.`;
    if (span.end - span.start !== text.length) yield `${name} is not as long as its span.`;
    if (!(span.start >= reached)) yield `${name} begins before the chunk in front of it.`;
    if (!(span.firstLine >= 1 && span.firstLine <= span.lastLine)) yield `${name} has impossible lines.`;
    reached = span.start;
  }
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
