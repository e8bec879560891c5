import type { ChunkDraft, Chunker, ChunkLimits } from '../../contracts/chunker.ts';
import { cutAnywhere, type Piece, pack, paragraphsOf, sentencesOf } from './cutting.ts';

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

/** Paragraphs of a stretch of text; those above the maximum are cut into sentences. */
export function prosePieces(text: string, start: number, end: number, limits: ChunkLimits): Piece[] {
  return paragraphsOf(text, start, end, limits).flatMap((paragraph) => {
    if (paragraph.tokens <= limits.maxTokens) return [paragraph];
    const sentences = sentencesOf(text, paragraph.start, paragraph.end, limits).flatMap((sentence) =>
      sentence.tokens <= limits.maxTokens ? [sentence] : cutAnywhere(text, sentence, limits),
    );
    return pack(sentences, limits);
  });
}

/** Starts each piece with the last sentences of the one before, up to the overlap. */
export function withOverlap(text: string, pieces: readonly Piece[], limits: ChunkLimits): Piece[] {
  if (limits.overlapTokens === 0) return [...pieces];
  return pieces.map((piece, index) => {
    const before = pieces[index - 1];
    if (!before) return piece;
    let { start, tokens } = piece;
    for (const sentence of sentencesOf(text, before.start, before.end, limits).reverse()) {
      const repeated = tokens - piece.tokens + sentence.tokens;
      if (repeated > limits.overlapTokens || tokens + sentence.tokens > limits.maxTokens) break;
      start = sentence.start;
      tokens += sentence.tokens;
    }
    return { start, end: piece.end, tokens };
  });
}

function draftOf({ start, end }: Piece): ChunkDraft {
  return { start, end, header: '', section: '' };
}
