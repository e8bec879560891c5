import type { ChunkDraft } from '../contracts/chunker.ts';
import type { ChunkEntry } from '../contracts/store.ts';
import { type Chunk, contextHeader, embeddedText } from '../core/chunk.ts';
import type { Document } from '../core/document.ts';
import { chunkIds, embeddingKey } from '../core/identity.ts';

/** Gives each draft its identity, lines and text, so that `text.slice(start, end)` is the chunk. */
export function assembleChunks(document: Document, drafts: readonly ChunkDraft[]): ChunkEntry[] {
  const texts = drafts.map((draft) => document.text.slice(draft.start, draft.end));
  const ids = chunkIds(document.uri, texts);
  const lineAt = lineFinder(document.text);
  return drafts.map((draft, ordinal) => {
    const chunk: Chunk = {
      id: ids[ordinal] ?? '',
      documentId: document.id,
      ordinal,
      span: {
        start: draft.start,
        end: draft.end,
        firstLine: lineAt(draft.start),
        lastLine: lineAt(Math.max(draft.start, draft.end - 1)),
      },
      text: texts[ordinal] ?? '',
      header: contextHeader(document.uri, draft.header),
      section: draft.section,
      ...(draft.symbol && { symbol: draft.symbol }),
      metadata: draft.metadata ?? {},
    };
    return { chunk, embeddingKey: embeddingKey(embeddedText(chunk)) };
  });
}

/** A function from offset to line number, counted from 1. */
function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
