import type { Chunker, ChunkLimits } from '../../contracts/chunker.ts';
import type { Store } from '../../contracts/store.ts';
import type { Chunk } from '../../core/chunk.ts';
import type { DocumentRecord } from '../../core/document.ts';
import type { Hit } from '../../core/hit.ts';
import { openMemoryStore } from '../../drivers/stores/memory/store.ts';
import { putDocument } from '../../index/write.ts';
import { assembleChunks } from '../../indexing/assemble-chunks.ts';
import { documentRecord } from '../../testing/documents.ts';

/** A document that a real chunker has cut into a real store. */
export interface IndexedText {
  readonly store: Store;
  readonly record: DocumentRecord;
  readonly chunks: readonly Chunk[];
  /** Hits at these places, best first. */
  hitsAt(ordinals: readonly number[]): Hit[];
}

/** Sizes in words. */
export function wordLimits(maxTokens: number, overlapTokens = 0): ChunkLimits {
  const targetTokens = Math.ceil(maxTokens * 0.7);
  return {
    minTokens: Math.ceil(maxTokens / 8),
    targetTokens,
    maxTokens,
    overlapTokens,
    countTokens: countWords,
  };
}

/** A token a word. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

/** Cuts a text and puts it into a store of its own, or one that is given. */
export async function indexText(
  chunker: Chunker,
  uri: string,
  text: string,
  limits: ChunkLimits,
  store: Store = openMemoryStore(),
): Promise<IndexedText> {
  const record = documentRecord(uri);
  const document = { ...record, text };
  const { drafts } = await chunker.chunk(document, limits);
  const entries = assembleChunks(document, drafts);
  await putDocument(store, { document: record, chunks: entries });
  const chunks = entries.map(({ chunk }) => chunk);
  const hitsAt = (ordinals: readonly number[]): Hit[] =>
    ordinals.flatMap((ordinal, place) => {
      const chunk = chunks[ordinal];
      return chunk ? [{ chunk, document: record, relevance: 1 / (place + 1), score: -place, trace: [] }] : [];
    });
  return { store, record, chunks, hitsAt };
}
