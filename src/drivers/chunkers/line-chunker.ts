import type { Chunker } from '../../contracts/chunker.ts';
import { chunkLines } from './lines.ts';

/** Text with no structure that is known: cut between lines, best at blank ones. */
export function createLineChunker(): Chunker {
  return { chunk: async ({ text }, limits) => ({ drafts: chunkLines(text, limits) }) };
}

export default createLineChunker;
