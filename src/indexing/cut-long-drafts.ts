import type { ChunkDraft } from '../contracts/chunker.ts';

/**
 * Characters of the longest chunk. Text has a tenth of that; more are in what has hardly a token however long it is: one endless
 * word, white space. Nothing that is done with a chunk later may cost as much as such a file is long.
 */
export const maxChunkLength = 16_384;
/** How far before the bound a better place to cut is looked for. */
const lookBack = 2048;

/** Cuts drafts above the bound further, at the end of a line or a word where one is near. */
export function cutLongDrafts(text: string, drafts: readonly ChunkDraft[]): readonly ChunkDraft[] {
  if (drafts.every(({ start, end }) => end - start <= maxChunkLength)) return drafts;
  return drafts.flatMap((draft) => [...piecesOf(text, draft)]);
}

function* piecesOf(text: string, draft: ChunkDraft): Generator<ChunkDraft> {
  const visible = /\S/g;
  let { start } = draft;
  while (draft.end - start > maxChunkLength) {
    const end = cutBefore(text, start + maxChunkLength);
    yield { ...draft, start, end };
    // White space between two pieces is in neither.
    visible.lastIndex = end;
    start = visible.exec(text)?.index ?? draft.end;
  }
  if (start < draft.end) yield { ...draft, start };
}

function cutBefore(text: string, limit: number): number {
  const last = text.slice(limit - lookBack, limit);
  const found = last.lastIndexOf('\n') + 1 || last.lastIndexOf(' ') + 1;
  if (found > 0) return limit - lookBack + found;
  const code = text.charCodeAt(limit);
  return code >= 0xdc00 && code <= 0xdfff ? limit - 1 : limit;
}
