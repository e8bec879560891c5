import type { ChunkDraft, Chunker } from '../../contracts/chunker.ts';
import { type Piece, pack, prosePieces, withOverlap } from './cutting.ts';

/** Plain prose: whole paragraphs, long ones by sentence, with the end of the last chunk repeated where asked. */
export function createProseChunker(): Chunker {
  return {
    async chunk(document, limits) {
      const { text } = document;
      const pieces = pack(prosePieces(text, 0, text.length, limits), limits);
      return { drafts: withOverlap(text, pieces, limits).map(draftOf) };
    },
  };
}

export default createProseChunker;

function draftOf({ start, end }: Piece): ChunkDraft {
  return { start, end, header: '', section: '' };
}
