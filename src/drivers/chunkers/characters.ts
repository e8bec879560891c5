import type { Chunker } from '../../contracts/chunker.ts';

/** Fixed windows of characters with overlap: an empty text gives none, a short one gives one. */
export function createCharactersChunker({ size = 1000, overlap = 200 } = {}): Chunker {
  return {
    async chunk({ text }) {
      const drafts = [];
      for (let start = 0; start < text.length; ) {
        const end = Math.min(start + size, text.length);
        drafts.push({ start, end, header: '', section: '' });
        if (end >= text.length) break;
        start = end - overlap;
      }
      return { drafts };
    },
  };
}

export default createCharactersChunker;
